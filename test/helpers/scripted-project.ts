/** A whole project for tests: the real engine, scripted ports, a log in memory, a virtual clock. */
import { eventCodec } from '../../src/core/events/codec.ts'
import type { EventOf, EventType, PlanEvent } from '../../src/core/events/plan-events.ts'
import type { TaskSpec } from '../../src/core/planning/plan.ts'
import type { TaskState } from '../../src/core/state/state.ts'
import type { World } from '../../src/engine/performers/performer.ts'
import { PlanEngine } from '../../src/engine/plan-engine.ts'
import type { Job } from '../../src/ports/agent.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { PlanLog } from '../../src/engine/plan-log.ts'
import { Crew } from '../../src/simulation/crew.ts'
import { NO_FAULTS } from '../../src/simulation/faults.ts'
import { ScriptedAgent, type WorkerScript } from '../../src/simulation/scripted-agent.ts'
import { allPass, ScriptedGates, type GateScript } from '../../src/simulation/scripted-gates.ts'
import { ScriptedPerson, type PersonScript } from '../../src/simulation/scripted-person.ts'
import { ScriptedBrain, ScriptedIntegration } from '../../src/simulation/scripted-rest.ts'
import { ScriptedWorkspace } from '../../src/simulation/scripted-workspace.ts'
import { MemoryEventLog } from '../../src/store/memory-event-log.ts'
import { aRegistration, type PlanOptions } from './plan-builder.ts'
import { virtualWorld, type VirtualWorld } from './virtual-world.ts'

export const STREAM = 'repo/shop'

export interface ProjectOptions extends PlanOptions {
  /** What a worker does that an honest one would not. */
  readonly worker?: (job: Job) => Partial<WorkerScript>
  readonly gates?: GateScript
  readonly person?: PersonScript
  readonly integrated?: (test: string, round: number) => 'passed' | 'failed' | 'inconclusive'
}

export class ScriptedProject {
  readonly virtual: VirtualWorld = virtualWorld()
  readonly log = new MemoryEventLog<PlanEvent>(eventCodec)
  readonly jobs: Job[] = []
  readonly troubles: string[] = []
  readonly agent: ScriptedAgent
  readonly workspace: ScriptedWorkspace
  readonly person: ScriptedPerson
  readonly world: World
  #engine: PlanEngine | null = null

  constructor(options: ProjectOptions = {}) {
    const { clock } = this.virtual
    const crew = new Crew(1, { rates: NO_FAULTS, now: () => clock.now(), outages: [] })
    this.agent = new ScriptedAgent(clock, (job) => {
      this.jobs.push(job)
      return { ...crew.worker(job), ...options.worker?.(job) }
    })
    this.workspace = new ScriptedWorkspace(clock, {
      delayMs: () => 10,
      writtenBy: (worker) => this.agent.writtenBy(worker),
      existing: () => false,
      conflict: () => null,
    })
    this.person = new ScriptedPerson({
      clock,
      script: options.person ?? (() => null),
      answer: async (given) => {
        if (this.#engine === null) throw new Error('no engine is running')
        return this.#engine.answer(given)
      },
    })
    this.world = {
      agent: this.agent,
      takeBaseline: (request) => this.workspace.takeBaseline(request),
      gates: new ScriptedGates(clock, { ...(options.gates ?? allPass), runMs: () => 1000 }),
      integration: new ScriptedIntegration(
        clock,
        (test, { round }) => options.integrated?.(test, round) ?? 'passed',
      ),
      brain: new ScriptedBrain(),
      workspace: this.workspace,
    }
  }

  /** A project whose plan is in its log. */
  static async registered(
    tasks: readonly TaskSpec[],
    options: ProjectOptions = {},
  ): Promise<ScriptedProject> {
    const project = new ScriptedProject(options)
    await project.append(aRegistration(tasks, options))
    return project
  }

  /** Writes past the engine, as another writer would. */
  async append(...events: PlanEvent[]): Promise<void> {
    const expectedVersion = (await this.entries()).length
    const at = this.virtual.clock.now()
    const done = await this.log.append({ stream: STREAM, expectedVersion, at, events })
    if (!done.ok) throw new Error('the log moved on')
  }

  async start(
    parts: {
      readonly log?: PlanLog
      readonly world?: Partial<World>
      readonly clock?: Clock
    } = {},
  ): Promise<PlanEngine> {
    this.#engine = await PlanEngine.start({
      clock: parts.clock ?? this.virtual.clock,
      log: parts.log ?? this.log,
      world: { ...this.world, ...parts.world },
      stream: STREAM,
      onOpened: (item) => this.person.see(item),
      onError: (what, error) => this.troubles.push(`${what}: ${String(error)}`),
    })
    return this.#engine
  }

  /** Starts an engine and lets it go on until nothing happens any more. */
  async run(): Promise<PlanEngine> {
    const engine = await this.start()
    await this.quiet()
    return engine
  }

  /** Goes on until nothing happens any more. */
  async quiet(): Promise<void> {
    await this.virtual.until(() => false)
  }

  async entries() {
    return this.log.read(STREAM, 0, 100_000)
  }

  async events<T extends EventType>(type: T): Promise<EventOf<T>[]> {
    const all = (await this.entries()).map(({ event }) => event)
    return all.filter((event) => event.type === type) as unknown[] as EventOf<T>[]
  }

  /** Goes on until the log has this many events of a type. */
  async until(type: EventType, count = 1): Promise<void> {
    let seen = 0
    const unsubscribe = this.log.subscribe(0, (entries) => {
      seen += entries.filter(({ event }) => event.type === type).length
    })
    await this.virtual.until(() => seen >= count)
    unsubscribe()
    if (seen < count) throw new Error(`${type} happened ${seen} times`)
  }
}

export function taskOf(engine: PlanEngine, id: string): TaskState {
  const task = engine.state.tasks.get(id)
  if (task === undefined) throw new Error(`no task ${id}`)
  return task
}
