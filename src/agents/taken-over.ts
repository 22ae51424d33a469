/** What a person needs to work in the place of a worker: its folder, the command of its agent and the variables for it. */
import { join } from 'node:path'
import { z } from 'zod'
import { KEPT_VARIABLES } from '../lib/process/built-environment.ts'
import { resumeCommand } from './profiles/resume-command.ts'
import { AGENT_ROWS } from './profiles/rows.ts'
import { DamagedFile, MISSING } from './worker-files/damaged-file.ts'
import { workerFolder } from './worker-folder.ts'
import { readJson } from './worker-records.ts'

export interface TakenOver {
  readonly workspace: string
  /** Continues the session of its agent; null where there is none to continue. */
  readonly command: readonly string[] | null
  /** Of its agent, on top of the person's own: how it reaches its provider, for one. */
  readonly variables: Readonly<Record<string, string>>
}

const jobSchema = z.object({
  agent: z.string(),
  command: z.array(z.string()),
  workspace: z.string(),
  env: z.record(z.string(), z.string()),
})

/** Throws where the folder of the worker cannot be read. */
export function takenOver(
  root: string,
  { repository, worker }: { readonly repository: string; readonly worker: string },
  session: string | null,
): TakenOver {
  const folder = workerFolder(join(root, 'repos', repository, 'workers', worker))
  const job = readJson(folder.job, jobSchema)
  if (job === null) throw new DamagedFile(folder.job, MISSING)
  const { agent, command, workspace, env } = job
  return {
    workspace,
    command: session === null ? null : resumeCommand(AGENT_ROWS, { agent, command, session }),
    variables: Object.fromEntries(Object.entries(env).filter(([name]) => isForAgent(name))),
  }
}

/** The person has the ordinary ones, and must not be taken for the worker. */
const isForAgent = (name: string): boolean =>
  name !== 'PATH' && !name.startsWith('BOSUN_') && !KEPT_VARIABLES.includes(name)
