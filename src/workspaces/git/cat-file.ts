/**
 * One git that stays and answers requests one after the other. It starts on demand, ends when idle, and dies with Bosun,
 * since its stdin closes then. When it fails, so does the request; the next request starts another, unless it is closed.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Socket } from 'node:net'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { startFailure, STOPPING } from '../../lib/process/run-program.ts'
import type { GitOutcome, Git, GitPlace } from './git.ts'

/** An answer, or how many bytes there must be before it is worth looking again. */
export type Reading<T> = { readonly value: T } | { readonly needs: number }

interface Options {
  readonly start: () => ChildProcessWithoutNullStreams
  /** The folder it is started in. */
  readonly cwd: string
  /** What a request fails with when it ends. */
  readonly failure: (outcome: GitOutcome) => Error
  readonly idleMs?: number
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams
  /** Called once, for the request that is pending then. */
  onEnd: (outcome: GitOutcome) => void
}

const IDLE_MS = 5000
const MAX_COMPLAINT = 4000

export class ResidentGit {
  readonly #options: Options
  readonly #turns = new SerialQueue()
  #running: Running | null = null
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
  }

  /** `read` is given all bytes of the answer so far, as often as there are enough of them. */
  ask<T>(question: string, read: (bytes: Buffer) => Reading<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(this.#options.failure(STOPPING))
    return this.#turns.run(() => this.#ask(question, read))
  }

  /** Answers pending requests, and refuses later ones; resolves when no process of it is left. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#turns.idle()
    this.#end()
    await this.#last
  }

  async #ask<T>(question: string, read: (bytes: Buffer) => Reading<T>): Promise<T> {
    clearTimeout(this.#idle)
    const running = (this.#running ??= this.#start())
    const { child } = running
    hold(child, true)
    const answer = Promise.withResolvers<T>()
    running.onEnd = (outcome) => answer.reject(this.#options.failure(outcome))
    let bytes: Buffer[] = []
    let [size, needs] = [0, 1]
    const take = (chunk: Buffer): void => {
      bytes.push(chunk)
      size += chunk.length
      if (size < needs) return
      bytes = [Buffer.concat(bytes)]
      try {
        const reading = read(bytes[0] ?? chunk)
        if ('value' in reading) answer.resolve(reading.value)
        else needs = reading.needs
      } catch (error) {
        answer.reject(error)
      }
    }
    child.stdout.on('data', take)
    child.stdin.write(question)
    try {
      const value = await answer.promise
      this.#idle = setTimeout(() => this.#end(), this.#options.idleMs ?? IDLE_MS).unref()
      return value
    } catch (error) {
      // It has ended, or what it says cannot be understood: then nothing after it can be either.
      this.#running = null
      child.kill('SIGKILL')
      throw error
    } finally {
      child.stdout.off('data', take)
      hold(child, false)
    }
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#running?.child.stdin.end()
    if (this.#isClosed) this.#running?.child.ref()
    this.#running = null
  }

  #start(): Running {
    const child = this.#options.start()
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = `${complaint}${chunk.toString('utf8')}`.slice(-MAX_COMPLAINT)
    })
    // It says why with its exit code.
    child.stdin.on('error', () => undefined)
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const running: Running = { child, onEnd: () => undefined }
    const end = (outcome: GitOutcome): void => {
      if (this.#running === running) this.#running = null
      running.onEnd(outcome)
      resolve()
    }
    child.on('error', (error) => end({ kind: 'not_started', reason: startFailure(error, this.#options.cwd) }))
    child.on('close', (code, signal) => {
      if (code === null) end({ kind: 'signalled', signal: signal ?? 'unknown' })
      else end({ kind: 'exited', code, stdout: Buffer.alloc(0), stderr: complaint.trim() })
    })
    this.#last = Promise.all([this.#last, gone])
    return running
  }
}

/** Only a pending request keeps this process alive. Pipes of a child are sockets, though not declared as such. */
function hold(child: ChildProcessWithoutNullStreams, isBusy: boolean): void {
  for (const part of [child, child.stdin, child.stdout, child.stderr] as unknown as readonly Socket[]) {
    if (isBusy) part.ref()
    else part.unref()
  }
}

/** Reads objects of one repository by any name git knows them by. */
interface ObjectFacts {
  readonly sha: string
  readonly type: 'blob' | 'tree' | 'commit' | 'tag'
  readonly bytes: number
}

type ObjectWhole = ObjectFacts & { readonly content: Buffer }

export class ObjectReader {
  readonly #git: ResidentGit

  constructor(git: Git, at: GitPlace) {
    this.#git = git.resident(['cat-file', '--batch-command', '--buffer'], at)
  }

  /** What the name stands for now; null where there is nothing of that name. */
  async facts(name: string): Promise<ObjectFacts | null> {
    const [found = null] = await this.factsOf([name])
    return found
  }

  /** What each of the names stands for now, asked all at once. */
  factsOf(names: readonly string[]): Promise<readonly (ObjectFacts | null)[]> {
    const lines = names.map((name) => `info ${oneLine(name)}\n`)
    return this.#git.ask(`${lines.join('')}${FLUSH}`, (bytes) => {
      const answers = bytes.toString('utf8').split('\n').slice(0, -1)
      return answers.length < names.length ? { needs: bytes.length + 1 } : { value: answers.map(readHeader) }
    })
  }

  /** Whole. Ask for its facts first where it may be large. */
  async content(name: string): Promise<ObjectWhole | null> {
    return this.#git.ask<ObjectWhole | null>(`contents ${oneLine(name)}\n${FLUSH}`, (bytes) => {
      const start = bytes.indexOf(NEWLINE) + 1
      if (start === 0) return { needs: bytes.length + 1 }
      const facts = readHeader(bytes.toString('utf8', 0, start - 1))
      if (facts === null) return { value: null }
      const end = start + facts.bytes
      if (bytes.length <= end) return { needs: end + 1 }
      return { value: { ...facts, content: bytes.subarray(start, end) } }
    })
  }
}

/** What was asked is answered with this, and in one piece. */
const FLUSH = 'flush\n'
const NEWLINE = 0x0a

function readHeader(line: string): ObjectFacts | null {
  const [, sha, type, size] = /^([0-9a-f]+) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? []
  if (sha !== undefined) return { sha, type: type as ObjectFacts['type'], bytes: Number(size) }
  if (line.endsWith(' missing')) return null
  throw new Error(`unexpected output of git cat-file: ${line.slice(0, 200)}`)
}

function oneLine(name: string): string {
  if (/[\n\0]/.test(name)) throw new RangeError('an object name must be one line')
  return name
}
