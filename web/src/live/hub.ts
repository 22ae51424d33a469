/**
 * One stream of events and one snapshot for all tabs of a browser. It resumes where it was cut; behind a gap it takes a new
 * snapshot. It lives in a SharedWorker, or in the page where there is none, and knows neither: time, fetch and tabs come in.
 */
import { createParser } from 'eventsource-parser'
import type { EventMessage } from '../../../src/protocol/answers.ts'
import type { SnapshotAnswer } from '../../../src/protocol/machine-answer.ts'
import type { FromHub, LiveStatus } from './messages.ts'

/** The daemon sends a comment every 15 s when nothing happens. */
const SILENCE_MS = 35_000
/** Events that come close together share one snapshot. */
const TOGETHER_MS = 80
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000
/** The daemon's clock, its last loop and the count of workers change without an event. */
const REFRESH_MS = 30_000
/** After so long without a word, such as after a night asleep, much may have happened, */
const LONG_AWAY_MS = 5 * 60_000
/** and more events than this are not read one by one. */
const MOST_MISSED = 1000

export interface HubWorld {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>
  readonly now: () => number
  readonly random: () => number
  /** Returns what cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
  readonly send: (message: FromHub) => void
}

export class Hub {
  readonly #world: HubWorld
  #session: string | null = null
  #status: LiveStatus
  #snapshot: { readonly snapshot: SnapshotAnswer; readonly at: number } | null = null
  /** The newest event that the tabs have. */
  #seq: number | null = null
  #failures = 0
  /** When the stream last sent something. */
  #heardAt: number
  #stream: AbortController | null = null
  #cancelRetry: () => void = () => undefined
  #cancelSilence: () => void = () => undefined
  #cancelRefresh: () => void = () => undefined
  #refreshing: 'no' | 'soon' | 'running' | 'again' = 'no'
  /** The last call for a snapshot. */
  #asking: Promise<boolean> = Promise.resolve(false)

  constructor(world: HubWorld) {
    this.#world = world
    this.#heardAt = world.now()
    this.#status = { state: 'connecting', since: this.#heardAt }
  }

  get session(): string | null {
    return this.#session
  }

  /** What a tab that has just opened needs. */
  greeting(): readonly FromHub[] {
    return [
      { type: 'session', session: this.#session },
      { type: 'status', status: this.#status },
      ...(this.#snapshot === null ? [] : [{ type: 'snapshot', ...this.#snapshot } as const]),
    ]
  }

  /** Begins with this session, or goes on with it in place of an ended one. All tabs use the same. */
  useSession(session: string, from: 'exchange' | 'kept' = 'exchange'): void {
    if (this.#session === session) return
    const isKnown = this.#session !== null && from === 'kept'
    if (!isKnown) this.#session = session
    this.#world.send({ type: 'session', session: this.#session })
    if (isKnown) return
    this.#set('connecting')
    this.retry()
  }

  /** Connects at once. */
  retry(): void {
    if (this.#session === null) return
    this.stop()
    void this.#connect()
  }

  stop(): void {
    this.#cancelRetry()
    this.#cancelSilence()
    this.#cancelRefresh()
    this.#stream?.abort()
    this.#stream = null
  }

  async #connect(): Promise<void> {
    const stream = new AbortController()
    this.#stream = stream
    try {
      await this.#read(stream)
    } catch {
      // What went wrong does not matter: the stream is cut, and the next attempt says whether the daemon is there.
    }
    if (this.#stream !== stream) return
    stream.abort()
    this.#cancelSilence()
    this.#cancelRefresh()
    if (this.#status.state !== 'signed_out') this.#retryLater()
  }

  #retryLater(): void {
    // One short cut, such as a restart, is not worth a bar.
    if (this.#failures > 0 || this.#status.state === 'connecting') this.#set('offline')
    else this.#set('connecting')
    const ms = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures)
    this.#failures++
    this.#cancelRetry = this.#world.after(ms * (0.75 + this.#world.random() / 2), () => void this.#connect())
  }

  /** Resolves when the stream ends. */
  async #read(stream: AbortController): Promise<void> {
    if (this.#seq === null && !(await this.#refresh())) return
    if (this.#world.now() - this.#heardAt > LONG_AWAY_MS) await this.#skipMissed()
    const after = this.#seq ?? 0
    const response = await this.#call(`/api/events?after=${after}&notices=true`, stream.signal)
    if (!response.ok || response.body === null) return
    this.#listen(stream)
    this.#failures = 0
    this.#set('live')
    // Whatever changed without an event while it was away, such as the daemon itself.
    void this.#refresh()
    this.#refreshRegularly()
    const parser = createParser({ onEvent: ({ data }) => this.#receive(data), onComment: () => undefined })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || this.#stream !== stream) return
      this.#listen(stream)
      parser.feed(value)
      this.#flush()
    }
  }

  /** Goes on from a new snapshot where very much was missed; what was fetched before it is out of date. */
  async #skipMissed(): Promise<void> {
    await this.#refresh()
    const seq = this.#snapshot?.snapshot.seq ?? 0
    if (seq - (this.#seq ?? 0) <= MOST_MISSED) return
    this.#seq = seq
    this.#world.send({ type: 'gap' })
  }

  #pending: EventMessage[] = []

  #receive(data: string): void {
    const event = JSON.parse(data) as EventMessage
    if (event.seq !== null) {
      if (this.#seq !== null && event.seq <= this.#seq) return
      this.#seq = event.seq
    }
    this.#pending.push(event)
  }

  #flush(): void {
    if (this.#pending.length === 0) return
    this.#world.send({ type: 'events', events: this.#pending })
    this.#pending = []
    this.#refreshSoon()
  }

  /** Cuts a stream that says nothing any more. */
  #listen(stream: AbortController): void {
    this.#heardAt = this.#world.now()
    this.#cancelSilence()
    this.#cancelSilence = this.#world.after(SILENCE_MS, () => stream.abort())
  }

  #refreshRegularly(): void {
    this.#cancelRefresh()
    this.#cancelRefresh = this.#world.after(REFRESH_MS, () => {
      this.#refreshSoon()
      this.#refreshRegularly()
    })
  }

  #refreshSoon(): void {
    if (this.#refreshing === 'running') this.#refreshing = 'again'
    if (this.#refreshing !== 'no') return
    this.#refreshing = 'soon'
    this.#world.after(TOGETHER_MS, () => void this.#refresh())
  }

  /** False where there is no snapshot to be had. */
  #refresh(): Promise<boolean> {
    if (this.#refreshing === 'running' || this.#refreshing === 'again') this.#refreshing = 'again'
    else this.#asking = this.#ask()
    return this.#asking
  }

  async #ask(): Promise<boolean> {
    this.#refreshing = 'running'
    let isThere = false
    try {
      const response = await this.#call('/api/snapshot')
      if (response.ok) {
        this.#take((await response.json()) as SnapshotAnswer)
        isThere = true
      } else if (this.#snapshot !== null && this.#session !== null)
        this.#world.send({ type: 'unrefreshed', at: this.#snapshot.at })
    } catch {
      // The stream notices that the daemon is gone.
    }
    const isDue = this.#wasAskedAgain()
    this.#refreshing = 'no'
    if (isDue) this.#refreshSoon()
    return isThere
  }

  #wasAskedAgain(): boolean {
    return this.#refreshing === 'again'
  }

  #take(snapshot: SnapshotAnswer): void {
    const isOther = this.#snapshot !== null && snapshot.seq < this.#snapshot.snapshot.seq
    this.#snapshot = { snapshot, at: this.#world.now() }
    if (this.#seq === null || isOther) this.#seq = snapshot.seq
    this.#world.send({ type: 'snapshot', ...this.#snapshot })
    // The log is shorter than it was: it is another one.
    if (isOther) this.#world.send({ type: 'gap' })
  }

  async #call(path: string, signal?: AbortSignal): Promise<Response> {
    const session = this.#session
    const response = await this.#world.fetch(path, {
      headers: { Authorization: `Bearer ${session ?? ''}` },
      cache: 'no-store',
      ...(signal === undefined ? {} : { signal }),
    })
    if (response.status === 401 && this.#session === session) {
      this.#session = null
      this.#set('signed_out')
      this.#world.send({ type: 'session', session: null })
    }
    return response
  }

  #set(state: LiveStatus['state']): void {
    if (this.#status.state === state) return
    // It has not been live since the stream was cut, whatever was tried since.
    const isLost = state === 'offline' && this.#status.state === 'connecting'
    this.#status = { state, since: isLost ? this.#status.since : this.#world.now() }
    this.#world.send({ type: 'status', status: this.#status })
  }
}
