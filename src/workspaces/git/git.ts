/**
 * Runs git as Bosun: with an environment built from nothing and settings under which git starts no other program
 * (no hook, no monitor, no helper, no transport but the file system). Filters and drivers have names, so no
 * setting can switch them all off; they stay inert because Bosun's own git dirs define none.
 */
import { spawn } from 'node:child_process'
import { isFullDisk } from '../../lib/files/system-error.ts'
import { captureProgram, STOPPING, withPipes, type CapturedOutcome } from '../../lib/process/run-program.ts'
import { outOfProcesses } from '../../core/gates/command-output.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { ResidentGit } from './cat-file.ts'

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
  'core.fsyncMethod=batch',
].flatMap((setting) => ['-c', setting])

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
  readonly #running = new Set<Promise<unknown>>()
  readonly #residents: ResidentGit[] = []
  #isClosed = false

  constructor({ path, home, elsewhere }: Surroundings) {
    this.#path = path
    this.#user = { HOME: home, ...elsewhere }
  }

  /** How it ended is a value. */
  async run(call: GitCall): Promise<GitOutcome> {
    if (this.#isClosed) return STOPPING
    const running = captureProgram({
      ...this.#process(call),
      input: call.input ?? '',
      timeoutMs: call.timeoutMs ?? TIMEOUT_MS,
      maxBytes: call.maxBytes ?? MAX_BYTES,
    })
    this.#running.add(running)
    const outcome = await running
    this.#running.delete(running)
    return outcome.kind === 'exited' ? { ...outcome, stderr: outcome.stderr.trim() } : outcome
  }

  /** A git that stays: starting one costs more than most answers. */
  resident(asked: readonly string[], at: GitPlace): ResidentGit {
    const { command, args, cwd, env } = this.#process({ args: asked, at })
    const resident = new ResidentGit({
      cwd,
      start: () => withPipes(spawn(command, args, { cwd, env, stdio: 'pipe' })),
      failure: (outcome) => new GitFailed(asked, outcome),
    })
    this.#residents.push(resident)
    if (this.#isClosed) void resident.close()
    return resident
  }

  /**
   * Lets what has begun finish, and refuses everything later: work that was aborted may still be on its way here.
   * Resolves when no process of it is left.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running, ...this.#residents.map((one) => one.close())])
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

  #process(call: GitCall) {
    const { at } = call
    const place = at === undefined ? [] : [`--git-dir=${at.gitDir}`]
    if (at?.workTree !== undefined) place.push(`--work-tree=${at.workTree}`)
    return {
      command: 'git',
      args: [...SETTINGS, '--no-pager', '--literal-pathspecs', ...place, ...call.args],
      cwd: call.cwd ?? at?.gitDir ?? '/',
      env: { ...this.#environment(call), ...call.env },
    }
  }

  #environment({ at, settings }: GitCall): Record<string, string> {
    const none = { HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    return {
      PATH: this.#path,
      LC_ALL: 'C',
      ...(settings === 'user' ? this.#user : none),
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_ALLOW_PROTOCOL: 'file',
      GIT_COMMITTER_NAME: BOSUN.name,
      GIT_COMMITTER_EMAIL: BOSUN.email,
      ...(at?.index === undefined ? {} : { GIT_INDEX_FILE: at.index }),
      ...(at?.objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: at.objects }),
    }
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

/** Why git failed, in one line for people, and what to do about it. */
export interface GitFailure {
  readonly reason: string
  readonly remedy: string
}

/** `otherwise` is the remedy unless the machine refused git what it needs. */
export function gitFailure(outcome: GitOutcome, otherwise: string): GitFailure {
  const printed = outcome.kind === 'exited' ? outcome.stderr : ''
  const failed = new GitFailed([], outcome)
  const noProcesses = outOfProcesses(outcome.kind === 'not_started' ? outcome.reason : printed)
  const last = printed.trim().split('\n').at(-1) ?? ''
  const whole = failed.message.replace(/\s+/g, ' ').replace(/:? $/, '')
  return {
    reason: noProcesses ?? (last === '' ? whole : last),
    remedy: remedyFor(failed, noProcesses !== null) ?? otherwise,
  }
}

function remedyFor(failed: GitFailed, isOutOfProcesses: boolean): string | null {
  if (isOutOfProcesses) return 'Stop some processes, or raise the limit (ulimit -u).'
  return isFullDisk(failed) ? 'Free some space and try again.' : null
}
