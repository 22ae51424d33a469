/**
 * A plan that a test drives by hand: events pass the same checks as in the engine, and after each of them the
 * rules decide as far as they can. The test is the world.
 */
import { comparePlans } from '../../src/core/planning/compare-plans.ts'
import { NO_BRANCHES } from '../../src/core/event-schemas/baseline.ts'
import { NO_EVIDENCE, type MappedCriterion } from '../../src/core/event-schemas/evidence.ts'
import { needsFeedback, needsReason, earlierFeedback } from '../../src/core/answers/answer-rules.ts'
import { rejectionReason } from '../../src/core/decide/admit.ts'
import { decisionsIn } from '../../src/core/state/decision-log.ts'
import type { Effect, Owed } from '../../src/core/decide/effects.ts'
import { checkEvent } from '../../src/core/events/codec.ts'
import type {
  GateName,
  InboxItem,
  Report,
  ReviewIssue,
  WorkerEnd,
} from '../../src/core/event-schemas/schemas.ts'
import type { EventOf, EventType, PlanEvent } from '../../src/core/events/plan-events.ts'
import { fold, type Fact } from '../../src/core/events/fold.ts'
import { questionsIn, risksIn } from '../../src/core/state/report-claims.ts'
import { owed } from '../../src/core/decide/owed.ts'
import type { TaskSpec } from '../../src/core/planning/plan.ts'
import type { Instant, PlanState, TaskState } from '../../src/core/state/state.ts'
import { nextClaim, NO_SIGNS, type ClaimUpdate, type Signs } from '../../src/core/watch/observed.ts'
import { verdictOf, type Outcomes } from './outcomes.ts'
import { anAudit, aRegistration, aReport, START, type PlanOptions } from './plan-builder.ts'

const MOST_DECISIONS = 1000

export interface Ending {
  readonly end?: WorkerEnd
  /** Which agent it was. */
  readonly agent?: string
  readonly report?: Report | null
  readonly changed?: readonly string[]
}

type Collected = EventOf<'work.collected'>
type EffectOf<K extends Effect['kind']> = Extract<Effect, { kind: K }>

export class PlayedPlan {
  state: PlanState
  now: Instant = START
  readonly facts: Fact[] = []
  /** What the harness saw of workers. */
  readonly signs = new Map<string, Signs>()

  constructor(tasks: readonly TaskSpec[], fields: PlanOptions = {}) {
    const fact = { version: 1, at: this.now, event: aRegistration(tasks, fields) }
    this.state = fold(null, fact)
    this.facts.push(fact)
  }

  get events(): readonly PlanEvent[] {
    return this.facts.map(({ event }) => event)
  }

  /** The plan with its baseline taken and its first decisions made. */
  static begun(tasks: readonly TaskSpec[], fields: PlanOptions = {}): PlayedPlan {
    return new PlayedPlan(tasks, fields).baseline()
  }

  /** Writes the event, without any decision after it. Throws when it does not fit. */
  apply(event: PlanEvent): this {
    const checked = checkEvent(JSON.parse(JSON.stringify(event)))
    const why = rejectionReason(this.state, checked)
    if (why !== null) throw new Error(`${event.type} does not fit: ${why}`)
    const fact = { version: this.state.version + 1, at: this.now, event: checked }
    this.state = fold(this.state, fact)
    this.facts.push(fact)
    return this
  }

  /** Writes the event and all that the rules decide then. */
  tell(event: PlanEvent): this {
    return this.apply(event).decide()
  }

  decide(): this {
    for (let turn = 0; turn < MOST_DECISIONS; turn++) {
      const { decision } = this.owed()
      if (decision === null) return this
      for (const event of decision) this.apply(event)
    }
    throw new Error('the rules never come to an end')
  }

  owed(): Owed {
    return owed(this.state, this.now, { since: START, workers: this.signs })
  }

  /** Time passes, and the rules look again. */
  pass(ms: number): this {
    this.now += ms
    return this.decide()
  }

  /** Something is known of the worker of this task now. */
  observe(id: string, signs: Partial<Signs>): this {
    const { worker } = this.#live(id)
    this.signs.set(worker, { ...(this.signs.get(worker) ?? NO_SIGNS), ...signs })
    return this.decide()
  }

  /** Its worker is seen to live. */
  lives(id: string, kind: keyof Signs['seen'] = 'output'): this {
    return this.observe(id, { seen: { [kind]: this.now } })
  }

  checkin(id: string, fields: Partial<ClaimUpdate> = {}): this {
    const before = this.signs.get(this.#live(id).worker)?.claim ?? null
    const silent = { step: null, nextStep: null, timeRemaining: null, issues: [], failure: null }
    const claim = { at: this.now, status: 'in_progress', percent: 40, ...silent, ...fields } as const
    return this.observe(id, { claim: nextClaim(before, claim) })
  }

  task(id: string): TaskState {
    const task = this.state.tasks.get(id)
    if (task === undefined) throw new Error(`no task ${id}`)
    return task
  }

  step(id: string): string {
    return this.task(id).step
  }

  /** What was decided about a task, in order. */
  decisions(id: string): string[] {
    return decisionsIn(this.task(id).decisions).map(({ text }) => text)
  }

  keys(): string[] {
    return this.owed().effects.map((effect) => effect.key)
  }

  /** The effect of this kind that is owed now, about this task if one is named. */
  effect<K extends Effect['kind']>(kind: K, task?: string): EffectOf<K> {
    const found = this.owed().effects.find(
      (effect): effect is EffectOf<K> =>
        effect.kind === kind && (task === undefined || isAbout(effect, task)),
    )
    if (found === undefined) throw new Error(`no ${kind} is owed, but ${this.keys().join(', ') || 'nothing'}`)
    return found
  }

  owes(kind: Effect['kind'], task?: string): boolean {
    return this.owed().effects.some(
      (effect) => effect.kind === kind && (task === undefined || isAbout(effect, task)),
    )
  }

  all<T extends EventType>(type: T): EventOf<T>[] {
    return this.events.filter((event) => event.type === type) as unknown[] as EventOf<T>[]
  }

  last<T extends EventType>(type: T): EventOf<T> {
    const found = this.all(type).at(-1)
    if (found === undefined) throw new Error(`there was no ${type}`)
    return found
  }

  baseline(...existing: string[]): this {
    return this.tell({
      type: 'plan.baselined',
      v: 2,
      sha: 'base',
      contextBlock: 'a shop in TypeScript',
      failing: [],
      start: null,
      audits: existing.map((task) => anAudit(task)),
      branches: NO_BRANCHES,
    })
  }

  started(id: string, agent?: string, candidates?: string[]): this {
    const named = agent === undefined ? {} : { agent }
    const others = candidates === undefined ? {} : { candidates }
    return this.tell({ type: 'worker.started', v: 1, ...this.#live(id), ...named, ...others })
  }

  /** Its agent has a session, which it can continue unless said otherwise. */
  session(id: string, fields: Partial<EventOf<'session.opened'>> = {}): this {
    const { worker, task, attempt } = this.#live(id)
    return this.tell({
      type: 'session.opened',
      v: 1,
      worker,
      task,
      attempt,
      session: `session-of-${worker}`,
      agent: 'goose',
      protocol: 'acp',
      continues: 'load',
      isContinued: false,
      ...fields,
    })
  }

  ended(id: string, { end = { kind: 'done' }, report = aReport(), agent }: Ending = {}): this {
    const named = agent === undefined ? {} : { agent }
    const questions = [...questionsIn(report)]
    return this.tell({ type: 'worker.ended', v: 1, ...this.#live(id), end, report, questions, ...named })
  }

  collected(id: string, changed: readonly string[] = [`src/${id}.ts`], patch = `patch-${id}`): this {
    const { worker } = this.effect('collect_work', id)
    // The same work on top of something else is another tree.
    const before = this.all('work.collected').filter((event) => event.worker === worker).length
    const tree = before === 0 ? `tree-${worker}` : `tree-${worker}-${before + 1}`
    const left = { tree, changed: [...changed], salvage: `refs/salvage/${worker}`, patch }
    return this.left(id, left)
  }

  /** Its worker left this. */
  left(id: string, left: Pick<Collected, 'tree' | 'changed' | 'salvage'> & Partial<Collected>): this {
    const { worker, attempt, onto, ahead, landings } = this.effect('collect_work', id)
    const base = { onto: onto?.tree ?? this.state.landedTree ?? 'base', ahead: [...ahead], landings }
    return this.tell({ type: 'work.collected', v: 1, worker, task: id, attempt, ...base, ...left })
  }

  /** What it wrote does not go on top of what is to land before it, or has landed. */
  conflicting(id: string): this {
    const { worker } = this.effect('collect_work', id)
    const left = { tree: `tree-${worker}`, changed: [`src/${id}.ts`], salvage: '' }
    return this.left(id, { ...left, refused: 'it conflicts', conflicts: true })
  }

  /** A worker's whole life: it starts, ends, and what it left is collected. */
  work(id: string, ending: Ending = {}): this {
    if (this.task(id).live?.step === 'launching') this.started(id, ending.agent)
    return this.ended(id, ending).collected(id, ending.changed)
  }

  gates(id: string, outcomes: Outcomes = {}, mappedBy: MappedCriterion['by'] = 'worker'): this {
    const { attempt, tree, scope, gates } = this.effect('run_gates', id)
    const mapped = this.#mapped(id).map((one) => ({ ...one, by: mappedBy }))
    const verdicts = gates.map((gate) => verdictOf(gate, outcomes, mapped))
    return this.tell({ type: 'task.gated', v: 2, task: id, attempt, tree, scope, verdicts })
  }

  /** The reviewer that was sent comes to a verdict. */
  review(id: string, ...issues: ReviewIssue[]): this {
    const verdict = issues.length === 0 ? 'approved' : 'changes_requested'
    const { worker, attempt } = this.#live(id)
    const round = this.task(id).reviewRound
    if (this.task(id).live?.step === 'launching') this.started(id)
    this.apply({ type: 'worker.ended', v: 1, ...this.#live(id), end: { kind: 'done' }, report: null })
    const words = { by: worker, verdict, summary: verdict, issues } as const
    return this.tell({ type: 'task.reviewed', v: 1, task: id, attempt, round, ...words })
  }

  /** The brain that was to read it could not. */
  unread(id: string): this {
    const { attempt, round } = this.effect('review_artifact', id)
    const words = { by: 'nobody', verdict: 'approved', summary: '', issues: [] } as const
    return this.tell({ type: 'task.reviewed', v: 1, task: id, attempt, round, ...words, issues: [] })
  }

  commit(id: string): this {
    const { attempt, draft, tag } = this.effect('commit_task', id)
    const landed = {
      sha: `sha-${id}`,
      branch: 'feat/shop/working',
      tag,
      artifacts: [`docs/reviews/${id}.md`],
      risks: [...risksIn(draft.report)],
    }
    return this.tell({ type: 'task.committed', v: 1, task: id, attempt, tree: draft.tree, ...landed })
  }

  /** Something landed since it was proven. */
  overtaken(id: string): this {
    const { attempt } = this.effect('commit_task', id)
    const reason = 'something landed since it was proven'
    return this.tell({ type: 'task.commit_refused', v: 1, task: id, attempt, reason, moved: true })
  }

  /** Everything goes well with a task that was dispatched. */
  complete(id: string, ending: Ending = {}): this {
    this.work(id, ending).gates(id)
    if (this.task(id).recheck === null && this.step(id) === 'gating') this.gates(id)
    if (this.task(id).live?.role === 'reviewer') this.review(id)
    return this.commit(id)
  }

  /** The open item about this, or the only one there is. */
  item(about?: string): InboxItem {
    const open = [...this.state.inbox.values()].map(({ item }) => item)
    const found = about === undefined ? open.at(-1) : open.find((item) => item.about === about)
    if (found === undefined) throw new Error(`nothing is asked about ${about ?? 'anything'}`)
    return found
  }

  answer(choice: string, fields: { feedback?: string; about?: string } = {}): this {
    const item = this.item(fields.about)
    const isWordy =
      needsReason(item, choice) || needsFeedback(item, choice, earlierFeedback(this.state, item))
    const { feedback = isWordy ? 'as it is' : '' } = fields
    return this.tell({ type: 'inbox.answered', v: 1, id: item.id, choice, feedback, by: 'ada' })
  }

  /** Edits the plan from one list of tasks to another. */
  edit(before: readonly TaskSpec[], after: readonly TaskSpec[], estimate?: string): this {
    const { added, removed, affected, reworded } = comparePlans(before, after)
    const fields = new Set([...added, ...reworded, ...affected])
    return this.tell({
      type: 'plan.edited',
      v: 1,
      by: 'ada',
      plan: this.state.plan,
      text: 'edited',
      sha256: 'c'.repeat(64),
      ...(estimate === undefined ? {} : { estimate }),
      settings: {},
      environment: {},
      specs: after.filter(({ id }) => fields.has(id)),
      removed: [...removed],
      affected: [...affected],
      why: Object.fromEntries(affected.map((id) => [id, `the plan was edited: ${id}`])),
      integration: [...this.state.integration],
    })
  }

  pause(stopWorkers: 'stop workers' | 'let them finish' = 'let them finish'): this {
    const stop = stopWorkers === 'stop workers'
    return this.tell({ type: 'plan.paused', v: 1, by: 'ada', reason: 'lunch', stopWorkers: stop })
  }

  resume(): this {
    return this.tell({ type: 'plan.resumed', v: 1, by: 'ada' })
  }

  cancel(): this {
    return this.tell({ type: 'plan.cancelled', v: 1, by: 'ada', reason: 'not needed' })
  }

  integration(layer: string, outcome: 'passed' | 'failed' | 'inconclusive'): this {
    const { round, tests } = this.effect('run_integration')
    const results = tests.map(({ id }) => ({
      id,
      outcome,
      output: `${id} ${outcome}`,
      values: {},
      run: null,
    }))
    this.apply({ type: 'integration.ran', v: 2, layer, round, tree: 'tip', results })
    return outcome === 'failed' && this.owes('diagnose_layer') ? this.diagnose() : this.decide()
  }

  diagnose(culprit: string | null = null): this {
    const { layer, round, tests } = this.effect('diagnose_layer')
    const diagnoses = tests.map(({ id }) => ({ test: id, culprit, words: 'looked at', probes: [] }))
    return this.tell({ type: 'integration.diagnosed', v: 1, layer, round, diagnoses })
  }

  releaseGate(outcomes: Partial<Record<GateName, 'failed' | 'inconclusive'>> = {}): this {
    const { round } = this.effect('run_release_gate')
    const gates = [...new Set<GateName>(['unit', 'lint', ...(Object.keys(outcomes) as GateName[])])]
    const verdicts = gates.map((gate) => {
      const outcome = outcomes[gate] ?? 'passed'
      return { gate, outcome, summary: `${gate} ${outcome}`, evidence: NO_EVIDENCE } as const
    })
    return this.tell({ type: 'release.gated', v: 2, round, tree: 'tip', verdicts })
  }

  failEffect(key: string, how: { readonly needsPerson?: boolean } = {}): this {
    return this.tell({ type: 'effect.failed', v: 1, effect: key, reason: 'the disk is full', ...how })
  }

  /** Each criterion where its worker says it is met. */
  #mapped(id: string): MappedCriterion[] {
    const { acceptanceCriteria } = this.task(id).spec
    return acceptanceCriteria.map((criterion) => ({ criterion, by: 'worker', file: `src/${id}.ts`, line: 1 }))
  }

  #live(id: string): { worker: string; task: string; attempt: number } {
    const { live } = this.task(id)
    if (live === null) throw new Error(`task ${id} has no worker; it is ${this.step(id)}`)
    return { worker: live.worker, task: id, attempt: live.attempt }
  }
}

function isAbout(effect: Effect, task: string): boolean {
  if ('spec' in effect) return effect.spec.id === task
  return 'task' in effect && effect.task === task
}

/** The subjects of the messages to workers so far. */
export const messagesTo = (plan: PlayedPlan): string[] =>
  plan.all('worker.told').map(({ message }) => message.about)

/** The last message reaches its worker, by its session. */
export const hears = (plan: PlayedPlan): PlayedPlan => {
  const { worker, task, attempt, message } = plan.last('worker.told')
  const heard = { worker, task, attempt, messages: [message.id] }
  return plan.tell({ type: 'worker.heard', v: 1, ...heard, via: 'session' })
}
