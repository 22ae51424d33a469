/** One plan in the host: its state, and the engine that drives it unless it has ended. */
import type { AnswerTaken, PersonAnswer } from '../../core/answers/person-answer.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { PlanState } from '../../core/state/state.ts'
import type { Claim, Observed } from '../../core/watch/observed.ts'
import type { EngineParts, Proposed } from '../../engine/engine-parts.ts'
import type { PlanEngine } from '../../engine/plan-engine.ts'
import type { StreamId } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'
import { stateConflict } from './stream-name.ts'
import type { Decision, PlanSight, PlanWorld } from './plan-place.ts'

export interface PlanHome {
  readonly stream: StreamId
  readonly repository: Repository
  /** Of the plan's text. */
  readonly sha256: string | null
}

/** What is known of a read-only plan besides its state. */
export interface Seen {
  readonly sight: PlanSight
  /** The last claims by worker. */
  readonly claims: ReadonlyMap<string, Claim>
}

export class HostedPlan {
  readonly home: PlanHome
  /** What can be asked about its workers and work; empty where nothing is known. */
  readonly world: Partial<PlanWorld>
  /** What drives it; null for a plan that is only read. */
  readonly engine: PlanEngine | null
  readonly #stateNow: () => PlanState
  readonly #claims: Seen['claims']
  #closed = false

  private constructor(
    home: PlanHome,
    driven: { readonly engine: PlanEngine | null; readonly stateNow: () => PlanState },
    { world, claims }: { readonly world: Partial<PlanWorld>; readonly claims: Seen['claims'] },
  ) {
    this.home = home
    this.engine = driven.engine
    this.#stateNow = driven.stateNow
    this.world = world
    this.#claims = claims
  }

  /** Starts its loop. */
  static async drive(
    home: PlanHome,
    parts: EngineParts & { readonly world: PlanWorld },
  ): Promise<HostedPlan> {
    // Commands that only read plans start without it.
    const { PlanEngine } = await import('../../engine/plan-engine.ts')
    const { decide } = parts.world
    const onOpened = (item: InboxItem): void => {
      const decision = decide?.(item) ?? null
      // The engine is in the middle of a write.
      if (decision !== null) setImmediate(() => plan.#answerAsDecided(item.id, decision, parts.onError))
    }
    const engine = await PlanEngine.start({ ...parts, onOpened })
    const driven = { engine, stateNow: () => engine.state }
    const plan = new HostedPlan(home, driven, { world: parts.world, claims: new Map() })
    return plan
  }

  /** A plan without an engine, for reading. */
  static readOnly(home: PlanHome, state: PlanState, seen: Seen | null = null): HostedPlan {
    const read = { engine: null, stateNow: () => state }
    return new HostedPlan(home, read, { world: seen?.sight ?? {}, claims: seen?.claims ?? new Map() })
  }

  /** Do not keep a reference: it changes with the next event. */
  get state(): PlanState {
    return this.#stateNow()
  }

  get id(): string {
    return this.state.plan.id
  }

  /** Proposes an event from outside. It is durable when this resolves with `ok`. */
  async propose(event: PlanEvent): Promise<Proposed> {
    return this.proposeAsNow(() => [event])
  }

  /** The same, for events that depend on the state at that moment. */
  async proposeAsNow(eventsNow: (state: PlanState) => readonly PlanEvent[] | string): Promise<Proposed> {
    return this.engine?.proposeAsNow(eventsNow) ?? { ok: false, why: `plan ${this.id} has ended` }
  }

  /** Takes a person's answer. */
  async answer(answer: PersonAnswer): Promise<AnswerTaken> {
    if (this.#closed) throw stateConflict(`the plan of ${answer.id} is not running at the moment`)
    if (this.engine !== null) return this.engine.answer(answer)
    const refusal = {
      kind: 'over',
      why: `plan ${this.id} has ended`,
      remedy: 'List the open items: bosun inbox',
    } as const
    return { ok: false, refusal }
  }

  /** A decision that does not fit pauses the plan, with the reason. */
  #answerAsDecided(id: string, decision: Decision, onError: EngineParts['onError']): void {
    const decided = async (): Promise<void> => {
      const given = { ...decision, id, proof: 'token' } as const
      const taken = await this.answer(given)
      if (taken.ok || taken.refusal.kind === 'over') return
      const why = `the scripted decision was refused: ${taken.refusal.why}. ${taken.refusal.remedy}`
      await this.answer({ ...given, choice: 'pause', feedback: why })
    }
    decided().catch((error: unknown) => onError(`the scripted decision about ${id}`, error))
  }

  /** What is known of its workers beyond the log; null for a read-only plan. */
  get observed(): Observed | null {
    return this.engine?.observed ?? null
  }

  /** The last claim of a worker; null without one. */
  claimOf(worker: string): Claim | null {
    return this.observed?.workers.get(worker)?.claim ?? this.#claims.get(worker) ?? null
  }

  /** Why it cannot go on at the moment; null if it can or has ended. */
  get hindrance(): string | null {
    if (this.engine === null || isOver(this.state)) return null
    return this.engine.hindrance ?? this.world.hindrance?.() ?? null
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.engine?.close()
  }
}

/** How long an ended plan is shown. */
export const SHOWN_MS = 7 * 24 * 3_600_000

/** Whether nothing can happen to the plan any more. */
export const isOver = (state: PlanState): boolean =>
  state.release.step === 'signed' ||
  // Tasks of a cancelled plan stay as they were, even in progress.
  (state.cancelled !== null &&
    [...state.active].every(
      ({ live, step }) => live === null && step !== 'collecting' && step !== 'taken_over',
    ))
