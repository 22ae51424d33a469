/**
 * What is owed to this plan: decisions and effects. The answer is the same before and after a crash, so a restart is
 * one more turn of the same loop.
 */
import { formatDuration } from '../../lib/text/format-time.ts'
import { MAX_EFFECT_FAILURES } from '../state/budgets.ts'
import { effectEscalation, opened, withdrawn } from '../delivery/inbox/inbox-items.ts'
import { progressReport } from '../delivery/progress-report.ts'
import type { Effect, Owed, AskSpecialist } from './effects.ts'
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import { openTrials } from '../delivery/inbox/checks-question.ts'
import { pointsOf } from '../delivery/inbox/plan-questions.ts'
import { owedByQueue } from '../scheduling/landing-queue.ts'
import { owedByPlan } from './owed-plan.ts'
import { dispatchFirst, heldBack, owedByTask } from './owed-task.ts'
import { pickTask } from './pick-task.ts'
import { askedAbout, type Instant, type PlanState, type TaskState } from '../state/state.ts'
import { openRequest, openRequests } from '../watch/requests/requests.ts'
import { owedByBreaker } from '../watch/providers/breaker.ts'
import type { Moment } from '../watch/health.ts'
import type { Observed } from '../watch/observed.ts'
import { owedByProviders, roleFor } from '../watch/providers/parking.ts'
import { specialistId } from '../planning/ids.ts'
import { isForSpecialist, specialistRole } from '../watch/requests/ask-specialist.ts'
import { answerByRule } from '../watch/requests/request-answers.ts'
import { watchRules } from '../watch/rules.ts'

/** A failed notification blocks nothing, so no person is asked about it. */
const NOTIFICATIONS: ReadonlySet<Effect['kind']> = new Set(['tell_worker', 'report_progress'])

/** What one part of the plan owes. */
export interface Obligation {
  readonly decision?: readonly PlanEvent[] | undefined
  readonly effect?: Effect | undefined
  /** Where there may be several. */
  readonly effects?: readonly Effect[] | undefined
  readonly wakeAt?: Instant | undefined
}

export function owed(state: PlanState, now: Instant, observed: Observed): Owed {
  const list = new OwedList(state, now)
  if (state.cancelled === null) {
    for (const share of owedByProviders(state, { now, observed })) list.add(share)
    for (const share of owedByBreaker(state, now)) list.add(share)
  }
  for (const task of state.active) {
    list.add(owedByTask(state, task, { now, observed }))
    list.add({ effect: specialistToAsk(state, task) ?? undefined })
  }
  if (state.cancelled === null) {
    list.add(owedByQueue(state, now))
    for (const share of owedByPlan(state)) list.add(share)
    list.add(owedReport(state, now))
    list.add(owedPick(state, { now, observed }))
    for (const { item } of state.inbox.values()) {
      const why = whyNeedless(state, item)
      if (why !== null) list.add({ decision: [withdrawn(item.id, why)] })
    }
  }
  return list.total()
}

/** Whether anything can still happen without a person. Escalated retries do not count. */
export function canMove(state: PlanState, now: Instant): boolean {
  const observed = { since: now, workers: new Map() }
  for (const task of state.active)
    if (isMoving(state, owedByTask(state, task, { now, observed }))) return true
  if (state.cancelled !== null) return false
  for (const { decision } of owedByBreaker(state, now)) if (decision !== undefined) return true
  for (const { decision } of owedByProviders(state, { now, observed }))
    if (decision !== undefined) return true
  if (isMoving(state, owedByQueue(state, now))) return true
  for (const share of owedByPlan(state)) if (isMoving(state, share)) return true
  return isMoving(state, owedPick(state, { now, observed }))
}

function isMoving(state: PlanState, share: Obligation): boolean {
  if (share.decision !== undefined || share.wakeAt !== undefined) return true
  return effectsOf(share).some(({ key }) => !state.asked.has(askedAbout({ subject: 'effect', about: key })))
}

const effectsOf = ({ effect, effects = NONE }: Obligation): readonly Effect[] =>
  effect === undefined ? effects : effects.length === 0 ? [effect] : [effect, ...effects]
const NONE: readonly Effect[] = []

/** Collects what is owed: at most one decision, since the next one may depend on it. */
class OwedList {
  decision: readonly PlanEvent[] | null = null
  readonly #effects: Effect[] = []
  readonly #keys = new Set<string>()
  #wakeAt: Instant | null = null
  readonly #state: PlanState
  readonly #now: Instant

  constructor(state: PlanState, now: Instant) {
    this.#state = state
    this.#now = now
  }

  add(share: Obligation): void {
    if (share.decision !== undefined) this.decision ??= share.decision
    for (const effect of effectsOf(share)) this.#addEffect(effect)
    if (share.wakeAt !== undefined) this.#wake(share.wakeAt)
  }

  total(): Owed {
    this.#withdraw()
    return { decision: this.decision, effects: this.#effects, wakeAt: this.#wakeAt }
  }

  /** A failing effect is retried with growing delays, and escalated after several failures. */
  #addEffect(effect: Effect): void {
    this.#keys.add(effect.key)
    const trouble = this.#state.trouble.get(effect.key)
    if (trouble === undefined) {
      this.#effects.push(effect)
      return
    }
    const isReported = trouble.needsPerson || trouble.failures >= MAX_EFFECT_FAILURES
    if (isReported && !NOTIFICATIONS.has(effect.kind)) {
      const isAsked = this.#state.asked.has(askedAbout({ subject: 'effect', about: effect.key }))
      const item = effectEscalation(this.#state, effect, trouble.reason)
      if (!isAsked) this.decision ??= [opened(item)]
    }
    if (trouble.notBefore > this.#now) this.#wake(trouble.notBefore)
    else this.#effects.push(effect)
  }

  /** An item about an effect that is no longer owed is withdrawn. */
  #withdraw(): void {
    if (this.#state.trouble.size === 0) return
    for (const { item } of this.#state.inbox.values()) {
      if (item.subject !== 'effect' || this.#keys.has(item.about ?? '')) continue
      this.decision ??= [withdrawn(item.id, 'a retry succeeded')]
    }
  }

  #wake(at: Instant): void {
    if (this.#wakeAt === null || at < this.#wakeAt) this.#wakeAt = at
  }
}

/** Why an open item needs no answer any more; null while it does. */
function whyNeedless(state: PlanState, item: InboxItem): string | null {
  const { subject, about, task } = item
  if (subject === 'provider') return state.parked.has(about ?? '') ? null : 'the agent works again'
  if (subject === 'paused') return state.paused === null ? 'the plan goes on' : null
  if (subject === 'checks')
    return state.baseline !== null && openTrials(state).length === 0 ? 'it was decided elsewhere' : null
  if (subject === 'plan_question')
    return pointsOf(state, item) === null ? 'it needs no answer any more' : null
  if (subject !== 'worker' && subject !== 'request') return null
  const { live = null } = state.tasks.get(task ?? '') ?? {}
  if (live === null || live.step === 'stopping') return 'the worker has stopped'
  if (subject === 'worker') return live.worker === about ? null : 'the worker has stopped'
  return openRequest(live, about ?? '') === null ? 'it no longer needs an answer' : null
}

function owedReport(state: PlanState, now: Instant): Obligation {
  if (state.paused !== null || state.baseline === null || state.release.step === 'signed') return {}
  const { due, lastAt } = state.progress
  const nextAt = lastAt + state.settings.reportEveryMs
  const isWorking = state.holding.size > 0
  const why =
    due ?? (isWorking && nextAt <= now ? `${formatDuration(state.settings.reportEveryMs)} passed` : null)
  if (why === null) return isWorking ? { wakeAt: nextAt } : {}
  return { effect: { kind: 'report_progress', key: `report ${lastAt}`, why, text: progressReport(state) } }
}

/** The next task to start, unless something has to be settled first. */
function owedPick(state: PlanState, { now, observed }: Moment): Obligation {
  // An overloaded watch gets no more workers.
  if (observed.isOverloaded === true && state.holding.size > 0) return {}
  if (state.paused !== null || state.pauseDue !== null || state.baseline === null) return {}
  if (openTrials(state).length > 0) return {}
  for (const layer of state.layers.values())
    if (layer.status === 'due' || layer.status === 'failed') return {}
  const task = pickTask(state)
  if (task === undefined) return {}
  const role = roleFor(task, task.requeued ?? 'first')
  return heldBack(state, task, { role, now }) ?? { decision: [dispatchFirst(state, task)] }
}

/** The questions of a task's worker that a specialist is asked, one at a time. */
function specialistToAsk(state: PlanState, task: TaskState): AskSpecialist | null {
  const { live, spec, tier } = task
  if (live === null || live.step !== 'working' || state.cancelled !== null) return null
  const rules = watchRules(state.settings)
  const request = openRequests(live).find(
    (one) =>
      isForSpecialist({ state, live, request: one, rules }) &&
      answerByRule({ state, task, live, request: one }) === null,
  )
  if (request === undefined) return null
  const { worker, attempt, agent } = live
  const { kind, text } = request
  return {
    kind: 'ask_specialist',
    key: `specialist ${request.id}`,
    worker,
    task: spec.id,
    attempt,
    request: request.id,
    specialist: specialistId(request.id),
    question: { asker: worker, agent, kind, text, to: specialistRole(request) },
    spec,
    tier,
    timeLimitMs: rules.specialistMs,
  }
}
