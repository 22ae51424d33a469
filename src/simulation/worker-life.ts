/**
 * How one simulated worker lives. Its script goes by how long it has worked: what is seen and heard of it,
 * where it halts, and when it is done. While it halts it does not work, and its script waits.
 */
import type { ClaimedStatus } from '../core/watch/observed.ts'
import type { Clock } from '../ports/clock.ts'

/** What can be seen or heard of a worker at one moment. */
export type Show =
  | { readonly kind: 'sign'; readonly of: readonly ('output' | 'cpu' | 'files')[] }
  /** Its session says something. */
  | { readonly kind: 'speaks' }
  | { readonly kind: 'tool_started'; readonly id: string }
  | { readonly kind: 'tool_ended'; readonly id: string }
  | { readonly kind: 'checkin'; readonly status: ClaimedStatus; readonly percent: number }
  | { readonly kind: 'halted'; readonly isHalted: boolean }
  | { readonly kind: 'reported' }

export type Doing = { readonly afterMs: number } & Show

export interface Halt {
  readonly afterMs: number
  /** Nothing is seen of it; or a signal stopped it; or it lives, checks in, and gets no further. */
  readonly how: 'silent' | 'stopped' | 'stuck'
  /** After which it goes on by itself; null: it does not. */
  readonly forMs: number | null
  /** Whether it goes on because of what it hears: the nth time since it halted, from 1. */
  readonly wakes: (nth: number) => boolean
}

export interface LifeScript {
  /** How long it works; null: it is never done. */
  readonly workMs: number | null
  /** How often it shows that it lives; null: only by what it does. */
  readonly signEveryMs: number | null
  /** In the order of their time. */
  readonly doings?: readonly Doing[] | undefined
  /** In the order of their time. */
  readonly halts?: readonly Halt[] | undefined
  /** It says that it is done, or that it failed, and then hangs. */
  readonly lingers?: 'reported' | 'completed' | 'failed' | undefined
}

/** A worker that is stuck says so this often, in the same words. */
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
  /** When it last showed that it lives, on the clock that never jumps. */
  #livedMs: number
  readonly #tools = new Map<string, number>()

  constructor(
    clock: Clock,
    script: LifeScript,
    says: { readonly tell: (show: Show) => void; readonly done: () => void },
  ) {
    this.#clock = clock
    this.#script = script
    this.#tell = says.tell
    this.#done = says.done
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

  /** Tool calls that have begun and not ended. */
  get tools(): Iterable<string> {
    return this.#isOver ? [] : this.#tools.keys()
  }

  get #isOver(): boolean {
    return this.#overMs !== null
  }

  /** For how long nothing was to be seen or heard of it, up to its end; a tool call that is not too old counts as life. */
  quietMs(toolEndMs: number): number {
    const now = this.#overMs ?? this.#clock.monotonic()
    let livedMs = this.#livedMs
    for (const since of this.#tools.values()) livedMs = Math.max(livedMs, Math.min(now, since + toolEndMs))
    return now - livedMs
  }

  /** Left alone, it would be done within this time since its start. */
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

  /** Something was said to it, and it may go on because of that. */
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
