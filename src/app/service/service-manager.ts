/** The user's service manager, as far as Bosun needs it. */
import { runProgram } from '../../lib/process/run-program.ts'
import type { ServiceFacts } from './service-facts.ts'

/** The command lines of one kind of service manager. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd'
  /** The file that makes the daemon known to it. */
  readonly file: string
  textOf(facts: ServiceFacts): string
  /** Whether two such files run the same program on the same state. */
  runsTheSame(one: string, other: string): boolean
  /** Reloads the files; fails if the manager cannot be reached. */
  readonly reach: Line
  /** Has it started with the session from now on. */
  readonly enable: Line
  /** Starts it; what runs of it ends first. */
  readonly restart: readonly Line[]
  /** Starts it if it does not run. */
  readonly start: Line
  /** Ends it, and it is not started again. */
  readonly disable: Line
  /** Run after the file is removed; null if nothing is needed. */
  readonly forget: Line | null
  readonly look: Line
  /** What `look` printed. */
  read(printed: string): ServiceState
  /** What a person runs where the manager cannot be reached from here. */
  readonly byHand: { readonly start: string; readonly stop: string }
  /** The command that shows its log. */
  readonly logCommand: string
}

export type Line = readonly [string, ...string[]]

export interface ServiceState {
  /** Whether the manager knows it and starts it with the session. */
  readonly isEnabled: boolean
  readonly isActive: boolean
  readonly pid: number | null
}

export type Env = Readonly<Record<string, string | undefined>>
export type Asked =
  | { readonly ok: true; readonly printed: string }
  | { readonly ok: false; readonly why: string }

const TIMEOUT_MS = 20_000
const MAX_BYTES = 1024 * 1024

/** Runs one command line. Failure is a value, since often the manager cannot be reached. */
export async function ask([command, ...args]: Line, env: Env): Promise<Asked> {
  const call = { command, args, cwd: '/', env, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  const outcome = await runProgram(call)
  if (outcome.kind !== 'exited') {
    const why = outcome.kind === 'not_started' ? outcome.reason : outcome.kind.replace('_', ' ')
    return { ok: false, why: `${command}: ${why}` }
  }
  if (outcome.code === 0) return { ok: true, printed: outcome.stdout }
  // What it did before it failed stands first.
  const reason = outcome.stderr.trim().split('\n').at(-1) ?? ''
  return { ok: false, why: reason === '' ? `${command} exited with ${outcome.code}` : reason }
}
