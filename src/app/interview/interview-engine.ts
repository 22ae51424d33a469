/**
 * The run loop of one machine. What is owed is derived from its state, so going on after a crash is one more look. A change
 * from outside wins: the number of transitions is captured before a handler runs and compared when it returns.
 */
import type { InterviewEvent } from '../../core/interview/events/interview-events.ts'
import { foldInterview, interviewRejection } from '../../core/interview/fold.ts'
import type { Machine } from '../../core/interview/machine.ts'
import { owedToInterview } from '../../core/interview/owed.ts'
import { isInterviewEvent } from '../../core/log/log-events.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { StreamId } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'
import { loadMachine, saveMachine, SNAPSHOT_EVERY, type LoadedMachine } from './interview-log.ts'
import { Handlers, type HandlerName } from './handlers.ts'
import type { InterviewParts } from './interview-parts.ts'

/** After the log could not be written. */
const RETRY_MS = 5000

/** Why events from outside were not written. */
export class InterviewRejection extends Error {
  override readonly name = 'InterviewRejection'
}

/** One run of a handler. */
interface Run {
  readonly handler: HandlerName
  /** The transitions made when it began. */
  readonly moves: number
  readonly abort: AbortController
}

export class InterviewEngine {
  readonly stream: StreamId
  readonly repository: Repository
  readonly #parts: InterviewParts
  readonly #handlers: Handlers
  readonly #appends = new SerialQueue()
  #loaded: LoadedMachine
  #snapshotAt: number
  #run: Run | null = null
  #lastCheck: number | null = null
  readonly #loadedAt: number
  #cancelWake: () => void = () => undefined
  #closed = false

  private constructor(
    parts: InterviewParts,
    place: { readonly stream: StreamId; readonly repository: Repository },
    loaded: LoadedMachine,
  ) {
    this.#parts = parts
    this.stream = place.stream
    this.repository = place.repository
    this.#loaded = loaded
    this.#snapshotAt = loaded.machine.version
    this.#loadedAt = parts.clock.now()
    this.#handlers = new Handlers(parts, place.repository)
  }

  /** Goes on where the log ends. */
  static async load(
    parts: InterviewParts,
    place: { readonly stream: StreamId; readonly repository: Repository },
  ): Promise<InterviewEngine> {
    const engine = new InterviewEngine(parts, place, await loadMachine(parts.log, place.stream))
    engine.#look()
    return engine
  }

  /** Do not change it: it is replaced with every event. */
  get machine(): Machine {
    return this.#loaded.machine
  }

  /**
   * Writes events that are decided on the state at that moment; they are durable when this resolves. Throws InterviewRejection where the table or a rule refuses one, and what `eventsNow` throws.
   */
  propose(eventsNow: (machine: Machine) => readonly InterviewEvent[]): Promise<void> {
    return this.#appends.run(async () => {
      if (this.#closed) throw new InterviewRejection('the daemon is stopping')
      await this.#append(eventsNow)
    })
  }

  /** An orderly stop: recorded, so that the next start goes on from what was kept. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#cancelWake()
    this.#run?.abort.abort(new Error('the daemon is stopping'))
    this.#run = null
    await this.#appends.run(async () => {
      if (this.machine.state === 'DONE') return
      await this.#append(() => [{ type: 'interview.shut_down', v: 1 }])
      await saveMachine(this.#parts.log, this.stream, this.#loaded)
    })
  }

  /** Runs in the queue, so nothing changes between the decision and the append. */
  async #append(eventsNow: (machine: Machine) => readonly InterviewEvent[]): Promise<void> {
    const { log, clock } = this.#parts
    const { machine } = this.#loaded
    const events = eventsNow(machine)
    if (events.length === 0) return
    const at = Math.max(clock.now(), machine.at)
    const refused = firstRejection(machine, events, at)
    if (refused !== null) throw new InterviewRejection(refused)
    const { stream } = this
    const written = await log.append({ stream, expectedVersion: machine.version, at, events })
    // There is one writer; what is not as expected is read again.
    if (!written.ok) this.#loaded = await loadMachine(log, stream)
    else {
      // In place: until the append there was no change to take back.
      for (const entry of written.entries) {
        if (!isInterviewEvent(entry.event)) throw new Error(`${entry.event.type} in ${stream}`)
        foldInterview(machine, { version: entry.version, at: entry.at, event: entry.event })
        this.#loaded = { machine, seq: entry.seq }
      }
    }
    if (!written.ok) throw new InterviewRejection(`${stream} was written by another process`)
    this.forgetUnneeded()
    await this.#snapshotIfDue()
    this.#look()
  }

  /** Keys are not kept longer than an interview needs them; an orderly stop does not end it. */
  forgetUnneeded(): void {
    const { session, recoverable } = this.machine
    if (session === null && recoverable[0]?.cause !== 'shutdown')
      this.#parts.environments?.forget(this.repository.id)
  }

  async #snapshotIfDue(): Promise<void> {
    if (this.machine.version - this.#snapshotAt < SNAPSHOT_EVERY) return
    this.#snapshotAt = this.machine.version
    // It only saves time at the next start.
    await saveMachine(this.#parts.log, this.stream, this.#loaded).catch((error: unknown) =>
      this.#parts.onError(`a snapshot of ${this.stream}`, error),
    )
  }

  /** Does what is owed. Called after every change and when time is up. */
  #look(): void {
    if (this.#closed) return
    this.#cancelWake()
    const { machine } = this
    if (this.#run !== null && this.#run.moves === machine.moves) return
    this.#run?.abort.abort(new Error('the interview has moved on'))
    this.#run = null
    if (machine.state !== 'SUSPEND') this.#lastCheck = null
    const now = this.#parts.clock.now()
    const observed = { lastCheck: this.#lastCheck, loadedAt: this.#loadedAt }
    const owed = owedToInterview(machine, now, observed)
    switch (owed.kind) {
      case 'nothing':
        if (owed.wakeAt !== null) this.#wakeIn(owed.wakeAt - now)
        return
      case 'append':
        return this.#start('append', async () => owed.events)
      case 'check_services':
        this.#lastCheck = now
        return this.#start(owed.kind, (signal) => this.#handlers.checkServices(machine, signal))
      case 'think':
        return this.#start(owed.kind, (signal) => this.#handlers.think(machine, signal))
      case 'review':
        return this.#start(owed.kind, (signal) => this.#handlers.review(machine, signal))
      case 'register_plan':
        return this.#start(owed.kind, () => this.#handlers.registerPlan(machine))
    }
  }

  #wakeIn(delayMs: number): void {
    this.#cancelWake = this.#parts.clock.wake(Math.max(0, delayMs), () => this.#look())
  }

  /** What a handler returns is written unless something else has changed the state meanwhile. */
  #start(handler: HandlerName, work: (signal: AbortSignal) => Promise<readonly InterviewEvent[]>): void {
    const abort = new AbortController()
    const run: Run = { handler, moves: this.machine.moves, abort }
    this.#run = run
    const isCurrent = (): boolean => this.#run === run && this.machine.moves === run.moves
    const finish = async (): Promise<void> => {
      const events = await work(abort.signal).catch((error: unknown) => this.#handlers.failure(error))
      if (!isCurrent()) return
      await this.propose((machine) => {
        if (!isCurrent()) return []
        this.#run = null
        // An answer that does not fit the state is an unexpected message.
        const refused = firstRejection(machine, events, this.#parts.clock.now())
        return refused === null ? events : [{ type: 'interview.failed', v: 1, cause: 'error', why: refused }]
      })
      if (events.length === 0) this.#look()
    }
    finish().catch((error: unknown) => {
      if (this.#closed) return
      this.#parts.onError(`${this.stream}: ${handler}`, error)
      if (this.#run === run) this.#run = null
      this.#wakeIn(RETRY_MS)
    })
  }
}

/** Each event is judged on what those before it make of the machine. */
function firstRejection(machine: Machine, events: readonly InterviewEvent[], at: number): string | null {
  const [first, ...more] = events
  if (first === undefined) return null
  const refused = interviewRejection(machine, first)
  if (refused !== null || more.length === 0) return refused
  const copy = structuredClone(machine)
  foldInterview(copy, { version: machine.version + 1, at, event: first })
  return firstRejection(copy, more, at)
}
