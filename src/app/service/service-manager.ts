/** The user's service manager, as far as Bosun needs it: what it runs, its command lines, and the mark of files that Bosun wrote. */
import { runProgram } from '../../lib/process/run-program.ts'
import { resolve } from 'node:path'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { refusal } from '../../lib/refusal.ts'
import { createHash } from 'node:crypto'

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

/** What the service manager needs to run the daemon. */
export interface ServiceFacts {
  /** The program (a script for sh) and its arguments. */
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * A service manager provides almost no environment, so PATH and the state root go into the file. Nothing else does: keys
 * and tokens do not belong there.
 */
export function serviceFacts(
  program: string,
  caller: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): ServiceFacts {
  const { cwd, env } = caller
  const set = env['BOSUN_HOME'] ?? ''
  const own = set === '' ? {} : { BOSUN_HOME: resolve(cwd, set) }
  const xdg = env['XDG_STATE_HOME'] ?? ''
  const state = set === '' && xdg.startsWith('/') ? { XDG_STATE_HOME: xdg } : {}
  const facts = {
    command: [program, 'serve'],
    environment: { PATH: builtEnvironment(env)['PATH'] ?? '', ...own, ...state },
  }
  refuseControlCharacters(facts)
  return facts
}

/** Neither kind of file can hold control characters. */
function refuseControlCharacters({ command, environment }: ServiceFacts): void {
  for (const text of [...command, ...Object.values(environment)]) {
    if (!/\p{Cc}|\p{Cs}/u.test(text)) continue
    throw refusal(
      'usage',
      `a path contains a control character: ${JSON.stringify(text)}`,
      'Correct PATH or BOSUN_HOME, or rename the folder.',
    )
  }
}

/**
 * Marks files that Bosun wrote for the service manager with a hash of their content, which shows later edits without
 * storing anything elsewhere.
 */
const MARK = /Written by bosun service install, sha256 ([0-9a-f]{64})/
const PLACE = '@mark@'

/** `@mark@` in the text becomes the mark. */
export function marked(text: string): string {
  return text.replace(PLACE, `Written by bosun service install, sha256 ${hashOf(text)}`)
}

/** Whether a file is as Bosun wrote it, whichever version of Bosun that was. */
export function isAsWritten(text: string): boolean {
  const [mark, hash] = MARK.exec(text) ?? []
  return mark !== undefined && hashOf(text.replace(mark, PLACE)) === hash
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
