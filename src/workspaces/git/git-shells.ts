/**
 * Runs git through shells that stay. A process as large as Bosun takes longer to fork than a small git takes to run, and
 * copies its memory page by page afterwards; a shell has next to nothing to copy. What git reads and writes goes through
 * files of one folder, since a shell cannot hand on pipes it was not started with. bench/daemon-cpu has the mark it serves.
 */
import { spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { overwrite } from '../../lib/files/overwrite.ts'
import { withPipes } from '../../lib/process/with-pipes.ts'
import { missingFolder } from '../../lib/process/run-program.ts'
import { shellWord } from '../../lib/text/shell-word.ts'
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
/** What most outputs fit into; read at once, and copied out before anything else is read. */
const SPACE = Buffer.alloc(64 * 1024)

export interface GitShellsOptions {
  readonly folder: string
  readonly env: () => Readonly<Record<string, string>>
}

/** How the last one ended that was run, and which of them it was. */
export interface RowOutcome {
  readonly at: number
  readonly outcome: GitOutcome
}

export class GitShells {
  readonly #options: GitShellsOptions
  readonly #free: GitShell[] = []
  readonly #all: GitShell[] = []

  constructor(options: GitShellsOptions) {
    this.#options = options
  }

  readonly run = async (row: readonly Execution[]): Promise<RowOutcome> => {
    const shell = this.#free.pop() ?? this.#make()
    try {
      return await shell.run(row)
    } finally {
      this.#free.push(shell)
    }
  }

  /** Resolves when every shell has ended. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((shell) => shell.close()))
  }

  #make(): GitShell {
    const { folder, env } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const shell = new GitShell(join(folder, String(this.#all.length + 1)), env())
    this.#all.push(shell)
    return shell
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

interface Reply {
  readonly code: number
  readonly at: number
}

class GitShell {
  readonly #place: string
  readonly #env: Readonly<Record<string, string>>
  readonly #session: GitSession
  #output: Output | null = null

  constructor(place: string, env: Readonly<Record<string, string>>) {
    this.#place = place
    this.#env = env
    this.#session = new GitSession({
      cwd: '/',
      start: () => {
        this.#output ??= new Output(`${place}.out`)
        const stdio = ['pipe', 'pipe', 'pipe', this.#output.file] as const
        const shell = spawn('/bin/sh', [], { cwd: '/', env, stdio: [...stdio], detached: true })
        return withPipes(shell)
      },
      failure: (outcome) => new ShellEnded(outcome),
    })
  }

  /** Runs the calls in order while each exits with 0. Only the last output is kept; an earlier one may feed the next call. */
  async run(row: readonly Execution[]): Promise<RowOutcome> {
    const steps = row.map((call, at) => this.#step(row, call, at))
    const line = `n=0;${steps.join('&&')};echo $? $n\n`
    const timeoutMs = row.reduce((sum, call) => sum + call.timeoutMs, 0)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.#session.kill()
    }, timeoutMs)
    try {
      const { code, at } = await this.#session.ask(line, readReply)
      const maxBytes = row[at]?.maxBytes ?? 0
      const stdout = this.#output?.take(maxBytes)
      const printed = { maxBytes, complaint: this.#complaint, stdout, cwd: row[at]?.cwd ?? '/' }
      return { at, outcome: outcomeOf(code, printed) }
    } catch (error) {
      // What the shell ran may still write to it.
      this.#output?.close()
      this.#output = null
      if (!(error instanceof ShellEnded)) throw error
      return { at: 0, outcome: isLate ? { kind: 'timed_out', afterMs: timeoutMs } : error.outcome }
    } finally {
      clearTimeout(timer)
    }
  }

  close(): Promise<void> {
    return this.#session.close()
  }

  #step(row: readonly Execution[], call: Execution, at: number): string {
    const isLast = at === row.length - 1
    const to = isLast ? '&3' : row[at + 1]?.takesOutput === true ? shellWord(this.#between(at)) : '/dev/null'
    const done = isLast ? '' : `&&n=${at + 1}`
    const from = shellWord(this.#input(call, at))
    return `(${this.#command(call)})<${from} >${to} 3>&- 2>${shellWord(this.#complaint)}${done}`
  }

  get #complaint(): string {
    return `${this.#place}.err`
  }

  #input(call: Execution, at: number): string {
    if (call.takesOutput === true) return this.#between(at - 1)
    if (call.input.length === 0) return '/dev/null'
    const place = `${this.#place}.in${at}`
    overwrite(place, call.input, { mode: 0o600 })
    return place
  }

  #between(at: number): string {
    return `${this.#place}.between${at}`
  }

  /** The differences from the shell's own environment, for this one git. */
  #command({ command, args, cwd, env, limitBytes }: Execution): string {
    const own = Object.entries(env).filter(([name, value]) => this.#env[name] !== value)
    const others = Object.keys(this.#env).filter((name) => env[name] === undefined)
    return [
      `cd ${shellWord(cwd)}||exit ${NOT_STARTED}`,
      ...(limitBytes === undefined ? [] : [`ulimit -f ${Math.ceil(limitBytes / BLOCK_BYTES)}`]),
      ...others.map((name) => `unset ${name}`),
      ...own.map(([name, value]) => `export ${name}=${shellWord(value)}`),
      `exec ${[command, ...args].map(shellWord).join(' ')}`,
    ].join(';')
  }
}

/**
 * The output of git, in an unnamed file that is open here and in the shell: it cannot be replaced, and need not be
 * opened for each call.
 */
class Output {
  readonly file: number

  constructor(place: string) {
    const { O_RDWR, O_APPEND, O_CREAT, O_TRUNC } = constants
    this.file = openSync(place, O_RDWR | O_APPEND | O_CREAT | O_TRUNC, 0o600)
    unlinkSync(place)
  }

  /** All of it, once; null for more than that. */
  take(maxBytes: number): Buffer | null {
    const first = readSync(this.file, SPACE, 0, SPACE.length, 0)
    if (first === 0) return Buffer.alloc(0)
    try {
      if (first < SPACE.length) return first > maxBytes ? null : Buffer.from(SPACE.subarray(0, first))
      const { size } = fstatSync(this.file)
      return size > maxBytes ? null : this.#whole(size)
    } finally {
      ftruncateSync(this.file, 0)
    }
  }

  #whole(size: number): Buffer {
    const bytes = Buffer.alloc(size)
    for (let at = 0, read = -1; at < size && read !== 0; at += read)
      read = readSync(this.file, bytes, at, size - at, at)
    return bytes
  }

  close(): void {
    closeSync(this.file)
  }
}

interface Printed {
  readonly maxBytes: number
  readonly complaint: string
  readonly stdout: Buffer | null | undefined
  readonly cwd: string
}

function outcomeOf(code: number, { maxBytes, complaint, stdout, cwd }: Printed): GitOutcome {
  if (code === FILE_TOO_LARGE || stdout === null) return { kind: 'too_long', maxBytes }
  const stderr = code === 0 ? '' : readFileSync(complaint, 'utf8')
  if (code === NOT_STARTED)
    return { kind: 'not_started', reason: existsSync(cwd) ? stderr.trim() : missingFolder(cwd) }
  if (code >= FIRST_SIGNAL_CODE) return { kind: 'signalled', signal: `signal ${code - SIGNAL_BASE}` }
  return { kind: 'exited', code, stdout: stdout ?? Buffer.alloc(0), stderr }
}

function readReply(bytes: Buffer): Reading<Reply> {
  const end = bytes.indexOf('\n')
  if (end === -1) return { needs: bytes.length + 1 }
  const [code, at] = bytes.toString('latin1', 0, end).split(' ')
  return { value: { code: Number(code), at: Number(at) }, used: end + 1 }
}
