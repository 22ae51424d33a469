/** What a task in progress owes: a decision, an effect, or a later wake-up. */
import { wholeChange } from './whole-change.ts'
import { backoffMs, MAX_INCONCLUSIVE, MAX_INTERRUPTIONS, MAX_REVIEWERS_LOST } from '../state/budgets.ts'
import { atStart } from '../delivery/inbox/checks-question.ts'
import {
  approvalItem,
  ask,
  budgetEscalation,
  opened,
  taskEscalation,
  takeoverItem,
  withdrawn,
} from '../delivery/inbox/inbox-items.ts'
import { earlierWorkOf } from '../state/earlier-work.ts'
import { collectKey, nextBase, mayLand, mayProve } from '../scheduling/landing-queue.ts'
import { assessment, isUnjudged } from './assess-failure.ts'
import { nextMove, type Relaunch } from './next-move.ts'
import { hasFreeSlot } from './pick-task.ts'
import { quickReview } from './quick-review.ts'
import type { CommitTask, Effect } from './effects.ts'
import { decisionsOf, startWorker } from './start-worker.ts'
import type { Role } from '../event-schemas/schemas.ts'
import type { StopCause } from '../event-schemas/stop-causes.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import { confirmationOf } from '../review/criteria-results.ts'
import { gatesDue } from '../fold/proof.ts'
import { isAllUntried } from '../gates/written-findings.ts'
import type { Obligation } from './owed.ts'
import { reviewTier } from '../review/review-need.ts'
import { reviewerId, taskName, workerId } from '../planning/ids.ts'
import { tierOfPaths } from '../planning/tiers.ts'
import { NOTHING_SPENT } from '../state/spending.ts'
import { askedAbout, type Instant, type LiveWorker, type PlanState, type TaskState } from '../state/state.ts'
import type { Message } from '../event-schemas/watch.ts'
import { heldByBreaker, isCommon } from '../watch/providers/breaker.ts'
import { costBlock, costStop, taskOverrun } from '../watch/costs.ts'
import type { LiveMoment, Moment } from '../watch/health.ts'
import { deliveryTime } from '../watch/message-delivery.ts'
import { heldByProvider, roleFor } from '../watch/providers/parking.ts'
import { watchOver } from '../watch/watch-worker.ts'

export function owedByTask(state: PlanState, task: TaskState, moment: Moment): Obligation {
  if (task.live !== null) return owedByWorker(state, task, { ...moment, live: task.live })
  if (task.step === 'taken_over') return owedByTakeover(state, task)
  if (state.cancelled !== null && task.step !== 'collecting') return {}
  switch (task.step) {
    case 'collecting':
      return collect(state, task)
    case 'gating':
      return owedByGating(state, task)
    case 'reviewing':
      return owedByReview(state, task, moment.now)
    case 'awaiting_person':
      return isAsked(state, task) ? {} : { decision: [opened(approvalItem(state, task))] }
    case 'committing':
      return mayLand(state, task) ? { effect: commit(state, task) } : {}
    case 'deciding':
      return state.paused === null ? owedByDecision(state, task, moment.now) : {}
    case 'pending':
    case 'ready':
    case 'launching':
    case 'working':
    case 'stopping':
    case 'completed':
    case 'failed':
    case 'escalated':
      return {}
  }
}

const isAsked = (state: PlanState, task: TaskState): boolean =>
  state.pauseDue !== null ||
  state.paused !== null ||
  state.asked.has(askedAbout({ subject: 'task', about: task.spec.id }))

function owedByWorker(state: PlanState, task: TaskState, moment: LiveMoment): Obligation {
  const { live } = moment
  if (live.step === 'stopping') return { effect: stop(task, live) }
  const { worker, attempt } = live
  const condemned = (cause: StopCause, why: string): Obligation => ({
    decision: [{ type: 'worker.condemned', v: 1, worker, task: task.spec.id, attempt, cause, why }],
  })
  if (state.cancelled !== null) return condemned('cancelled', 'the plan was cancelled')
  if (state.paused?.stopWorkers === true) return condemned('paused', 'the plan was paused with its workers')
  if (live.step === 'launching') return { effect: startWorker(state, task, live) }
  const tooMuch = costStop(state, task, live)
  if (tooMuch !== null) return condemned('budget', tooMuch)
  return { ...watchOver(state, task, moment), effects: owedToWorker(task, live) }
}

const NONE: readonly Effect[] = []
const isAtOnce = (message: Message): boolean => deliveryTime(message) === 'at_once'

/**
 * Undelivered decisions about a worker: its time, then every message that waits. None keeps another back or takes it back: the
 * next prompt of its agent has all of them.
 */
function owedToWorker(task: TaskState, live: LiveWorker): readonly Effect[] {
  const { worker, attempt, watch } = live
  const { extraMs, extendedMs, pause, heldMs, isClockHeld } = watch
  const isHeld = pause !== null
  // Asked for every worker at every look, and mostly nothing is owed (bench/idle-workers).
  if (watch.waiting.length === 0 && isHeld === isClockHeld && extraMs === extendedMs) return NONE
  const about = { worker, task: task.spec.id, attempt }
  // A permission that its agent waits for comes first.
  const waiting = watch.waiting.toSorted((a, b) => Number(isAtOnce(b)) - Number(isAtOnce(a)))
  const messages = waiting.map((message): Effect => ({
    kind: 'tell_worker',
    key: `tell ${worker} ${message.id}`,
    ...about,
    message,
  }))
  if (isHeld !== isClockHeld)
    return [{ kind: 'hold_worker', key: `hold ${worker} ${isHeld} ${heldMs}`, ...about, isHeld }, ...messages]
  if (extraMs === extendedMs) return messages
  const limitMs = task.spec.timeBudgetMs + extraMs
  return [
    { kind: 'extend_worker', key: `extend ${worker} ${extraMs}`, ...about, extraMs, limitMs },
    ...messages,
  ]
}

function owedByGating(state: PlanState, task: TaskState): Obligation {
  const raise = tierRaise(task)
  if (raise !== null) return { decision: [raise] }
  const isForPerson =
    task.cause?.kind === 'gates_inconclusive' &&
    (isAllUntried(task.verdicts) || task.refusal?.isRepeated === true)
  if ((isForPerson || task.counters.inconclusive > MAX_INCONCLUSIVE) && task.cause !== null) {
    return state.paused === null ? { decision: [opened(taskEscalation(state, task, task.cause))] } : {}
  }
  if (!mayProve(state, task)) return {}
  const scope = task.recheck === null ? 'all' : 'failed'
  const { spec, tier, attempt } = task
  return {
    effect: {
      kind: 'run_gates',
      key: `gates ${spec.id} ${attempt} ${scope} ${task.counters.inconclusive}`,
      spec,
      tier,
      attempt,
      tree: task.draft?.tree ?? '',
      scope,
      gates: gatesDue(task),
      baselineFailing: state.baseline?.failing ?? [],
      report: task.draft?.report ?? null,
      earlierWork: earlierWorkOf(spec, task.doneBefore),
      whole: spec.repairs !== undefined ? wholeChange(state) : null,
      ...atStart(state),
    },
  }
}

/** The actual change may make a task critical, regardless of the plan. */
function tierRaise(task: TaskState): PlanEvent | null {
  if (task.tier === 'critical') return null
  const found = tierOfPaths(task.draft?.changed ?? [], task.draft?.scan?.notMigrations)
  const reasons = [...(found.tier === 'critical' ? found.reasons : []), ...(task.draft?.scan?.touches ?? [])]
  if (reasons.length === 0) return null
  return { type: 'task.tier_raised', v: 1, task: task.spec.id, tier: 'critical', reasons }
}

function owedByReview(state: PlanState, task: TaskState, now: Instant): Obligation {
  const { spec, attempt, counters } = task
  if (reviewTier(task, state.settings) === 'low' || state.settings.reviewByRules === true)
    return quickReview(state, task)
  if (state.paused !== null) return {}
  const { cause } = task
  const isEnough =
    cause?.kind === 'interrupted'
      ? counters.interruptions >= MAX_INTERRUPTIONS
      : counters.reviewersLost > MAX_REVIEWERS_LOST
  if (isEnough && cause !== null && !isCommon(state, cause))
    return { decision: [opened(taskEscalation(state, task, cause))] }
  if (cause?.kind === 'over_budget' && taskOverrun(state, task, NOTHING_SPENT) !== null) {
    return { decision: [opened(taskEscalation(state, task, cause))] }
  }
  const notBefore = nextReviewAt(task)
  if (notBefore > now && !isCommon(state, cause)) return { wakeAt: notBefore }
  const held = heldBack(state, task, { role: 'reviewer', now })
  if (held !== null) return held
  if (!hasFreeSlot(state)) return {}
  const round = task.reviewRound + 1
  const worker = reviewerId(state.plan.id, spec.id, attempt, round)
  return { decision: [{ type: 'review.dispatched', v: 1, task: spec.id, attempt, round, worker }] }
}

function nextReviewAt({ cause, counters, stepSince }: TaskState): Instant {
  return cause?.kind === 'reviewer_lost' ? stepSince + backoffMs(counters.reviewersLost) : stepSince
}

/** The next move of a task that failed: another worker within its budget, or a person. */
function owedByDecision(state: PlanState, task: TaskState, now: Instant): Obligation {
  const { cause } = task
  if (cause === null) throw new Error(`task ${task.spec.id} is deciding without a cause`)
  const move = nextMove(state, task, cause)
  const proposed = move === 'escalate' ? null : assessment(state, task, { cause, reason: move.reason })
  if (move === 'escalate' || proposed === 'escalate')
    return { decision: [opened(taskEscalation(state, task, cause))] }
  if (proposed !== null) return { effect: proposed }
  if (move.notBefore > now) return { wakeAt: move.notBefore }
  const held = heldBack(state, task, { role: roleFor(task, move.reason), now })
  if (held !== null) return held
  if (!hasFreeSlot(state)) return {}
  const why = isUnjudged(state, cause) ? `${move.why} (not judged: no model)` : move.why
  return { decision: [dispatch(state, task, { ...move, why })] }
}

/** Why no worker may be dispatched for this now; null when one may. */
export function heldBack(
  state: PlanState,
  task: TaskState,
  { role, now }: { readonly role: Role; readonly now: Instant },
): Obligation | null {
  return heldByBreaker(state, now) ?? heldByProvider(state, role, now) ?? heldByBudget(state, task)
}

/** A plan that has used up its budget asks once and waits. Null while it may spend. */
function heldByBudget(state: PlanState, task: TaskState): Obligation | null {
  const block = costBlock(state, task)
  return block === null ? null : ask(state, budgetEscalation(state, block))
}

function dispatch(
  state: PlanState,
  task: TaskState,
  { reason, why }: Pick<Relaunch, 'reason' | 'why'>,
): PlanEvent {
  const attempt = task.attempt + 1
  const worker = workerId(state.plan.id, task.spec.id, attempt)
  const role = roleFor(task, reason)
  return { type: 'task.dispatched', v: 1, task: task.spec.id, attempt, worker, role, reason, why }
}

/** Dispatches a task from the queue. */
export function dispatchFirst(state: PlanState, task: TaskState): PlanEvent {
  const reason = task.requeued ?? 'first'
  const starved = task.tier === 'low' && state.completedSinceLow >= state.settings.antiStarvationInterval
  const why = starved
    ? `low task after ${state.completedSinceLow} completions of higher tiers`
    : `${task.tier}, next in order${reason === 'first' ? '' : ` (${reason})`}`
  return dispatch(state, task, { reason, why })
}

function stop(task: TaskState, live: LiveWorker): Effect {
  const { worker, attempt, role } = live
  const cause = live.stopCause ?? 'cancelled'
  return { kind: 'stop_worker', key: `stop ${worker}`, worker, task: task.spec.id, attempt, role, cause }
}

function collect(state: PlanState, task: TaskState): Obligation {
  const base = nextBase(state, task)
  if (base === null) return {}
  const about = { worker: task.draft?.worker ?? '', task: task.spec.id, attempt: task.attempt }
  const { landings } = state
  return { effect: { kind: 'collect_work', key: collectKey(task), ...about, ...base, landings } }
}

function commit(state: PlanState, task: TaskState): Effect {
  const { spec, tier, attempt, draft, review, pastReviews } = task
  if (draft === null) throw new Error(`task ${spec.id} has nothing to commit`)
  const isTagged = tier === 'critical' && state.settings.checkpointTags
  return {
    kind: 'commit_task',
    key: `commit ${spec.id} ${attempt}`,
    spec,
    tier,
    attempt,
    draft,
    proof: { verdicts: task.verdicts ?? [], overrides: task.overrides },
    review,
    confirmation: confirmationOf(task, attempt),
    ...approvalOf(task),
    pastReviews,
    ...decisionsOf(task),
    help: task.help,
    tag: isTagged ? `pm/${state.plan.id}/checkpoint-${taskName(spec.id)}` : null,
  }
}

function approvalOf({ confirmedBy, attempt }: TaskState): {
  readonly approval?: NonNullable<CommitTask['approval']>
} {
  if (confirmedBy?.diffOpened === undefined || confirmedBy.attempt !== attempt) return {}
  return { approval: { by: confirmedBy.by, diffOpened: confirmedBy.diffOpened } }
}

/** A question is open until the person hands the work back; a cancelled plan saves it and ends. */
function owedByTakeover(state: PlanState, task: TaskState): Obligation {
  const item = takeoverItem(state, task)
  const open = [...state.inbox.values()].find((one) => askedAbout(one.item) === askedAbout(item))
  if (open === undefined) return { decision: [opened(item)] }
  if (state.cancelled === null) return {}
  return { decision: [withdrawn(open.item.id, 'the plan was cancelled')] }
}
