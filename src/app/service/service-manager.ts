/** The system's service manager of this user, as far as Bosun needs it. */
import { runProgram } from '../../lib/process/run-program.ts'
import type { ServiceFacts } from './service-facts.ts'

/** What one kind of service manager is asked, as command lines. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd'
  /** The file that makes the daemon known to it. */
  readonly file: string
  textOf(facts: ServiceFacts): string
  /** Whether two such files run the same program on the same state. */
  runsTheSame(one: string, other: string): boolean
  /** Fails where nobody is there to be asked; else what was written is read. */
  readonly reach: Line
  /** Has it started with the session from now on. */
  readonly enable: Line
  /** Starts it; what runs of it ends first. */
  readonly restart: readonly Line[]
  /** Starts it if it does not run. */
  readonly start: Line
  /** Ends it, and it is not started again. */
  readonly disable: Line
  /** Called once the file is gone; null where nothing is left to be said. */
  readonly forget: Line | null
  readonly look: Line
  /** What `look` printed. */
  read(printed: string): ServiceState
  /** What a person runs where the manager cannot be reached from here. */
  readonly byHand: { readonly start: string; readonly stop: string }
  /** Where what it says can be read, as a command. */
  readonly diary: string
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

/** Runs one line. That it failed is a value: most often nobody is there to be asked. */
export async function ask([command, ...args]: Line, env: Env): Promise<Asked> {
  const call = { command, args, cwd: '/', env, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  const outcome = await runProgram(call)
  if (outcome.kind !== 'exited') {
    const why = outcome.kind === 'not_started' ? outcome.reason : outcome.kind.replace('_', ' ')
    return { ok: false, why: `${command}: ${why}` }
  }
  if (outcome.code === 0) return { ok: true, printed: outcome.stdout }
  // What it did before it failed stands first.
  const said = outcome.stderr.trim().split('\n').at(-1) ?? ''
  return { ok: false, why: said === '' ? `${command} ended with ${outcome.code}` : said }
}
