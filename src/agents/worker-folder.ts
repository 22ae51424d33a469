/**
 * The folder through which Bosun and one supervisor talk, `workers/<id>/`:
 * - `job.json`: what is to be run. Written once by Bosun.
 * - `identity.json`: its creator owns the worker; it is created exclusively. Names supervisor and agent.
 * - `journal.jsonl`: what happened, appended by the owner, numbered from 1.
 * - `commands.jsonl`: what Bosun wants, appended by Bosun.
 * - `result.json`: how it ended. Renamed to `acknowledged.json` once Bosun has taken it in.
 * - `output.log`: the newest of what the agent printed, with `output.log.1` before it.
 * - `handed-in.json`: a report that the agent sent to Bosun instead of writing it to its desk. Written by Bosun.
 * - `desk/`: what the agent itself may write.
 */
import { join } from 'node:path'
import type { Role, WorkerEnd } from '../core/event-schemas/schemas.ts'
import type { Containment } from '../lib/process/containment.ts'
import type { ProcessIdentity } from '../lib/process/identity.ts'
import type { ProcessTree } from '../lib/process/process-tree.ts'
import type {
  SessionEvent,
  SessionMessage,
  WorkerHalted,
  WorkerPaused,
  WorkerReported,
  WorkerSign,
} from '../ports/agent.ts'

export interface WorkerFolder {
  readonly path: string
  readonly job: string
  readonly identity: string
  readonly journal: string
  readonly commands: string
  readonly result: string
  readonly acknowledged: string
  readonly output: string
  readonly supervisorLog: string
  readonly desk: string
  readonly report: string
  readonly handedIn: string
  readonly contract: string
}

export function workerFolder(path: string): WorkerFolder {
  const desk = join(path, 'desk')
  return {
    path,
    job: join(path, 'job.json'),
    identity: join(path, 'identity.json'),
    journal: join(path, 'journal.jsonl'),
    commands: join(path, 'commands.jsonl'),
    result: join(path, 'result.json'),
    acknowledged: join(path, 'acknowledged.json'),
    output: join(path, 'output.log'),
    supervisorLog: join(path, 'supervisor.log'),
    desk,
    report: join(desk, 'report.json'),
    handedIn: join(path, 'handed-in.json'),
    contract: join(desk, 'contract.json'),
  }
}

export interface WorkerJob {
  readonly v: 1
  readonly worker: string
  readonly plan: string
  readonly role: Role
  readonly agent: string
  readonly protocol: 'command' | 'acp'
  /** The first word is an absolute path. */
  readonly command: readonly string[]
  readonly workspace: string
  /** All of it. */
  readonly env: Readonly<Record<string, string>>
  readonly brief: string
  readonly limitMs: number
  readonly graceMs: number
  /** Set in the environment of everything the agent starts, so that orphans can be found too. */
  readonly mark: string
  readonly containment: Containment
  readonly session: string | null
}

export interface WorkerIdentity {
  /** Null when Bosun took it to keep anyone from starting. */
  readonly supervisor: ProcessIdentity | null
  readonly agent: ProcessTree | null
  /** Whose worker it was to be; only where there is no job to say so. */
  readonly plan?: string | null | undefined
}

/** `seq` counts the entries of one journal; `at` is wall time. */
export type JournalEntry = { readonly seq: number; readonly at: number } & JournalFact
export type JournalFact =
  | { readonly kind: 'claimed'; readonly supervisor: ProcessIdentity }
  | { readonly kind: 'started'; readonly agent: ProcessTree }
  | (Omit<WorkerSign, 'worker'> & { readonly outputBytes: number })
  | WithoutOrigin<WorkerReported | WorkerHalted | WorkerPaused | SessionEvent>
  | { readonly kind: 'stopping'; readonly why: string }
  | { readonly kind: 'ended'; readonly end: WorkerEnd }

type WithoutOrigin<T> = T extends unknown ? Omit<T, 'worker' | 'seq'> : never

export type WorkerCommand =
  | { readonly kind: 'stop'; readonly cause: Extract<WorkerEnd, { kind: 'stopped' }>['cause'] }
  /** How long it may run since its start, all in all, before its own limit ends it. */
  | { readonly kind: 'limit'; readonly limitMs: number }
  /** Continues a halted agent: all that can be done for one that reads no messages. */
  | { readonly kind: 'nudge' }
  | ({ readonly kind: 'send' } & { readonly words: SessionMessage })

export interface WorkerResult {
  readonly v: 1
  readonly worker: string
  readonly plan: string | null
  readonly role: Role | null
  readonly end: WorkerEnd
  readonly endedAt: number
  /** What the agent left as its report, unread; and what kept it from being taken. */
  readonly report: { readonly text: string | null; readonly problem: string | null }
  readonly outputBytes: number
}
