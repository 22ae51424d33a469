/**
 * One long-running process for requests made many times per task: starting one costs more than most answers. It starts
 * on demand, ends when idle, and dies with Bosun, since its stdin closes then. A process that fails rejects its pending
 * requests; the next request starts another, unless the session is closed. Measured by bench/task-overhead.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Socket } from 'node:net'
import { startFailure, STOPPING } from '../../lib/process/run-program.ts'
import type { GitOutcome } from './git.ts'

/** An answer with the bytes it took, or how many bytes there must be before it is worth looking again. */
export type Reading<T> = { readonly value: T; readonly used: number } | { readonly needs: number }

export interface SessionOptions {
  readonly start: () => ChildProcessWithoutNullStreams
  /** The folder it is started in. */
  readonly cwd: string
  /** What open questions fail with when it ends. */
  readonly failure: (outcome: GitOutcome) => Error
  readonly idleMs?: number
  /** Input for each new process; its output is part of the first answer. */
  readonly greeting?: string
}

interface Question {
  readonly read: (bytes: Buffer) => boolean
  readonly fail: (error: Error) => void
}

const IDLE_MS = 5000
const MAX_COMPLAINT = 4000

export class GitSession {
  readonly #options: SessionOptions
  #process: Running | null = null
  /** Every process that has not ended, those too that take no more requests. */
  readonly #alive = new Set<Running>()
  #isClosed = false

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** `read` is given all bytes since the last answer, as often as there are enough of them. */
  ask<T>(question: string, read: (bytes: Buffer) => Reading<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(this.#options.failure(STOPPING))
    const process = (this.#process ??= this.#start())
    return process.ask(question, read)
  }

  /** Ends it with everything it started. */
  kill(): void {
    this.#process?.kill()
  }

  /** Lets it finish its pending requests, and refuses later ones; resolves when no process of it is left. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#alive].map((running) => running.close()))
  }

  #start(): Running {
    const running: Running = new Running(this.#options, () => {
      if (this.#process === running) this.#process = null
    })
    this.#alive.add(running)
    void running.gone.then(() => this.#alive.delete(running))
    return running
  }
}

class Running {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #failure: SessionOptions['failure']
  readonly #onEnd: () => void
  readonly #questions: Question[] = []
  #chunks: Buffer[] = []
  #bytes = 0
  #needs = 1
  #complaint = ''
  /** Keeps the event loop alive while a request is pending; the process and its pipes do not. */
  readonly #idle: NodeJS.Timeout
  readonly #gone = Promise.withResolvers<void>()
  #hasEnded = false

  /** `onEnd` is called once, before its pending requests fail: it takes no more requests. */
  constructor(options: SessionOptions, onEnd: () => void) {
    const { cwd, idleMs = IDLE_MS, greeting = '' } = options
    const child = options.start()
    this.#child = child
    this.#failure = options.failure
    this.#onEnd = onEnd
    this.#idle = setInterval(() => this.#rest(), idleMs)
    child.unref()
    for (const stream of this.#streams()) stream.unref()
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.#complaint = `${this.#complaint}${chunk.toString('utf8')}`.slice(-MAX_COMPLAINT)
    })
    // It says why with its exit code.
    child.stdin.on('error', () => undefined)
    if (greeting !== '') child.stdin.write(greeting)
    child.on('error', (error) => this.#end({ kind: 'not_started', reason: startFailure(error, cwd) }))
    child.on('close', (code, signal) => {
      const stderr = this.#complaint.trim()
      if (code === null) this.#end({ kind: 'signalled', signal: signal ?? 'unknown' })
      else this.#end({ kind: 'exited', code, stdout: Buffer.alloc(0), stderr })
    })
  }

  ask<T>(question: string, read: (bytes: Buffer) => Reading<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#questions.push({
        read: (bytes) => {
          const reading = read(bytes)
          if ('needs' in reading) {
            this.#needs = reading.needs
            return false
          }
          this.#use(bytes, reading.used)
          resolve(reading.value)
          return true
        },
        fail: reject,
      })
      this.#idle.ref()
      this.#child.stdin.write(question)
    })
  }

  /** It leads a group of its own where it starts others. */
  kill(): void {
    const { pid } = this.#child
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // It leads no group, or is gone.
      this.#child.kill('SIGKILL')
    }
  }

  /** Resolves when the process has ended. Never rejects. */
  get gone(): Promise<void> {
    return this.#gone.promise
  }

  close(): Promise<void> {
    this.#child.ref()
    this.#child.stdin.end()
    return this.gone
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes >= this.#needs) {
      const [question] = this.#questions
      if (question === undefined) break
      const bytes = this.#chunks.length === 1 ? (this.#chunks[0] ?? chunk) : Buffer.concat(this.#chunks)
      this.#chunks = [bytes]
      try {
        if (!question.read(bytes)) continue
        this.#questions.shift()
      } catch (error) {
        // What it says cannot be understood, so nothing after it can be either.
        this.#child.kill('SIGKILL')
        question.fail(error instanceof Error ? error : new Error(String(error)))
        this.#questions.shift()
        return
      }
    }
    if (this.#questions.length === 0) this.#idle.refresh().unref()
  }

  #use(bytes: Buffer, used: number): void {
    this.#chunks = used === bytes.length ? [] : [bytes.subarray(used)]
    this.#bytes = bytes.length - used
    this.#needs = 1
  }

  /** The idle limit does not apply to a pending request. */
  #rest(): void {
    if (this.#hasEnded || this.#questions.length > 0) return
    clearInterval(this.#idle)
    this.#hasEnded = true
    this.#onEnd()
    this.#child.stdin.end()
  }

  /** Pipes of a child are sockets, though they are not declared as such. */
  #streams(): readonly Socket[] {
    return [this.#child.stdin, this.#child.stdout, this.#child.stderr] as unknown as readonly Socket[]
  }

  #end(outcome: GitOutcome): void {
    this.#gone.resolve()
    clearInterval(this.#idle)
    if (!this.#hasEnded) this.#onEnd()
    this.#hasEnded = true
    for (const question of this.#questions.splice(0)) question.fail(this.#failure(outcome))
  }
}
