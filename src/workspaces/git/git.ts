/**
 * Runs git as Bosun: with an environment built from nothing and settings under which git starts no other program
 * (no hook, no monitor, no helper, no transport but the file system). Filters and drivers have names, so no
 * setting can switch them all off; they stay inert because Bosun's own git dirs define none.
 */
import { spawn } from 'node:child_process'
import { withPipes } from '../../lib/process/with-pipes.ts'
import {
  captureProgram,
  STOPPING,
  type CapturedOutcome,
  type ProgramCall,
} from '../../lib/process/run-program.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { GitSession, type SessionOptions } from './git-session.ts'
import { GitShells, type RowOutcome } from './git-shells.ts'

export type GitOutcome = CapturedOutcome

/** Where git works. Always explicit, never discovered: a `.git` inside a work tree is not read. */
export interface GitPlace {
  readonly gitDir: string
  readonly workTree?: string
  readonly index?: string
  /** Where objects are read and written, when not in the git dir. */
  readonly objects?: string
}

export interface GitCall {
  readonly args: readonly string[]
  readonly at?: GitPlace
  /** Where it starts when `at` does not say; for looking at the user's repository. */
  readonly cwd?: string
  readonly input?: string | Buffer
  /** How many objects it writes; `many` when absent. */
  readonly writes?: 'few' | 'many'
  /** In a row: reads what the one before it printed. */
  readonly takesOutput?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** `user` reads the user's own settings as well: their identity, and the folders they trust. */
  readonly settings?: 'bosun' | 'user'
  readonly timeoutMs?: number
  /** Of stdout and stderr together; for calls that only read. */
  readonly maxBytes?: number
}

/** Git failed unexpectedly: the disk is full, a repository is damaged, git is missing. */
export class GitFailed extends Error {
  override readonly name = 'GitFailed'
  readonly args: readonly string[]
  readonly outcome: GitOutcome
  constructor(args: readonly string[], outcome: GitOutcome) {
    super(`git ${args[0] ?? ''} ${describe(outcome)}`)
    this.args = args
    this.outcome = outcome
  }
}

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'protocol.ext.allow=never',
  'protocol.version=2',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'core.quotePath=false',
  'core.pager=cat',
  'commit.gpgSign=false',
  'core.fsync=committed',
].flatMap((setting) => ['-c', setting])
/** Many objects are synced together, for which git makes a folder and removes it again; few are not worth that. */
const SYNC = { many: ['-c', 'core.fsyncMethod=batch'], few: ['-c', 'core.fsyncMethod=fsync'] }
/** Of files, each with the folders it is in. */
const FEW = 8
export const fewOrMany = (files: number): 'few' | 'many' => (files <= FEW ? 'few' : 'many')

const TIMEOUT_MS = 10 * 60_000
const MAX_BYTES = 512 * 1024 * 1024

interface Surroundings {
  readonly path: string
  readonly home: string
  /** Variables that say where settings lie, if not in the home, and how far up a repository is looked for. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

/** The user's, from their environment. */
export function surroundingsIn(env: Readonly<Record<string, string | undefined>>): Surroundings {
  const elsewhere: Record<string, string> = {}
  for (const name of ['XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CEILING_DIRECTORIES'])
    if (env[name] !== undefined) elsewhere[name] = env[name]
  return { path: env['PATH'] ?? '', home: env['HOME'] ?? '/', elsewhere }
}

export class Git {
  readonly #path: string
  readonly #user: Readonly<Record<string, string>>
  readonly #shells: GitShells | null
  readonly #sessions: GitSession[] = []
  #isClosed = false

  /** `scratch` is a private folder for persistent shells, worth it where git is called often. */
  constructor({ path, home, elsewhere, scratch }: Surroundings & { readonly scratch?: string }) {
    this.#path = path
    this.#user = { HOME: home, ...elsewhere }
    const env = (): Record<string, string> => this.#environment({ args: [] })
    this.#shells = scratch === undefined ? null : new GitShells({ folder: scratch, env })
  }

  /** How it ended is a value. */
  async run(call: GitCall): Promise<GitOutcome> {
    return (await this.runRow([call])).outcome
  }

  /**
   * One after the other for as long as each ends with 0: how the last one ended that was run, and which it was (where a
   * shell was ended with what it ran, the first). Only what the last one prints is kept.
   */
  async runRow(calls: readonly GitCall[]): Promise<RowOutcome> {
    const row = calls.map((call) => ({
      ...this.#process(call),
      input: call.input ?? '',
      takesOutput: call.takesOutput,
      timeoutMs: call.timeoutMs ?? TIMEOUT_MS,
      maxBytes: call.maxBytes ?? MAX_BYTES,
      limitBytes: call.maxBytes,
    }))
    if (this.#isClosed) return { at: 0, outcome: STOPPING }
    const { at, outcome } = await (this.#shells?.run ?? runEach)(row)
    return {
      at,
      outcome: outcome.kind === 'exited' ? { ...outcome, stderr: outcome.stderr.trim() } : outcome,
    }
  }

  /** A long-running git process for many requests. */
  session(call: Pick<GitCall, 'args' | 'at'> & Pick<SessionOptions, 'idleMs' | 'greeting'>): GitSession {
    const { command, args, cwd, env } = this.#process(call)
    const session = new GitSession({
      ...call,
      cwd,
      start: () => withPipes(spawn(command, args, { cwd, env, stdio: 'pipe' })),
      failure: (outcome) => new GitFailed(call.args, outcome),
    })
    this.#sessions.push(session)
    if (this.#isClosed) void session.close()
    return session
  }

  /**
   * Lets what has begun finish, and refuses everything later: work that was aborted may still be on its way here.
   * Resolves when no process of it is left.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#shells?.close(), ...this.#sessions.map((session) => session.close())])
  }

  /** What it printed; throws GitFailed unless it ended with 0. */
  async read(call: GitCall): Promise<Buffer> {
    const outcome = await this.run(call)
    if (outcome.kind === 'exited' && outcome.code === 0) return outcome.stdout
    throw new GitFailed(call.args, outcome)
  }

  /** The one line it printed; throws GitFailed unless it ended with 0. */
  async line(call: GitCall): Promise<string> {
    return lineOf(await this.read(call))
  }

  /** The one line it printed, or null for exit code 1, git's "not found". */
  async lineOrNull(call: GitCall): Promise<string | null> {
    const outcome = await this.run(call)
    if (outcome.kind !== 'exited' || outcome.code > 1) throw new GitFailed(call.args, outcome)
    return outcome.code === 1 ? null : lineOf(outcome.stdout)
  }

  #process(call: GitCall): Pick<Execution, 'command' | 'args' | 'cwd' | 'env'> {
    const { at } = call
    const place = at === undefined ? [] : [`--git-dir=${at.gitDir}`]
    if (at?.workTree !== undefined) place.push(`--work-tree=${at.workTree}`)
    return {
      command: 'git',
      args: [
        ...SETTINGS,
        ...SYNC[call.writes ?? 'many'],
        '--no-pager',
        '--literal-pathspecs',
        ...place,
        ...call.args,
      ],
      cwd: call.cwd ?? at?.gitDir ?? '/',
      env: { ...this.#environment(call), ...call.env },
    }
  }

  #environment(call: GitCall): Record<string, string> {
    const own: Record<string, string> = {
      PATH: this.#path,
      HOME: '/nonexistent',
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_ALLOW_PROTOCOL: 'file',
      GIT_COMMITTER_NAME: BOSUN.name,
      GIT_COMMITTER_EMAIL: BOSUN.email,
    }
    if (call.settings === 'user') {
      delete own['GIT_CONFIG_NOSYSTEM']
      delete own['GIT_CONFIG_GLOBAL']
      Object.assign(own, this.#user)
    }
    if (call.at?.index !== undefined) own['GIT_INDEX_FILE'] = call.at.index
    if (call.at?.objects !== undefined) own['GIT_OBJECT_DIRECTORY'] = call.at.objects
    return own
  }
}

export interface Identity {
  readonly name: string
  readonly email: string
}

/** The committer is always Bosun; the author is the user. */
export const BOSUN: Identity = { name: 'Bosun', email: 'bosun@localhost' }

export const lineOf = (output: Buffer): string => output.toString('utf8').replace(/\n$/, '')

/** The fields of a `-z` listing, as bytes in a string: names need not be valid UTF-8. */
export function fields(output: Buffer): string[] {
  const all = output.toString('latin1').split('\0')
  all.pop()
  return all
}

/** A call as it is run. */
export interface Execution extends ProgramCall {
  readonly env: Readonly<Record<string, string>>
  readonly input: string | Buffer
  readonly takesOutput?: boolean | undefined
  /** The limit of its output, for calls that write nothing else. */
  readonly limitBytes?: number | undefined
}

/** The same without a shell. */
async function runEach(row: readonly Execution[]): Promise<RowOutcome> {
  let last: RowOutcome = { at: 0, outcome: { kind: 'not_started', reason: 'no git call given' } }
  let printed: Buffer = Buffer.alloc(0)
  for (const [at, call] of row.entries()) {
    const outcome = await captureProgram(call.takesOutput === true ? { ...call, input: printed } : call)
    last = { at, outcome }
    if (outcome.kind !== 'exited' || outcome.code !== 0) return last
    printed = outcome.stdout
  }
  return last
}

function describe(outcome: GitOutcome): string {
  switch (outcome.kind) {
    case 'exited':
      return `exited with ${outcome.code}: ${outcome.stderr.slice(0, 2000)}`
    case 'signalled':
      return `was killed by ${outcome.signal}`
    case 'timed_out':
      return `took longer than ${formatDuration(outcome.afterMs)}`
    case 'too_long':
      return `printed more than ${outcome.maxBytes} bytes`
    case 'not_started':
      return `could not be started: ${outcome.reason}`
  }
}
