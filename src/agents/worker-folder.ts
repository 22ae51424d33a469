/**
 * The folder through which Bosun and one supervisor talk, `workers/<id>/`:
 * - `job.json`: what is to be run. Written once by Bosun.
 * - `identity.json`: its creator owns the worker; it is created exclusively. Names supervisor and agent.
 * - `journal.jsonl`: what happened, appended by the owner, numbered from 1.
 * - `commands.jsonl`: what Bosun wants, appended by Bosun.
 * - `result.json`: how it ended. Renamed to `acknowledged.json` once Bosun has taken it in.
 * - `output.log`: the newest of what the agent printed, with `output.log.1` before it.
 * - `transcript.jsonl`: the newest messages and tool calls of its session, with `transcript.jsonl.1` before it.
 * - `handed-in.json`: a report that the agent sent to Bosun instead of writing a file. Written by Bosun.
 * - `desk/`: the agent's own folder, which it may write to; its report may lie here instead of in its outbox.
 *
 * Both sides load this, and supervisors load little: no schema stands here.
 */
import { join, basename } from 'node:path'
import { appendFileSync } from 'node:fs'
import type { PermissionPolicy } from '../core/crew/permission-policy.ts'
import type { Role, WorkerEnd } from '../core/event-schemas/schemas.ts'
import type { SessionContinuation } from '../core/state/agent-session.ts'
import type { WorkerBudget } from '../core/state/spending.ts'
import type { Containment } from '../lib/process/containment.ts'
import type { ProcessIdentity } from '../lib/process/processes.ts'
import type { ProcessTree } from '../lib/process/process-tree.ts'
import type {
  SessionEvent,
  SessionMessage,
  WorkerHalted,
  WorkerPaused,
  WorkerReported,
  WorkerSign,
} from '../ports/agent.ts'
import { errorCode } from '../lib/files/system-error.ts'
import { STOP_CAUSES, type StopCause } from '../core/event-schemas/stop-causes.ts'
import { LineTail } from '../lib/files/line-tail.ts'
import type { NamedSecret } from '../lib/text/redactor.ts'
import { isRecord, jsonIn } from '../lib/text/json.ts'
import type { SessionChoice } from './with-choice.ts'
import type { OutputFormat } from './command/output-formats.ts'

export type WorkerFolder = Readonly<ReturnType<typeof workerFolder>>

/** By its place in a state root. */
export const folderOf = (
  root: string,
  { repository, worker }: { readonly repository: string; readonly worker: string },
): WorkerFolder => workerFolder(join(root, 'repos', repository, 'workers', worker))

export function workerFolder(path: string) {
  const agentFolder = join(path, 'desk')
  return {
    path,
    job: join(path, 'job.json'),
    identity: join(path, 'identity.json'),
    journal: join(path, 'journal.jsonl'),
    commands: join(path, 'commands.jsonl'),
    result: join(path, 'result.json'),
    acknowledged: join(path, 'acknowledged.json'),
    output: join(path, 'output.log'),
    transcript: join(path, 'transcript.jsonl'),
    supervisorLog: join(path, 'supervisor.log'),
    agentFolder,
    report: join(agentFolder, 'report.json'),
    handedIn: join(path, 'handed-in.json'),
    contract: join(agentFolder, 'contract.json'),
  }
}

/** Where the brief lies in a worker's outbox or on its desk, for a session that needs it again. */
export const briefIn = (folder: string): string => join(folder, 'brief.md')

/** Where the report belongs in a worker's outbox, the folder in its workspace for what it hands to Bosun. */
export const outboxReport = (outbox: string): string => join(outbox, 'report.json')

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
  /** Null for a worker that reports in its agent folder only. */
  readonly outbox: string | null
  /** What a plain command prints. */
  readonly prints: Prints
  /** All of it. */
  readonly env: Readonly<Record<string, string>>
  /** The values that nothing which is kept of it may hold. */
  readonly secrets: readonly NamedSecret[]
  /** Of the user's token, which is hidden as well; null where there is none. */
  readonly userTokenFile: string | null
  readonly brief: string
  /** Paths of images that belong to the brief, for agents that take any. */
  readonly images: readonly string[]
  readonly limitMs: number
  /** Absent where nothing limits it. */
  readonly budget?: WorkerBudget | undefined
  readonly graceMs: number
  /** Set in the environment of everything the agent starts, so that orphans can be found too. */
  readonly mark: string
  readonly containment: Containment
  /** The words that put it into a sandbox; none where there is none. */
  readonly walls: readonly string[]
  /** What to do where it is not signed in. */
  readonly signIn: string
  /** What its agent was asked to use and why. */
  readonly choice: JobChoice
  /** Null for a plain command. */
  readonly acp: AcpJob | null
}

/** Plain text, from which its usage is estimated; a known format; or the output of a program that uses no model. */
export type Prints = 'text' | 'unmetered' | OutputFormat

export interface JobChoice {
  /** Null: the agent's own. */
  readonly model: string | null
  readonly effort: string | null
  readonly why: string | null
  /** Who could have done it, the first choice first; null where that is not known. */
  readonly candidates: readonly string[] | null
}

/** An agent whose session files Bosun can read. */
export type SessionFiles = 'pi'

/** What the supervisor needs for a session of the Agent Client Protocol. */
export interface AcpJob {
  /** The mode to set; null for the agent's own. */
  readonly mode: string | null
  /** The method to sign in with before a session; null where the agent is signed in already. */
  readonly authenticate: string | null
  readonly additionalDirectories: readonly string[]
  /** As the protocol has them. */
  readonly mcpServers: readonly unknown[]
  /** Whether Bosun's own server is one of them. */
  readonly takesBosun: boolean
  /** Of `session/new`, `load` and `resume`. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly usage: UsageReport
  /** What the session that it continues has cost so far; absent where that is unknown. */
  readonly usdBefore?: number | undefined
  /** Whose session files hold the errors that it does not report; absent where it reports them. */
  readonly errorsIn?: SessionFiles | undefined
  /** A turn without any update for so long is trouble with the provider. */
  readonly idleMs: number
  readonly permissions: PermissionPolicy
  /** What to set by the options of the session. */
  readonly choice: SessionChoice
  /** Whether it can be run as a plain command, should the protocol fail. */
  readonly hasCommand: boolean
  /** How it continues a session, where it offers several ways; null where it must not. */
  readonly continues: SessionContinuation
  /** The session to continue, and what to say in it instead of the whole brief. */
  readonly session: { readonly id: string; readonly prompt: string } | null
}

/**
 * The tokens that an agent reports: of a whole turn, of the last step of a turn, of each step, as a quota, or not reliably.
 */
export type UsageReport = 'sum' | 'last_step' | 'steps' | 'quota' | 'none'

/** What the owner of a worker writes down; the journal numbers it and adds the wall time. */
export type JournalFact =
  | { readonly kind: 'claimed'; readonly supervisor: ProcessIdentity }
  | { readonly kind: 'started'; readonly agent: ProcessTree }
  | WithoutOrigin<WorkerSign | WorkerReported | WorkerHalted | WorkerPaused | SessionEvent>
  | { readonly kind: 'stopping'; readonly why: string }
  | { readonly kind: 'ended'; readonly end: WorkerEnd }

type WithoutOrigin<T> = T extends unknown ? Omit<T, 'worker' | 'seq'> : never

export type WorkerCommand =
  | { readonly kind: 'stop'; readonly cause: StopCause }
  /** How long it may run since its start, all in all, before its own limit ends it. */
  | { readonly kind: 'limit'; readonly limitMs: number }
  /** Stops the clock of that limit, or lets it run again. */
  | { readonly kind: 'hold'; readonly isHeld: boolean }
  /** Continues a halted agent: all that can be done for one that reads no messages. */
  | { readonly kind: 'nudge' }
  | ({ readonly kind: 'send' } & { readonly words: SessionMessage })

/** A file that is there and cannot be used, or that is missing: its worker fails with this message, and nothing else does. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
  readonly path: string

  constructor(path: string, why: string, name = basename(path)) {
    super(`its ${name} is ${why === MISSING ? why : `damaged: ${why}`}`)
    this.path = path
  }
}

export const MISSING = 'missing'

/** These say that the machine is short of something, and nothing about the file. */
const SHORTAGES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM']

export const isShortage = (error: unknown): boolean => SHORTAGES.includes(errorCode(error))

/** What to throw where a file could not be read or written. */
export function asDamage(path: string, error: unknown): unknown {
  if (error instanceof DamagedFile || isShortage(error)) return error
  return new DamagedFile(path, error instanceof Error ? error.message : String(error))
}

const MAX_COMMAND_BYTES = 1024 * 1024
const SHOWN = 100

/** Queues a command for a supervisor, running or not. Null where that was possible; else what is wrong with its file. */
export function giveCommand(
  { commands }: Pick<WorkerFolder, 'commands'>,
  command: WorkerCommand,
): DamagedFile | null {
  try {
    // An earlier writer may have died in the middle of a line.
    appendFileSync(commands, `\n${JSON.stringify(command)}\n`, { mode: 0o600, flush: true })
    return null
  } catch (error) {
    const damage = asDamage(commands, error)
    if (damage instanceof DamagedFile) return damage
    throw damage
  }
}

/** Reads the commands; each call gives those that came since the last one. */
export class CommandTail {
  readonly #path: string
  readonly #tail: LineTail

  constructor(path: string) {
    this.#path = path
    this.#tail = new LineTail(path, MAX_COMMAND_BYTES)
  }

  /** Throws `DamagedFile` for what is no command. A line that was cut short was never given. */
  read(): readonly WorkerCommand[] {
    return linesIn(this.#tail, this.#path).flatMap((line) => {
      const given = jsonIn(line)
      if (given === undefined) return []
      if (isCommand(given)) return [given]
      throw new DamagedFile(this.#path, `not a command: ${line.slice(0, SHOWN)}`)
    })
  }
}

/** The new lines of a file. Throws `DamagedFile` where it cannot be read. */
export function linesIn(tail: LineTail, path: string): readonly string[] {
  try {
    return tail.read()
  } catch (error) {
    throw asDamage(path, error)
  }
}

/** The cause of the first stop command, if any. */
export function readStopCause(path: string): StopCause | null {
  const stop = new CommandTail(path).read().find((command) => command.kind === 'stop')
  return stop?.cause ?? null
}

/** By hand: a schema would have to be loaded by every supervisor. */
function isCommand(value: unknown): value is WorkerCommand {
  if (!isRecord(value)) return false
  switch (value['kind']) {
    case 'stop':
      return STOP_CAUSES.some((cause) => cause === value['cause'])
    case 'limit':
      return typeof value['limitMs'] === 'number' && value['limitMs'] > 0
    case 'hold':
      return typeof value['isHeld'] === 'boolean'
    case 'nudge':
      return true
    case 'send':
      return isRecord(value['words'])
    default:
      return false
  }
}
