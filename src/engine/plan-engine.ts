/**
 * The loop of one plan: what is owed is looked up, decisions are written, effects are performed, and
 * what came of them is written. Nothing here decides, and nothing is remembered that the log does not
 * know, except what was observed of workers since this engine started.
 */
import { firstRejection, rejectionReason } from '../core/decide/admit.ts'
import { answerEvents } from '../core/answers/answer-rules.ts'
import type { PersonAnswer } from '../core/answers/person-answer.ts'
import type { Effect } from '../core/decide/effects.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import { fold } from '../core/events/fold.ts'
import { owed } from '../core/decide/owed.ts'
import { spentOf, type Spent } from '../core/state/spending.ts'
import type { Instant, PlanState } from '../core/state/state.ts'
import type { Claim, Observed, ClaimUpdate } from '../core/watch/observed.ts'
import { watchRules } from '../core/watch/rules.ts'
import type { AgentEvent, WorkerEnded } from '../ports/agent.ts'
import type { Entry } from '../ports/event-log.ts'
import type { AnswerTaken } from '../ports/human-reviewer.ts'
import { NeedsPerson } from '../ports/workspace.ts'
import { usageEvent, workerEvents } from './external-events.ts'
import { describeLogError, type EngineParts, type Proposed } from './engine-parts.ts'
import { IgnoredEvents } from './ignored-events.ts'
import { Observations } from './observations.ts'
import { ClockDrift } from './clock-drift.ts'
import { perform } from './performers/perform.ts'
import { loadPlan, readOn, saveSnapshot, snapshotIsDue } from './plan-log.ts'
import { SerialQueue } from '../lib/serial-queue.ts'
import { Debounce } from './debounce.ts'

/** What thousands say in passing is looked at together: a look is at every one of them. */
const DEBOUNCE_MS = 1000
/** How long to wait after the log could not be written. */
const LOG_RETRY_MS = 1000

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
  #hasSaidHello = false
  /** Nothing is judged before everything that happened meanwhile is known. */
  #hasJoined = false
  #closed = false
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

  /** Loads the plan and starts the loop. After a crash this is all there is to do. */
  static async start(parts: EngineParts): Promise<PlanEngine> {
    const { state, snapshotVersion } = await loadPlan(parts.log, parts.stream)
    const engine = new PlanEngine(parts, state, snapshotVersion)
    engine.#listen()
    engine.#rejoin()
    return engine
  }

  /** Read it, do not keep it: it changes with the next event. */
  get state(): PlanState {
    return this.#state
  }

  /** Why nothing can be written down at the moment, in words; nothing is done meanwhile. Null when it can. */
  get hindrance(): string | null {
    return this.#hindrance
  }

  /** Somebody outside wants this to happen. It is durable when this resolves with `ok`. */
  propose(event: PlanEvent): Promise<Proposed> {
    return this.proposeAsNow(() => [event])
  }

  /** The same, for what depends on how the plan is at the moment it is written; a string says why it is nothing. */
  proposeAsNow(wordsNow: (state: PlanState) => readonly PlanEvent[] | string): Promise<Proposed> {
    return this.#queue.run(async () => {
      const words = wordsNow(this.#state)
      const why = typeof words === 'string' ? words : this.#rejectionOf(words)
      if (typeof words === 'string' || why !== null) return { ok: false, why: why ?? 'it says nothing' }
      const isWritten = await this.#write(words)
      this.#scheduleTurn()
      return isWritten ? { ok: true } : { ok: false, why: 'the plan changed meanwhile' }
    })
  }

  /** What a worker has used so far, as somebody was told; written down where it matters. */
  noteUsage(worker: string, told: Spent, task?: string): void {
    if (usageEvent(this.#state, { worker, task }, told) === null) return
    this.#enqueue(`usage of ${worker}`, async () => {
      const event = usageEvent(this.#state, { worker, task }, told)
      if (event !== null && (await this.#write([event]))) this.#scheduleTurn()
    })
  }

  /** What a worker said of itself, and when. It is kept by whoever heard it. */
  noteClaim(worker: string, said: ClaimUpdate): void {
    // The clock may have gone back since it was said.
    const at = this.#seenAt(Math.min(said.at, this.#parts.clock.now()))
    if (this.#observations.claim(worker, at === said.at ? said : { ...said, at })) this.#scheduleTurn()
    else this.#debounce.ask(DEBOUNCE_MS)
  }

  /** What a worker had said of itself before this engine began. */
  recallClaim(worker: string, claim: Claim): void {
    this.#observations.recall(worker, claim, this.#parts.clock.now())
    this.#scheduleTurn()
  }

  /** Somebody spoke in the name of a worker without proof: it lives, and that is all. */
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

  /** The watch cannot keep up, or can again. */
  setOverloaded(isOverloaded: boolean): void {
    this.#observations.setOverloaded(isOverloaded)
    this.#scheduleTurn()
  }

  /** What is known of workers beside the log. */
  get observed(): Observed {
    return this.#observations.now
  }

  /** Lets go: nothing is stopped, nothing more is done. Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
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
    const { agent, human } = this.#parts.world
    this.#unlisten.push(
      agent.listen((event) => this.#onAgentEvent(event)),
      human.listen((answer) => this.#takeAnswer(answer)),
    )
  }

  #scheduleTurn(): void {
    if (this.#turnIsQueued || this.#closed || !this.#hasJoined) return
    this.#turnIsQueued = true
    this.#enqueue('turn', async () => {
      this.#turnIsQueued = false
      if (this.#hasJoined) await this.#turn()
    })
  }

  /** Runs work alone; what the log refuses is tried again, since nothing was done that it does not know. */
  #enqueue(what: string, work: () => Promise<void>): void {
    const guarded = async (): Promise<void> => {
      if (this.#closed) return
      try {
        await work()
        // Joining reads, and says nothing about writing.
        if (what !== 'joining') this.#hindrance = null
      } catch (error) {
        this.#startOver(what, error)
      }
    }
    this.#queue.run(guarded).catch((error: unknown) => this.#parts.onError(what, error))
  }

  /** The log may or may not have what was to be written: it is read before anything else is done. */
  #startOver(what: string, error: unknown): void {
    this.#hindrance = describeLogError(error)
    this.#parts.onError(what, error)
    this.#letGoOfAll()
    this.#hasJoined = false
    this.#cancelRetry()
    this.#cancelRetry = this.#parts.clock.wake(LOG_RETRY_MS, () => this.#rejoin())
  }

  /** Reads what the log has that this engine does not know, hears what ended meanwhile, then goes on. */
  #rejoin(): void {
    this.#enqueue('joining', async () => {
      await this.#catchUp()
      for (const ended of await this.#parts.world.agent.unheard()) await this.#hearEnd(ended)
      this.#hasJoined = true
      this.#scheduleTurn()
    })
  }

  async #catchUp(): Promise<void> {
    for (const entry of await readOn(this.#parts.log, this.#parts.stream, this.#state.version)) {
      this.#take(entry)
    }
  }

  /** The one place where what is in the log comes in; what was observed moves along with the clock. */
  #take(entry: Entry<PlanEvent>): void {
    this.#state = fold(this.#state, entry)
    const { event } = entry
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
      const problem = due.decision
        .map((event) => rejectionReason(this.#state, event))
        .find((why) => why !== null)
      if (problem !== undefined) throw new Error(`a rule decided what cannot be: ${problem}`)
      await this.#write(due.decision)
      if (this.#closed) return
    }
  }

  /**
   * A PM that was held up judges nobody by what it could not see, and nobody at all before it has heard what
   * happened meanwhile. True where it has to listen first.
   */
  #wasHeldUp(): boolean {
    const { pause, isLong, listenMs } = this.#clockDrift.takeAbsence()
    const { clock } = this.#parts
    if (pause !== null) this.#observations.paused(clock.now() - pause.agoMs, pause.forMs)
    if (isLong) this.#observations.rearm(clock.now())
    if (listenMs === null) return false
    this.#hasJoined = false
    this.#cancelRetry()
    this.#cancelRetry = clock.wake(listenMs, () => this.#rejoin())
    return true
  }

  /** Tells the log that this PM is here, and when wall time moved without time passing. */
  async #noticeTime(): Promise<void> {
    if (this.#clockDrift.jumpMs(this.#state.clock) !== 0 && !(await this.#write([])))
      return this.#noticeTime()
    if (this.#hasSaidHello) return
    const boot = this.#parts.clock.boot()
    const offsetMs = this.#clockDrift.offsetMs()
    this.#hasSaidHello = await this.#write([{ type: 'pm.started', v: 1, boot, offsetMs }])
  }

  #seenAt(at?: Instant): Instant {
    return this.#clockDrift.seenAt(this.#state.clock, at)
  }

  /**
   * Appends and folds, a jump of the clock before anything that has its new time. False when somebody else wrote
   * first: then nothing was written, and the rest was read.
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
    for (const [key, controller] of this.#running) {
      if (keys.has(key)) continue
      this.#running.delete(key)
      controller.abort()
    }
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
        const told = error instanceof NeedsPerson ? { ...failed, needsPerson: true } : failed
        this.#settle(effect, controller, [told])
      },
    )
  }

  /**
   * Writes what came of an effect, if it is still owed. An effect that says nothing stays in hand until
   * the world's own word about it has come.
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

  /** What came of it does not fit. Where it is owed all the same, it is tried again later, like after any failure. */
  async #drop(effect: Effect, why: string): Promise<boolean> {
    const due = owed(this.#state, this.#parts.clock.now(), this.#observations.now)
    if (due.effects.every(({ key }) => key !== effect.key)) return true
    const reason = `the result was rejected: ${why}`
    return this.#write([{ type: 'effect.failed', v: 1, effect: effect.key, reason }])
  }

  #onAgentEvent(event: AgentEvent): void {
    if (this.#closed) return
    if (event.kind !== 'ended') {
      if (this.#observations.note(event, this.#seenAt())) this.#scheduleTurn()
      if (event.kind === 'usage') this.noteUsage(event.worker, spentOf(event))
      return
    }
    this.#enqueue(`end of ${event.worker}`, () => this.#hearEnd(event))
  }

  /** Takes a worker's end if it fits, and keeps it as ignored if it does not. */
  async #hearEnd(event: WorkerEnded): Promise<void> {
    for (let isWritten = false; !isWritten;) {
      const words = workerEvents(this.#state, event)
      const why = typeof words === 'string' ? words : this.#rejectionOf(words)
      const fitting = typeof words === 'string' || why !== null ? null : words
      const events = fitting ?? this.#ignored.of(event.worker, 'its end', why ?? 'it says nothing')
      isWritten = events.length === 0 || (await this.#write(events))
    }
    this.#scheduleTurn()
    this.#observations.forget(event.worker)
    await this.#parts.world.agent.acknowledge(event.worker)
  }

  /**
   * The one way for answers, whichever door they come by. The person hears what became of it, so nothing is kept of
   * an answer that does not count, and one that could not be written is theirs to give again.
   */
  async #takeAnswer(answer: PersonAnswer): Promise<AnswerTaken> {
    if (this.#closed) throw new Error(`plan ${this.#state.plan.id} is not driven here any more`)
    return this.#queue.run(async () => {
      try {
        let taken = answerEvents(this.#state, answer)
        while (taken.ok && !(await this.#write(taken.events))) taken = answerEvents(this.#state, answer)
        if (taken.ok) this.#scheduleTurn()
        return taken
      } catch (error) {
        if (!this.#closed) this.#startOver(`answer to ${answer.id}`, error)
        throw error
      }
    })
  }

  /** Words that belong together are judged by the first of them: the rest follow from it. */
  #rejectionOf([first]: readonly PlanEvent[]): string | null {
    return first === undefined ? 'it says nothing' : rejectionReason(this.#state, first)
  }
}
