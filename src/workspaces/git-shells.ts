/**
 * Runs git through shells that stay. A process as large as Bosun takes longer to fork than a small git takes to run, and
 * copies its memory page by page afterwards; a shell has next to nothing to copy. What git reads and writes goes through
 * files of one folder, since a shell cannot hand on pipes it was not started with.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Execution, GitOutcome } from './git.ts'
import { GitSession, type Reading } from './git-session.ts'

/** What the shell says when there is no such program or folder. */
const NOT_STARTED = 127
/** What it adds to the number of a signal. Git itself ends with 128 and 129. */
const SIGNAL_BASE = 128
const FIRST_SIGNAL_CODE = 130
/** Written more than it may. */
const FILE_TOO_LARGE = SIGNAL_BASE + 25
const BLOCK_BYTES = 512

export interface GitShellsOptions {
  readonly folder: string
  readonly env: () => Readonly<Record<string, string>>
}

export class GitShells {
  readonly #options: GitShellsOptions
  readonly #free: GitShell[] = []
  #made = 0

  constructor(options: GitShellsOptions) {
    this.#options = options
  }

  readonly run = async (call: Execution): Promise<GitOutcome> => {
    const shell = this.#free.pop() ?? this.#make()
    try {
      return await shell.run(call)
    } finally {
      this.#free.push(shell)
    }
  }

  #make(): GitShell {
    const { folder, env } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return new GitShell(join(folder, String(++this.#made)), env())
  }
}

/** The shell itself ended; not what it ran. */
class ShellEnded extends Error {
  readonly outcome: GitOutcome
  constructor(outcome: GitOutcome) {
    super('the shell ended')
    this.outcome = outcome
  }
}

class GitShell {
  readonly #place: string
  readonly #env: Readonly<Record<string, string>>
  readonly #session: GitSession

  constructor(place: string, env: Readonly<Record<string, string>>) {
    this.#place = place
    this.#env = env
    this.#session = new GitSession({
      start: () => spawn('/bin/sh', [], { cwd: '/', env, stdio: 'pipe', detached: true }),
      failure: (outcome) => new ShellEnded(outcome),
    })
  }

  async run(call: Execution): Promise<GitOutcome> {
    const [input, output, complaint] = ['in', 'out', 'err'].map((end) => `${this.#place}.${end}`) as [
      string,
      string,
      string,
    ]
    if (call.input.length > 0) writeFileSync(input, call.input, { mode: 0o600 })
    const from = call.input.length > 0 ? quoted(input) : '/dev/null'
    const line = `(${this.#command(call)})<${from} >${quoted(output)} 2>${quoted(complaint)};echo $?\n`
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#session.kill()
    }, call.timeoutMs)
    try {
      const code = await this.#session.ask(line, readCode)
      return outcomeOf(code, { call, output, complaint })
    } catch (error) {
      if (!(error instanceof ShellEnded)) throw error
      return isLate ? { kind: 'timed_out', afterMs: call.timeoutMs } : error.outcome
    } finally {
      clearTimeout(timer)
    }
  }

  /** What this one git is to have in another way than the shell is said to it alone. */
  #command({ command, args, cwd, env, limitBytes }: Execution): string {
    const own = Object.entries(env).filter(([name, value]) => this.#env[name] !== value)
    const others = Object.keys(this.#env).filter((name) => env[name] === undefined)
    return [
      `cd ${quoted(cwd)}||exit ${NOT_STARTED}`,
      ...(limitBytes === undefined ? [] : [`ulimit -f ${Math.ceil(limitBytes / BLOCK_BYTES)}`]),
      ...others.map((name) => `unset ${name}`),
      ...own.map(([name, value]) => `export ${name}=${quoted(value)}`),
      `exec ${[command, ...args].map(quoted).join(' ')}`,
    ].join(';')
  }
}

interface Files {
  readonly call: Execution
  readonly output: string
  readonly complaint: string
}

function outcomeOf(code: number, { call, output, complaint }: Files): GitOutcome {
  const { maxBytes } = call
  const { size } = statSync(output)
  if (code === FILE_TOO_LARGE || size > maxBytes) return { kind: 'too_long', maxBytes }
  const stderr = code === 0 ? '' : readFileSync(complaint, 'utf8')
  if (code === NOT_STARTED) return { kind: 'not_started', reason: stderr }
  if (code >= FIRST_SIGNAL_CODE) return { kind: 'signalled', signal: `signal ${code - SIGNAL_BASE}` }
  return { kind: 'exited', code, stdout: size === 0 ? Buffer.alloc(0) : readFileSync(output), stderr }
}

function readCode(bytes: Buffer): Reading<number> {
  const end = bytes.indexOf('\n')
  if (end === -1) return { needs: bytes.length + 1 }
  return { value: Number(bytes.toString('latin1', 0, end)), used: end + 1 }
}

/** As one word for a shell, whatever is in it. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
