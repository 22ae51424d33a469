/**
 * The loop of one plan. It decides nothing, and keeps nothing that is not in the log but observations of workers.
 *
 * joining  It reads what it missed, entries of the log and ends of workers, and decides nothing before that.
 * running  Each turn writes decisions, one at a time, and performs what is owed. It joins again after a failed write, and
 *          after it was suspended.
 * closed   Nothing is written or performed any more; workers go on, and the next engine joins them.
 */
import { firstRejection, rejectionReason } from '../core/decide/admit.ts'
import { answerEvents } from '../core/answers/answer-rules.ts'
import type { AnswerTaken, PersonAnswer } from '../core/answers/person-answer.ts'
import type { Effect } from '../core/decide/effects.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import { fold } from '../core/events/fold.ts'
import { owed } from '../core/decide/owed.ts'
import type { Spent } from '../core/state/spending.ts'
import type { Instant, PlanState } from '../core/state/state.ts'
import type { Claim, Observed, ClaimUpdate } from '../core/watch/observed.ts'
import { watchRules } from '../core/watch/rules.ts'
import type { AgentEvent, WorkerEnded } from '../ports/agent.ts'
import type { Entry } from '../ports/event-log.ts'
import { NeedsPerson } from '../ports/workspace.ts'
import { IgnoredEvents, sessionEvents, usageEvents, workerEvents, workersAtWork } from './external-events.ts'
import { describeLogError, type EngineParts, type Proposed } from './engine-parts.ts'
import { Observations } from './observations.ts'
import { ClockDrift } from './clock-drift.ts'
import { perform } from './performers/perform.ts'
import { NO_LONGER_OWED } from './performers/performer.ts'
import { loadPlan, readOn, saveSnapshot, snapshotIsDue } from './plan-log.ts'
import { SerialQueue } from '../lib/serial-queue.ts'
import { Debounce } from './debounce.ts'

/** Check-ins of thousands of workers share a turn, since a turn examines all of them. */
const DEBOUNCE_MS = 1000
const LOG_RETRY_MS = 1000
const NO_EVENTS = 'no events'

export class PlanEngine {
  readonly #parts: EngineParts
  #state: PlanState
  readonly #queue = new SerialQueue()
  readonly #running = new Map<string, AbortController>()
  readonly #observations: Observations
  readonly #debounce: Debounce
  readonly #clockDrift: ClockDrift
  readonly #ignored = new IgnoredEvents()
  readonly #unlisten: (() => void)[] = []
  #cancelRetry: () => void = () => undefined
  #turnIsQueued = false
  #isStartLogged = false
  #mode: 'joining' | 'running' | 'closed' = 'joining'
  #hindrance: string | null = null
  #snapshotVersion: number

  private constructor(parts: EngineParts, state: PlanState, snapshotVersion: number) {
    this.#parts = parts
    this.#state = state
    this.#snapshotVersion = snapshotVersion
    this.#clockDrift = new ClockDrift(parts.clock)
    this.#observations = new Observations(parts.clock.now(), watchRules(state.settings).silenceMs)
    this.#debounce = new Debounce(parts.clock, () => this.#scheduleTurn())
  }

  /** Loads the plan and starts the loop; recovery after a crash is the same. */
  static async start(parts: EngineParts): Promise<PlanEngine> {
    const { state, snapshotVersion } = await loadPlan(parts.log, parts.stream)
    const engine = new PlanEngine(parts, state, snapshotVersion)
    engine.#listen()
    engine.#rejoin()
    return engine
  }

  /** Do not keep it: it changes with the next event. */
  get state(): PlanState {
    return this.#state
  }

  /** Why the log cannot be written; nothing is done meanwhile. Null while it can. */
  get hindrance(): string | null {
    return this.#hindrance
  }

  /** Proposes an event from outside. It is durable when this resolves with `ok`. */
  propose(event: PlanEvent): Promise<Proposed> {
    return this.proposeAsNow(() => [event])
  }

  /** The same for events that depend on the state at the time of writing; a string is the reason for a refusal. */
  proposeAsNow(eventsNow: (state: PlanState) => readonly PlanEvent[] | string): Promise<Proposed> {
    return this.#queue.run(async () => {
      const events = eventsNow(this.#state)
      const why = typeof events === 'string' ? events : this.#rejectionOf(events)
      if (typeof events === 'string' || why !== null) return { ok: false, why: why ?? NO_EVENTS }
      const isWritten = await this.#write(events)
      this.#scheduleTurn()
      return isWritten ? { ok: true } : { ok: false, why: 'the plan changed meanwhile' }
    })
  }

  /** Records a worker's reported usage where it is significant. */
  noteUsage(worker: string, reported: Spent, task?: string): void {
    this.#record(`usage of ${worker}`, () => usageEvents(this.#state, { worker, task }, reported))
  }

  /** Writes what follows from something that was observed, if anything does by then. */
  #record(what: string, eventsNow: () => readonly PlanEvent[]): void {
    if (eventsNow().length === 0) return
    this.#enqueue(what, async () => {
      for (let events = eventsNow(); events.length > 0; events = eventsNow())
        if (await this.#write(events)) return this.#scheduleTurn()
    })
  }

  /** Records a check-in. The check-in log keeps it. */
  noteClaim(worker: string, update: ClaimUpdate): void {
    // The clock may have gone back since then.
    const at = this.#seenAt(Math.min(update.at, this.#parts.clock.now()))
    if (this.#observations.claim(worker, at === update.at ? update : { ...update, at })) this.#scheduleTurn()
    else this.#debounce.ask(DEBOUNCE_MS)
  }

  /** Restores a claim from before this engine started. */
  recallClaim(worker: string, claim: Claim): void {
    this.#observations.recall(worker, claim, this.#parts.clock.now())
    this.#scheduleTurn()
  }

  /** An unauthenticated check-in is only a sign of life. */
  noteContact(worker: string, at: Instant): void {
    this.#observations.contact(worker, this.#seenAt(at))
    this.#debounce.ask(DEBOUNCE_MS)
  }

  noteTool(worker: string, name: string, moment: { readonly isStart: boolean; readonly at: Instant }): void {
    if (moment.isStart)
      this.#observations.toolStarted(worker, { id: name, name, at: this.#seenAt(moment.at) })
    else this.#observations.toolEnded(worker, name)
    this.#debounce.ask(DEBOUNCE_MS)
  }

  /** The watch is overloaded, or no longer. */
  setOverloaded(isOverloaded: boolean): void {
    this.#observations.setOverloaded(isOverloaded)
    this.#scheduleTurn()
  }

  /** Observations of workers, which are not in the log. */
  get observed(): Observed {
    return this.#observations.now
  }

  /** Detaches: stops no worker and does nothing more. Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    if (this.#mode === 'closed') return
    this.#mode = 'closed'
    this.#clockDrift.rest()
    this.#cancelRetry()
    this.#debounce.cancel()
    for (const unlisten of this.#unlisten) unlisten()
    this.#letGoOfAll()
    await this.#queue.idle()
  }

  #letGoOfAll(): void {
    for (const controller of this.#running.values()) controller.abort()
    this.#running.clear()
  }

  #listen(): void {
    this.#unlisten.push(this.#parts.world.agent.listen((event) => this.#onAgentEvent(event)))
  }

  #scheduleTurn(): void {
    if (this.#turnIsQueued || this.#mode !== 'running') return
    this.#turnIsQueued = true
    this.#enqueue('turn', async () => {
      this.#turnIsQueued = false
      if (this.#mode === 'running') await this.#turn()
    })
  }

  /** Runs work serially. A failed write is retried, since nothing was done that is not in the log. */
  #enqueue(what: string, work: () => Promise<void>): void {
    const guarded = async (): Promise<void> => {
      if (this.#mode === 'closed') return
      try {
        await work()
        // Joining only reads, so its success does not mean that the log can be written.
        if (what !== 'joining') this.#hindrance = null
      } catch (error) {
        this.#startOver(what, error)
      }
    }
    this.#queue.run(guarded).catch((error: unknown) => this.#parts.onError(what, error))
  }

  /** A failed write may still have reached the log, so it is read before anything else. */
  #startOver(what: string, error: unknown): void {
    this.#hindrance = describeLogError(error)
    this.#parts.onError(what, error)
    this.#letGoOfAll()
    this.#rejoinIn(LOG_RETRY_MS)
  }

  #rejoinIn(ms: number): void {
    if (this.#mode === 'closed') return
    this.#mode = 'joining'
    this.#cancelRetry()
    this.#cancelRetry = this.#parts.clock.wake(ms, () => this.#rejoin())
  }

  /** Reads missed log entries and unacknowledged ends, then continues. */
  #rejoin(): void {
    this.#enqueue('joining', async () => {
      await this.#catchUp()
      const ends = await this.#parts.world.agent.unacknowledged(workersAtWork(this.#state))
      for (const ended of ends) await this.#receiveEnd(ended)
      if (this.#mode === 'joining') this.#mode = 'running'
      for (const { item } of this.#state.inbox.values()) this.#parts.onOpened?.(item)
      this.#scheduleTurn()
    })
  }

  async #catchUp(): Promise<void> {
    for (const entry of await readOn(this.#parts.log, this.#parts.stream, this.#state.version))
      this.#take(entry)
  }

  /** The only place where log entries are folded; observations move along with the clock. */
  #take(entry: Entry<PlanEvent>): void {
    this.#state = fold(this.#state, entry)
    const { event } = entry
    if (event.type === 'inbox.opened') this.#parts.onOpened?.(event.item)
    if (event.type === 'clock.jumped') this.#observations.rearm(this.#parts.clock.now(), event.byMs)
  }

  async #turn(): Promise<void> {
    if (this.#wasHeldUp()) return
    await this.#noticeTime()
    for (;;) {
      const now = this.#parts.clock.now()
      const due = owed(this.#state, now, this.#observations.now)
      this.#performAll(due.effects)
      if (due.decision === null) {
        if (due.wakeAt !== null) this.#clockDrift.lookIn(due.wakeAt - now, () => this.#scheduleTurn())
        return
      }
      const problem = firstRejection(this.#state, due.decision)
      if (problem !== null) throw new Error(`a rule decided an invalid event: ${problem}`)
      await this.#write(due.decision)
      if (this.#mode === 'closed') return
    }
  }

  /**
   * A delayed PM does not count unobserved time against workers, and reads missed events before it judges any.
   * True where it has to listen first.
   */
  #wasHeldUp(): boolean {
    const { pause, isLong, listenMs } = this.#clockDrift.takeAbsence()
    const { clock } = this.#parts
    if (pause !== null) this.#observations.paused(clock.now() - pause.agoMs, pause.forMs)
    if (isLong) this.#observations.rearm(clock.now())
    if (listenMs === null) return false
    this.#rejoinIn(listenMs)
    return true
  }

  /** Logs the start of this PM, and jumps of the wall clock. */
  async #noticeTime(): Promise<void> {
    if (this.#clockDrift.jumpMs(this.#state.clock) !== 0 && !(await this.#write([])))
      return this.#noticeTime()
    if (this.#isStartLogged) return
    const boot = this.#parts.clock.boot()
    const offsetMs = this.#clockDrift.offsetMs()
    const again = this.#state.clock !== null
    this.#isStartLogged = await this.#write([{ type: 'pm.started', v: 1, boot, offsetMs, again }])
  }

  #seenAt(at?: Instant): Instant {
    return this.#clockDrift.seenAt(this.#state.clock, at)
  }

  /**
   * Appends and folds, with a clock jump before anything that has its new time. False when another writer came first:
   * then nothing was written, and the new entries were read.
   */
  async #write(events: readonly PlanEvent[]): Promise<boolean> {
    const { log, stream, clock } = this.#parts
    const byMs = this.#clockDrift.jumpMs(this.#state.clock)
    const jumped: readonly PlanEvent[] = byMs === 0 ? [] : [{ type: 'clock.jumped', v: 1, byMs }]
    const all = [...jumped, ...events]
    const { version: expectedVersion } = this.#state
    const done = await log.append({ stream, expectedVersion, at: clock.now(), events: all })
    if (!done.ok) {
      await this.#catchUp()
      return false
    }
    for (const entry of done.entries) this.#take(entry)
    this.#parts.onWritten?.(all)
    if (snapshotIsDue(this.#state, this.#snapshotVersion)) {
      this.#snapshotVersion = this.#state.version
      await saveSnapshot(log, stream, { state: this.#state, seq: done.entries.at(-1)?.seq ?? 0 })
    }
    return true
  }

  /** Starts what is newly owed and aborts what no longer is. */
  #performAll(effects: readonly Effect[]): void {
    const keys = new Set(effects.map((effect) => effect.key))
    for (const [key, controller] of this.#running)
      if (!keys.has(key) && this.#running.delete(key)) controller.abort(NO_LONGER_OWED)
    for (const effect of effects) if (!this.#running.has(effect.key)) this.#perform(effect)
  }

  #perform(effect: Effect): void {
    const controller = new AbortController()
    this.#running.set(effect.key, controller)
    perform(effect, { world: this.#parts.world, plan: this.#state.plan, signal: controller.signal }).then(
      (events) => this.#settle(effect, controller, events),
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        const failed = { type: 'effect.failed', v: 1, effect: effect.key, reason } as const
        const event = error instanceof NeedsPerson ? { ...failed, needsPerson: true } : failed
        this.#settle(effect, controller, [event])
      },
    )
  }

  /**
   * Writes the result of an effect, if it is still owed. An effect without a result stays in progress until a later
   * event settles it.
   */
  #settle(effect: Effect, controller: AbortController, events: readonly PlanEvent[]): void {
    if (events.length === 0) return
    this.#enqueue(effect.key, async () => {
      if (this.#running.get(effect.key) !== controller) return
      const why = firstRejection(this.#state, events)
      const isSettled = why === null ? await this.#write(events) : await this.#drop(effect, why)
      if (isSettled) this.#running.delete(effect.key)
      else this.#settle(effect, controller, events)
      this.#scheduleTurn()
    })
  }

  /** The result was rejected. If the effect is still owed, it is retried later like after any failure. */
  async #drop(effect: Effect, why: string): Promise<boolean> {
    const due = owed(this.#state, this.#parts.clock.now(), this.#observations.now)
    if (due.effects.every(({ key }) => key !== effect.key)) return true
    const reason = `the result was rejected: ${why}`
    return this.#write([{ type: 'effect.failed', v: 1, effect: effect.key, reason }])
  }

  #onAgentEvent(event: AgentEvent): void {
    if (this.#mode === 'closed') return
    if (event.kind === 'ended') return this.#enqueue(`end of ${event.worker}`, () => this.#receiveEnd(event))
    if (this.#observations.note(event, this.#seenAt())) this.#scheduleTurn()
    this.#record(`${event.kind} of ${event.worker}`, () => sessionEvents(this.#state, event))
  }

  /** Writes a worker's end, or logs it as ignored if it is rejected. */
  async #receiveEnd(event: WorkerEnded): Promise<void> {
    for (let isWritten = false; !isWritten;) {
      const proposed = workerEvents(this.#state, event)
      const why = typeof proposed === 'string' ? proposed : this.#rejectionOf(proposed)
      const accepted = typeof proposed === 'string' || why !== null ? null : proposed
      const events = accepted ?? this.#ignored.end(this.#state, event, why ?? NO_EVENTS)
      isWritten = events.length === 0 || (await this.#write(events))
    }
    this.#scheduleTurn()
    this.#observations.forget(event.worker)
    await this.#parts.world.agent.acknowledge(event.worker)
  }

  /**
   * Takes a person's answer; it is durable when this resolves with `ok`. The person sees the result, so a refused answer
   * is not logged, and one that could not be written has to be given again.
   */
  async answer(answer: PersonAnswer): Promise<AnswerTaken> {
    if (this.#mode === 'closed') throw new Error(`plan ${this.#state.plan.id} is no longer loaded`)
    return this.#queue.run(async () => {
      try {
        let taken = answerEvents(this.#state, answer)
        while (taken.ok && !(await this.#write(taken.events))) taken = answerEvents(this.#state, answer)
        if (taken.ok) this.#scheduleTurn()
        return taken
      } catch (error) {
        if (this.#mode !== 'closed') this.#startOver(`answer to ${answer.id}`, error)
        throw error
      }
    })
  }

  /** A group of events is accepted or rejected by its first: the rest follow from it. */
  #rejectionOf([first]: readonly PlanEvent[]): string | null {
    return first === undefined ? NO_EVENTS : rejectionReason(this.#state, first)
  }
}
