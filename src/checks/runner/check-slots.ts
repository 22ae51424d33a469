/** How many checks run at once on this machine, and which ones. */
import { cpus } from 'node:os'
import { StringDecoder } from 'node:string_decoder'

/** Limits the checks of all plans on this machine to the number of its cores. */
export class CheckSlots {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(cores: number = Math.max(1, cpus().length)) {
    this.#free = cores
  }

  /** Runs the work when a slot is free, in order of request; rejects if the signal aborts first. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(signal)
    try {
      return await work()
    } finally {
      this.#free++
      this.#admit()
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const stop = (): void => {
        this.#waiting.delete(begin)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#waiting.add(begin)
      this.#admit()
    })
  }

  #admit(): void {
    const [next] = this.#waiting
    if (next === undefined || this.#free === 0) return
    this.#waiting.delete(next)
    this.#free--
    next()
  }
}

export interface RunningCheck {
  readonly command: string
  readonly startedAt: number
  /** Lines of its output that name a test so far. */
  readonly tests: number
  /** Duration of the last run of the same command; null if there is none. */
  readonly lastMs: number | null
}

/** A line that names one test, as TAP, node, mocha, ava, jest, go, pytest and cargo print it. */
const TEST_LINE =
  /^\s*(?:(?:not )?ok \d|[✓✔✗✖×√▶]\s|--- (?:PASS|FAIL)|test \S.* \.\.\. \w)|\s(?:PASSED|FAILED)(?:\s|$)/u
const LONGEST_LINE = 2_000

/** The commands that gates run now, with their progress, for people who wait. */
export class RunningChecks {
  readonly #running = new Map<string, RunningCheck>()
  readonly #lastMs = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** The command that runs for a task, if any. */
  of(task: string): RunningCheck | null {
    return this.#running.get(task) ?? null
  }

  begin(
    task: string,
    command: string,
  ): { readonly output: (chunk: Buffer) => void; readonly end: () => void } {
    const startedAt = this.#now()
    const lastMs = this.#lastMs.get(command) ?? null
    let tests = 0
    const note = (): void => {
      this.#running.set(task, { command, startedAt, tests, lastMs })
    }
    note()
    const lines = new LineReader((line) => {
      if (!TEST_LINE.test(line)) return
      tests++
      note()
    })
    return {
      output: (chunk) => lines.add(chunk),
      end: () => {
        this.#lastMs.set(command, this.#now() - startedAt)
        this.#running.delete(task)
      },
    }
  }
}

/** Splits chunks into lines and cuts overlong ones. */
class LineReader {
  readonly #onLine: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  add(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) this.#onLine(line.slice(0, LONGEST_LINE))
  }
}
