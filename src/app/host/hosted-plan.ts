/** One plan in the host: its state, and the engine that drives it unless it has ended. */
import type { PersonAnswer } from '../../core/answers/person-answer.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { Spent } from '../../core/state/spending.ts'
import type { Instant, PlanState } from '../../core/state/state.ts'
import type { Claim, Observed, ClaimUpdate } from '../../core/watch/observed.ts'
import type { EngineParts, Proposed } from '../../engine/engine-parts.ts'
import { PlanEngine } from '../../engine/plan-engine.ts'
import type { BaseForecast } from '../../ports/base-forecast.ts'
import type { Patch } from '../../ports/checkouts.ts'
import type { StreamId } from '../../ports/event-log.ts'
import type { AnswerTaken } from '../../ports/human-reviewer.ts'
import type { Repository } from '../../ports/repositories.ts'
import type { CheckRow, PatchAsked, PlanSight, PlanWorld, WorkerFacts, WorkerPlace } from './plan-place.ts'

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
  readonly #driven: PlanEngine | PlanState
  readonly #world: Partial<PlanWorld> | null
  readonly #claims: Seen['claims']

  private constructor(
    home: PlanHome,
    driven: PlanEngine | PlanState,
    { world, claims }: { readonly world: Partial<PlanWorld> | null; readonly claims: Seen['claims'] },
  ) {
    this.home = home
    this.#driven = driven
    this.#world = world
    this.#claims = claims
  }

  /** Starts its loop. */
  static async drive(
    home: PlanHome,
    parts: EngineParts & { readonly world: PlanWorld },
  ): Promise<HostedPlan> {
    return new HostedPlan(home, await PlanEngine.start(parts), { world: parts.world, claims: new Map() })
  }

  /** A plan without an engine, for reading. */
  static readOnly(home: PlanHome, state: PlanState, seen: Seen | null = null): HostedPlan {
    return new HostedPlan(home, state, { world: seen?.sight ?? null, claims: seen?.claims ?? new Map() })
  }

  /** Whether an engine drives it; else it is read-only. */
  get isDriven(): boolean {
    return this.#driven instanceof PlanEngine
  }

  /** Do not keep a reference: it changes with the next event. */
  get state(): PlanState {
    return this.#driven instanceof PlanEngine ? this.#driven.state : this.#driven
  }

  get id(): string {
    return this.state.plan.id
  }

  /** Proposes an event from outside. It is durable when this resolves with `ok`. */
  async propose(event: PlanEvent): Promise<Proposed> {
    if (this.#driven instanceof PlanEngine) return this.#driven.propose(event)
    return { ok: false, why: `plan ${this.id} has ended` }
  }

  /** The same, for events that depend on the state at that moment. */
  async proposeAsNow(wordsNow: (state: PlanState) => readonly PlanEvent[] | string): Promise<Proposed> {
    if (this.#driven instanceof PlanEngine) return this.#driven.proposeAsNow(wordsNow)
    return { ok: false, why: `plan ${this.id} has ended` }
  }

  /** Takes a person's answer. */
  async answer(answer: PersonAnswer): Promise<AnswerTaken> {
    const human = this.#world?.human
    if (human !== undefined) return human.answer(answer)
    const refusal = {
      kind: 'over',
      why: `plan ${this.id} has ended`,
      remedy: 'List the open items: bosun inbox',
    } as const
    return { ok: false, refusal }
  }

  /** What a worker claims to have used so far. */
  noteUsage(worker: string, used: Spent, task?: string): void {
    if (this.#driven instanceof PlanEngine) this.#driven.noteUsage(worker, used, task)
  }

  noteClaim(worker: string, update: ClaimUpdate): void {
    if (this.#driven instanceof PlanEngine) this.#driven.noteClaim(worker, update)
  }

  /** Restores a claim from before this daemon started. */
  recallClaim(worker: string, claim: Claim): void {
    if (this.#driven instanceof PlanEngine) this.#driven.recallClaim(worker, claim)
  }

  noteContact(worker: string, at: Instant): void {
    if (this.#driven instanceof PlanEngine) this.#driven.noteContact(worker, at)
  }

  noteTool(worker: string, name: string, moment: { readonly isStart: boolean; readonly at: Instant }): void {
    if (this.#driven instanceof PlanEngine) this.#driven.noteTool(worker, name, moment)
  }

  setOverloaded(isOverloaded: boolean): void {
    if (this.#driven instanceof PlanEngine) this.#driven.setOverloaded(isOverloaded)
  }

  /** What is known of its workers beyond the log; null for a read-only plan. */
  get observed(): Observed | null {
    return this.#driven instanceof PlanEngine ? this.#driven.observed : null
  }

  /** The last claim of a worker; null without one. */
  claimOf(worker: string): Claim | null {
    if (this.#driven instanceof PlanEngine) return this.#driven.observed.workers.get(worker)?.claim ?? null
    return this.#claims.get(worker) ?? null
  }

  /** Why it cannot go on at the moment; null if it can or has ended. */
  get hindrance(): string | null {
    if (!(this.#driven instanceof PlanEngine) || isOver(this.#driven.state)) return null
    return this.#driven.hindrance ?? this.#world?.hindrance?.() ?? null
  }

  checkOf(task: string): CheckRow | null {
    return this.#world?.checkOf?.(task) ?? null
  }

  workerFacts(worker: string): WorkerFacts | null {
    return this.#world?.workerFacts?.(worker) ?? null
  }

  /** Null if unknown: the plan has ended, or its world has no folders. */
  async workerPlace(worker: string): Promise<WorkerPlace | null> {
    return (await this.#world?.workerPlace?.(worker)) ?? null
  }

  /** Stores the report of a worker, to be read when it ends; false if it has ended. */
  handIn(worker: string, report: Readonly<Record<string, unknown>>): boolean {
    return this.#world?.handIn?.(worker, report) ?? false
  }

  /** Null if unknown. */
  async patchOf(asked: PatchAsked): Promise<Patch | null> {
    return (await this.#world?.patchOf?.(asked)) ?? null
  }

  get evidenceFolder(): string | null {
    return this.#world?.evidenceFolder ?? null
  }

  /** Null if unknown. */
  async forecast(): Promise<BaseForecast | null> {
    return (await this.#world?.forecast?.()) ?? null
  }

  async close(): Promise<void> {
    if (this.#driven instanceof PlanEngine) await this.#driven.close()
  }
}

/** How long an ended plan is shown. */
export const SHOWN_MS = 7 * 24 * 3_600_000

/** Whether nothing can happen to the plan any more. */
export const isOver = (state: PlanState): boolean =>
  state.release.step === 'signed' ||
  // Tasks of a cancelled plan stay as they were, even in progress.
  (state.cancelled !== null &&
    [...state.active].every((task) => task.live === null && task.step !== 'collecting'))
