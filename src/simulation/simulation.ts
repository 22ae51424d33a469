/** Runs a whole plan on a virtual clock: the real rules and engine, in a world drawn from a seed. */
import { createHash } from 'node:crypto'
import type { EventOf, PlanEvent } from '../core/events/plan-events.ts'
import { fold } from '../core/events/fold.ts'
import { standing, type PlanStanding } from '../core/decide/standing.ts'
import { freeze } from '../core/state/snapshot.ts'
import type { PlanState } from '../core/state/state.ts'
import type { World } from '../engine/performers/performer.ts'
import { requestEvents } from '../engine/external-events.ts'
import type { EngineParts } from '../engine/engine-parts.ts'
import { PlanEngine } from '../engine/plan-engine.ts'
import type { Job } from '../ports/agent.ts'
import type { Entry, EventLog } from '../ports/event-log.ts'
import { Crew } from './crew.ts'
import type { FaultRates } from './faults.ts'
import { CheckinDoor } from './checkin-door.ts'
import { FaultyLog, type AppendFate } from './faulty-log.ts'
import { LONGEST_SILENCE_MS } from './healthy-doings.ts'
import { Freeze } from './freeze.ts'
import { brokenBy, type Truth } from './invariants/check-event.ts'
import { endBreaks } from './invariants/check-end.ts'
import { Ledger } from './invariants/ledger.ts'
import { record } from './invariants/record.ts'
import type { InboxItem } from '../core/event-schemas/schemas.ts'
import { answered, die, mortal, SIMULATED_FAILURE, type Life } from './crashable-world.ts'
import { Random } from './random.ts'
import { ScriptedAgent, type WorkerScript } from './scripted-agent.ts'
import { ScriptedGates } from './scripted-gates.ts'
import { ScriptedPerson } from './scripted-person.ts'
import { ScriptedBrain, ScriptedIntegration } from './scripted-rest.ts'
import { ScriptedWorkspace } from './scripted-workspace.ts'
import type { Outage } from './outages.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface SimulationOptions {
  readonly registered: EventOf<'plan.registered'>
  readonly seed: number
  readonly rates: FaultRates
  /** An empty log to write to. */
  readonly log: EventLog<PlanEvent>
  /** Overrides what the seed and the faults draw for workers. */
  readonly worker?: ((job: Job, drawn: WorkerScript) => WorkerScript) | undefined
  /** Outages since the start, in addition to drawn ones. */
  readonly outages?: readonly {
    readonly kind: Outage['kind']
    readonly fromMs: number
    readonly toMs: number
  }[]
  /** Freezes the PM, in addition to drawn freezes. */
  readonly pauses?: readonly { readonly atMs: number; readonly forMs: number }[] | undefined
  /** Kills the PM at the nth append, before or after it is durable, in addition to drawn crashes. */
  readonly crashAt?: { readonly append: number; readonly when: 'before' | 'after' } | undefined
}

export interface Violation {
  readonly seed: number
  readonly what: string
  /** The version of the violating event; null at the end. */
  readonly version: number | null
}

export interface SimulationResult {
  readonly outcome: PlanStanding
  readonly violation: Violation | null
  readonly state: PlanState
  readonly entries: readonly Entry<PlanEvent>[]
  /** Simulated time until the last event. */
  readonly elapsedMs: number
  readonly crashes: number
  /** The same seed and the same rules give the same hash. */
  readonly hash: string
}

/** What a scripted answer of the brain uses. */
const THOUGHT = { tokensIn: 800, tokensOut: 60, tokensCached: 0, usd: 0.002, requests: 1 }
const STREAM = 'simulation/plan'
/** A Monday morning, independent of real time. */
const START = Date.UTC(2026, 0, 5, 9)
const MINUTE = 60_000
/** Far more than any plan needs; a plan that has not settled by then never will. */
const LONGEST_MS = 400 * 24 * 60 * MINUTE
const MOST_EVENTS = 200_000

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const simulation = new Simulation(options)
  return simulation.run()
}

class Simulation {
  readonly #options: SimulationOptions
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #crew: Crew
  readonly #agent: ScriptedAgent
  readonly #workspace: ScriptedWorkspace
  readonly #world: World
  readonly #person: ScriptedPerson
  readonly #truth: Truth
  readonly #ledger: Ledger
  readonly #log: FaultyLog
  readonly #entries: Entry<PlanEvent>[] = []
  readonly #door: CheckinDoor
  #life: Life
  /** When this PM started to observe: at its start, after a pause, after a jump. */
  #sawFromMs = 0
  #engine: PlanEngine | null = null
  #violation: Violation | null = null
  #crashes = 0
  #lastWriteMs = 0

  constructor(options: SimulationOptions) {
    const { seed, rates } = options
    this.#options = options
    this.#random = new Random(seed, 'simulation')
    const ties = new Random(seed, 'ties')
    this.#clock = new VirtualClock(START, () => ties.next())
    const outages = (options.outages ?? []).map(({ kind, fromMs, toMs }) => ({
      kind,
      from: START + fromMs,
      to: START + toMs,
    }))
    this.#crew = new Crew(seed, { rates, now: () => this.#clock.now(), outages })
    this.#life = { alive: false, throws: () => false, freezer: new Freeze(this.#clock), onCrash: new Set() }
    this.#agent = new ScriptedAgent(
      this.#clock,
      (job) => {
        this.#askLater(job)
        const drawn = this.#crew.worker(job)
        return options.worker?.(job, drawn) ?? drawn
      },
      (worker, update) => this.#door.receive(worker, update),
    )
    this.#door = new CheckinDoor(this.#agent)
    this.#workspace = new ScriptedWorkspace(this.#clock, {
      delayMs: (what) => this.#crew.delay(what),
      writtenBy: (worker) => this.#agent.writtenBy(worker),
      linesBy: (worker) => this.#crew.lines(worker),
      existing: (task) => this.#crew.exists(task),
      conflict: (request) => this.#crew.conflict(request),
      overtaken: (request) => this.#crew.overtaken(request),
    })
    this.#truth = this.#makeTruth()
    this.#world = this.#makeWorld()
    this.#person = new ScriptedPerson({
      clock: this.#clock,
      script: (item) => this.#crew.person(item),
      answer: (given) => {
        const engine = this.#engine
        if (engine === null) return Promise.reject(new Error('no PM is running'))
        return answered(this.#life, () => engine.answer(given))
      },
    })
    this.#ledger = new Ledger(options.registered)
    this.#log = new FaultyLog(options.log, {
      fate: (nth) => this.#fate(nth),
      onCrash: () => this.#crash(),
      onWritten: (entries) => this.#see(entries),
    })
  }

  async run(): Promise<SimulationResult> {
    const { log, registered } = this.#options
    const at = this.#clock.now()
    const done = await log.append({ stream: STREAM, expectedVersion: 0, at, events: [registered] })
    if (!done.ok) throw new Error('a simulation needs an empty log')
    this.#entries.push(...done.entries)
    this.#boot()
    this.#scheduleTroubleOutside()
    const isQuiet = await this.#clock.run(LONGEST_MS, () => this.#mustStop())
    if (!isQuiet && this.#violation === null) this.#violate('the simulation never settles', null)
    return this.#result()
  }

  #mustStop(): boolean {
    return this.#violation !== null || this.#entries.length > MOST_EVENTS
  }

  #makeTruth(): Truth {
    const toolEndMs = this.#options.registered.settings.watch.toolEndMs
    return {
      isHealthy: (worker) => {
        const run = this.#agent.runs.get(worker)
        const life = run?.life ?? null
        if (run === undefined || life === null || life.quietMs(toolEndMs) > LONGEST_SILENCE_MS) return false
        return life.endsWithin(Math.floor(run.limitMs * 1.1))
      },
      quietMs: (worker) => this.#agent.runs.get(worker)?.life?.quietMs(toolEndMs) ?? null,
      sawForMs: () => this.#clock.monotonic() - this.#sawFromMs,
      isSound: (tree) =>
        this.#workspace.workersIn(tree).every((worker) => this.#agent.writtenBy(worker)?.isSound === true),
      wroteSound: (worker) => this.#agent.writtenBy(worker)?.isSound === true,
      isSaved: (worker) => this.#workspace.saved.has(worker),
      landed: () => this.#workspace.landed,
      now: () => ({ wallMs: this.#clock.now(), elapsedMs: this.#clock.monotonic() }),
    }
  }

  #makeWorld(): World {
    return {
      agent: this.#agent,
      takeBaseline: (request) => this.#workspace.takeBaseline(request),
      workspace: this.#workspace,
      gates: new ScriptedGates(
        this.#clock,
        this.#crew.gates((tree) => this.#truth.isSound(tree)),
        () => `tip-${this.#workspace.landed.length}`,
      ),
      integration: new ScriptedIntegration(this.#clock, (test, request) =>
        this.#crew.integration(test, request),
      ),
      brain: new ScriptedBrain((question, input) => this.#crew.thought(question, input), THOUGHT),
    }
  }

  /** Starts a PM, which knows only the log. */
  #boot(): void {
    const freezer = new Freeze(this.#clock)
    const life: Life = { alive: true, throws: (what) => this.#crew.throws(what), freezer, onCrash: new Set() }
    this.#life = life
    this.#sawFromMs = this.#clock.monotonic()
    const parts = {
      clock: freezer.clock(),
      log: this.#log,
      world: mortal(this.#world, life),
      stream: STREAM,
      onOpened: (item: InboxItem) => life.alive && this.#person.see(item),
      onError: (what: string, error: unknown) => {
        const isRule = error instanceof Error && !error.message.startsWith('the disk')
        const isThrown = error instanceof Error && error.message === SIMULATED_FAILURE
        if (isRule && !isThrown && life.alive) this.#violate(`${what}: ${String(error)}`, null)
      },
    }
    this.#live(life, parts).catch((error: unknown) =>
      this.#violate(`the PM does not start: ${String(error)}`, null),
    )
  }

  async #live(life: Life, parts: EngineParts): Promise<void> {
    const engine = await PlanEngine.start(parts)
    if (!life.alive) return
    this.#engine = engine
    this.#door.opens(engine, life)
  }

  #crash(): void {
    this.#crashes++
    die(this.#life)
    const dead = this.#engine
    this.#engine = null
    this.#door.closes()
    // Its queue may wait for an answer that never comes, so it is not awaited.
    dead?.close().catch(() => undefined)
    this.#clock.wake(this.#random.between(1, 20 * MINUTE), () => this.#boot())
  }

  #fate(nth: number): AppendFate {
    const { crashAt, rates } = this.#options
    if (crashAt?.append === nth) return crashAt.when === 'before' ? 'crash_before' : 'crash_after'
    const crash = rates.get('pm_crash') ?? 0
    const error = rates.get('log_error') ?? 0
    if (crash > 0 && this.#random.chance(crash / 4)) return this.#random.pick(['crash_before', 'crash_after'])
    if (error > 0 && this.#random.chance(error / 4)) return this.#random.pick(['error_before', 'error_after'])
    return 'fine'
  }

  /** Spontaneous events: clock jumps, and people who pause the plan. */
  #scheduleTroubleOutside(): void {
    const { rates, pauses = [] } = this.#options
    for (const { atMs, forMs } of pauses) this.#clock.wake(atMs, () => this.#freeze(forMs))
    if (rates.has('clock_jump')) {
      for (let jump = 0; jump < 3; jump++) {
        const byMs = this.#random.between(-180, 300) * MINUTE
        this.#clock.wake(this.#random.between(1, 600) * MINUTE, () => this.#clock.jump(byMs))
      }
    }
    if (rates.has('pm_pause')) {
      for (let pause = 0; pause < 6; pause++) {
        const forMs = this.#random.pick([1, 1, 1, 6, 30]) * MINUTE + this.#random.between(0, 4000)
        this.#clock.wake(this.#random.between(1, 900) * MINUTE, () => this.#freeze(forMs))
      }
    }
    if (rates.has('people') && this.#random.chance(0.5)) {
      const stopWorkers = this.#random.chance(0.5)
      this.#clock.wake(this.#random.between(1, 300) * MINUTE, () =>
        this.#propose({ type: 'plan.paused', v: 1, by: 'captain', reason: 'lunch', stopWorkers }),
      )
    }
  }

  #freeze(forMs: number): void {
    this.#life.freezer.freeze(forMs, () => {
      this.#sawFromMs = this.#clock.monotonic()
    })
  }

  #propose(event: PlanEvent): void {
    const later = (): void => {
      this.#clock.wake(MINUTE, () => this.#propose(event))
    }
    const engine = this.#engine
    if (engine === null) later()
    else
      this.#life.freezer.deliver(() => {
        engine.propose(event).catch(later)
      })
  }

  /** A worker's request while it runs. */
  #askLater(job: Job): void {
    for (const { afterMs, asked } of this.#crew.asks(job)) {
      this.#clock.wake(afterMs, () => {
        if (this.#agent.runs.get(job.worker)?.state !== 'running') return
        const engine = this.#engine
        this.#life.freezer.deliver(() => {
          engine
            ?.proposeAsNow((state) => requestEvents(state, job.worker, asked))
            // A request that cannot be received is dropped; nothing depends on it.
            .catch(() => undefined)
        })
      })
    }
  }

  #see(entries: readonly Entry<PlanEvent>[]): void {
    this.#lastWriteMs = this.#clock.monotonic()
    for (const entry of entries) {
      this.#entries.push(entry)
      const broken = brokenBy(this.#ledger, entry.event, this.#truth)
      if (broken !== null) this.#violate(broken, entry.version)
      record(this.#ledger, entry.event, this.#truth.now())
      if (entry.event.type === 'clock.jumped') this.#sawFromMs = this.#clock.monotonic()
      const canResume = this.#options.rates.has('people') && this.#random.chance(0.8)
      if (entry.event.type === 'plan.paused' && canResume) {
        const afterMs = this.#random.between(1, 120) * MINUTE
        this.#clock.wake(afterMs, () => this.#propose({ type: 'plan.resumed', v: 1, by: 'captain' }))
      }
    }
  }

  /** Stops at the first violation, since a broken PM may run forever. */
  #violate(what: string, version: number | null): void {
    this.#violation ??= { seed: this.#options.seed, what, version }
    die(this.#life)
    this.#engine?.close().catch(() => undefined)
  }

  #result(): SimulationResult {
    const entries = this.#entries
    const replayed = entries.reduce<PlanState | null>((state, entry) => fold(state, entry), null)
    if (replayed === null) throw new Error('a simulation has at least one event')
    const outcome = standing(replayed)
    if (this.#violation === null) {
      const state = this.#engine?.state ?? null
      const broken = endBreaks({
        ledger: this.#ledger,
        outcome,
        landed: this.#workspace.landed,
        running: [...this.#agent.runs].filter(([, run]) => run.state === 'running').map(([worker]) => worker),
        isSameState: state === null || JSON.stringify(freeze(state)) === JSON.stringify(freeze(replayed)),
      })
      if (broken !== null) this.#violate(broken, null)
    }
    const hash = createHash('sha256')
    for (const { at, event } of entries) hash.update(`${at} ${JSON.stringify(event)}\n`)
    return {
      outcome,
      violation: this.#violation,
      state: replayed,
      entries,
      elapsedMs: this.#lastWriteMs,
      crashes: this.#crashes,
      hash: hash.digest('hex'),
    }
  }
}
