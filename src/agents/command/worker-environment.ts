import { delimiter } from 'node:path'
import type { Environment } from '../../lib/process/built-environment.ts'
import { builtEnvironment } from '../../lib/process/built-environment.ts'

export interface WorkerFacts {
  readonly worker: string
  readonly task: string
  readonly attempt: number
  readonly role: string
  readonly contractPath: string
  readonly reportPath: string
  /** The daemon's address; null where there is none. */
  readonly url: string | null
  /** Of this attempt alone. */
  readonly token: string
  readonly coordination: string
  /** The folder of the commands a worker may call. */
  readonly tools: string
  readonly env?: Environment | undefined
}

/** What a worker finds in its environment: a built one, what Bosun tells it, and its commands first on the PATH. */
export function workerEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  facts: WorkerFacts,
): Environment {
  const base = builtEnvironment(from, facts.env)
  return {
    ...base,
    PATH: [facts.tools, base['PATH']].join(delimiter),
    BOSUN_WORKER_ID: facts.worker,
    BOSUN_TASK_ID: facts.task,
    BOSUN_ATTEMPT: String(facts.attempt),
    BOSUN_ROLE: facts.role,
    BOSUN_CONTRACT: facts.contractPath,
    BOSUN_REPORT: facts.reportPath,
    ...(facts.url === null ? {} : { BOSUN_URL: facts.url }),
    BOSUN_TOKEN: facts.token,
    BOSUN_COORDINATION: facts.coordination,
  }
}
