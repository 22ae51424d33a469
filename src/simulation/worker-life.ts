/**
 * The life of one simulated worker. Its script is based on working time: its activity, its halts and its end.
 * While it halts, the script waits.
 */
import type { ClaimedStatus } from '../core/watch/observed.ts'
import type { Clock } from '../ports/clock.ts'

/** An observable activity of a worker. */
export type Show =
  | { readonly kind: 'sign'; readonly of: readonly ('output' | 'cpu' | 'files')[] }
  /** Its session produces output. */
  | { readonly kind: 'speaks' }
  | { readonly kind: 'tool_started'; readonly id: string }
  | { readonly kind: 'tool_ended'; readonly id: string }
  | { readonly kind: 'checkin'; readonly status: ClaimedStatus; readonly percent: number }
  | { readonly kind: 'halted'; readonly isHalted: boolean }
  | { readonly kind: 'reported' }

export type Doing = { readonly afterMs: number } & Show

export interface Halt {
  readonly afterMs: number
  /** Silent, stopped by a signal, or stuck: it checks in without progress. */
  readonly how: 'silent' | 'stopped' | 'stuck'
  /** When it continues by itself; null: never. */
  readonly forMs: number | null
  /** Whether the nth message since it halted, from 1, wakes it. */
  readonly wakes: (nth: number) => boolean
}

export interface LifeScript {
  /** How long it works; null: forever. */
  readonly workMs: number | null
  /** The interval of its signs of life; null: only by its activity. */
  readonly signEveryMs: number | null
  /** In the order of their time. */
  readonly doings?: readonly Doing[] | undefined
  /** In the order of their time. */
  readonly halts?: readonly Halt[] | undefined
  /** It reports its end and then hangs. */
  readonly lingers?: 'reported' | 'completed' | 'failed' | undefined
}

/** How often a stuck worker repeats its check-in. */
const STUCK_CHECKIN_MS = 4 * 60_000
const NOTHING: readonly never[] = []

export class WorkerLife {
  readonly #clock: Clock
  readonly #script: LifeScript
  readonly #tell: (show: Show) => void
  readonly #done: () => void
  #workedMs = 0
  #haltedMs = 0
  #doings = 0
  #signs = 1
  #halts = 0
  #halt: { readonly how: Halt; readonly sinceMs: number; heard: number } | null = null
  #percent = 0
  #overMs: number | null = null
  #isLingering = false
  /** Its last sign of life, in monotonic time. */
  #livedMs: number
  readonly #tools = new Map<string, number>()

  constructor(
    clock: Clock,
    script: LifeScript,
    callbacks: { readonly tell: (show: Show) => void; readonly done: () => void },
  ) {
    this.#clock = clock
    this.#script = script
    this.#tell = callbacks.tell
    this.#done = callbacks.done
    this.#livedMs = -Infinity
  }

  begin(): void {
    this.#goOn()
  }

  over(): void {
    this.#overMs = this.#clock.monotonic()
  }

  get isLingering(): boolean {
    return this.#isLingering
  }

  /** Running tool calls. */
  get tools(): Iterable<string> {
    return this.#isOver ? [] : this.#tools.keys()
  }

  get #isOver(): boolean {
    return this.#overMs !== null
  }

  /** How long it has been silent, up to its end; a recent tool call counts as activity. */
  quietMs(toolEndMs: number): number {
    const now = this.#overMs ?? this.#clock.monotonic()
    let livedMs = this.#livedMs
    for (const since of this.#tools.values()) livedMs = Math.max(livedMs, Math.min(now, since + toolEndMs))
    return now - livedMs
  }

  /** When it would finish undisturbed, since its start. */
  endsWithin(limitMs: number): boolean {
    const { workMs, lingers, halts = NOTHING } = this.#script
    if (workMs === null || lingers !== undefined) return false
    let totalMs = workMs + this.#haltedMs
    if (this.#halt !== null) {
      const { how, sinceMs } = this.#halt
      if (how.forMs === null) return false
      totalMs += Math.max(how.forMs, this.#clock.monotonic() - sinceMs)
    }
    for (const halt of halts.slice(this.#halts)) {
      if (halt.forMs === null) return false
      totalMs += halt.forMs
    }
    return totalMs < limitMs
  }

  /** A message was delivered, which may wake it. */
  hear(): void {
    const halt = this.#halt
    if (halt === null || this.#isOver) return
    halt.heard++
    if (halt.how.wakes(halt.heard)) this.#wakeUp(halt)
  }

  #show(show: Show): void {
    const now = this.#clock.monotonic()
    if (show.kind !== 'halted' && show.kind !== 'reported') this.#livedMs = now
    if (show.kind === 'tool_started') this.#tools.set(show.id, now)
    if (show.kind === 'tool_ended') this.#tools.delete(show.id)
    if (show.kind === 'checkin') this.#percent = show.percent
    this.#tell(show)
  }

  /** One timer at a time: the next thing it does. */
  #goOn(): void {
    const next = this.#next()
    if (next === null) return
    this.#clock.wake(next.afterMs - this.#workedMs, () => {
      if (this.#isOver) return
      this.#workedMs = next.afterMs
      next.does()
      if (this.#halt === null && !this.#isLingering) this.#goOn()
    })
  }

  #next(): { readonly afterMs: number; readonly does: () => void } | null {
    if (this.#isOver) return null
    const { workMs, signEveryMs, doings = NOTHING, halts = NOTHING } = this.#script
    let afterMs = Infinity
    let does = (): void => undefined
    const consider = (atMs: number, what: () => void): void => {
      if (atMs < afterMs) [afterMs, does] = [atMs, what]
    }
    const halt = halts[this.#halts]
    if (halt !== undefined) consider(halt.afterMs, () => this.#stop(halt))
    if (workMs !== null) consider(workMs, () => this.#finish())
    const doing = doings[this.#doings]
    if (doing !== undefined)
      consider(doing.afterMs, () => {
        this.#doings++
        this.#show(doing)
      })
    if (signEveryMs !== null)
      consider(signEveryMs * this.#signs, () => {
        this.#signs++
        this.#show({ kind: 'sign', of: ['output'] })
      })
    return afterMs === Infinity ? null : { afterMs, does }
  }

  #finish(): void {
    const { lingers } = this.#script
    if (lingers === undefined) return this.#done()
    this.#isLingering = true
    this.#show(
      lingers === 'reported' ? { kind: 'reported' } : { kind: 'checkin', status: lingers, percent: 100 },
    )
  }

  #stop(how: Halt): void {
    this.#halts++
    const halt = { how, sinceMs: this.#clock.monotonic(), heard: 0 }
    this.#halt = halt
    if (how.how === 'stopped') this.#show({ kind: 'halted', isHalted: true })
    if (how.how === 'stuck') this.#repeat(halt)
    if (how.forMs !== null) this.#clock.wake(how.forMs, () => this.#wakeUp(halt))
  }

  #repeat(halt: object): void {
    if (this.#halt !== halt || this.#isOver) return
    this.#show({ kind: 'checkin', status: 'in_progress', percent: this.#percent })
    this.#clock.wake(STUCK_CHECKIN_MS, () => this.#repeat(halt))
  }

  #wakeUp(halt: { readonly how: Halt; readonly sinceMs: number }): void {
    if (this.#halt !== halt || this.#isOver) return
    this.#halt = null
    this.#haltedMs += this.#clock.monotonic() - halt.sinceMs
    if (halt.how.how === 'stopped') this.#show({ kind: 'halted', isHalted: false })
    this.#show({ kind: 'sign', of: ['cpu'] })
    this.#goOn()
  }
}
