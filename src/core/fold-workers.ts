/** What happens to a task through its workers: sent, started, condemned, ended. */
import { SAYS_BLOCKED } from './says-blocked.ts'
import { afterDispatch } from './budgets.ts'
import type { Cause } from './events/parts.ts'
import type { EventOf } from './events/plan-events.ts'
import { breakerProbeSent, failureSeen } from './fold-breaker.ts'
import { decided, moveTask, startOver, taskIn } from './fold-moves.ts'
import { agentSeen, probeSent, providerSeen } from './fold-providers.ts'
import { reviewNeeds } from './review/review-need.ts'
import { atLeast, minus, NOTHING_SPENT, plus, spentOf, withCost, type Spent } from './spending.ts'
import { UNWATCHED, type Instant, type LiveWorker, type PlanState, type TaskState } from './state.ts'

export function dispatched(state: PlanState, event: EventOf<'task.dispatched'>, at: Instant): void {
  const task = taskIn(state, event.task)
  task.attempt = event.attempt
  task.counters = afterDispatch(task.counters, event.reason)
  task.dispatchedAt ??= at
  task.requeued = null
  if (task.tier === 'low') state.completedSinceLow = 0
  send(state, task, { worker: event.worker, role: event.role, attempt: event.attempt }, at)
  decided(task, at, event.why)
  moveTask(state, task, { to: 'launching', on: event.type, at })
}

export function reviewDispatched(state: PlanState, event: EventOf<'review.dispatched'>, at: Instant): void {
  const task = taskIn(state, event.task)
  task.reviewRound = event.round
  send(state, task, { worker: event.worker, role: 'reviewer', attempt: event.attempt }, at)
  const needs = task.tier === 'low' ? reviewNeeds(task, state.settings) : []
  if (needs.length > 0) decided(task, at, `read by a reviewer: ${needs.join('; ')}`)
}

type Sent = Pick<LiveWorker, 'worker' | 'role' | 'attempt'>

function send(state: PlanState, task: TaskState, sent: Sent, at: Instant): void {
  const fresh = { agent: null, stopCause: null, stopWhy: null, used: NOTHING_SPENT, watch: UNWATCHED }
  const live: LiveWorker = { ...sent, step: 'launching', since: at, ...fresh }
  task.live = live
  state.manned++
  probeSent(state, live, at)
  breakerProbeSent(state, live)
}

export function workerStarted(state: PlanState, event: EventOf<'worker.started'>, at: Instant): void {
  const task = taskIn(state, event.task)
  const { live } = task
  if (live !== null) {
    const agent = agentSeen(state, live, event.agent)
    task.live =
      live.step === 'launching' ? { ...live, agent, step: 'working', since: at } : { ...live, agent }
  }
  if (task.step === 'launching') moveTask(state, task, { to: 'working', on: event.type, at })
}

/** Only what is more than was known counts: a worker's word never lowers a sum. */
export function workerUsed(state: PlanState, event: EventOf<'worker.used'>): void {
  const task = taskIn(state, event.task)
  if (task.live === null) throw new Error(`${event.worker} is not alive`)
  use(state, task, { live: task.live, told: event })
}

interface Told {
  readonly live: LiveWorker
  readonly told: Spent
}

function use(state: PlanState, task: TaskState, { live, told }: Told): Spent {
  const used = atLeast(live.used, told)
  state.spending.total = plus(state.spending.total, minus(used, live.used))
  task.live = { ...live, used }
  return used
}

function settleCosts(state: PlanState, task: TaskState, told: Told): void {
  const used = use(state, task, told)
  if (used.tokens === 0 && used.usd === 0) return
  task.spent = plus(task.spent, used)
  if (told.live.role !== 'reviewer') state.spending.costs = withCost(state.spending.costs, task.tier, used)
}

export function workerCondemned(state: PlanState, event: EventOf<'worker.condemned'>, at: Instant): void {
  const task = taskIn(state, event.task)
  if (task.live === null) throw new Error(`${event.worker} is not alive`)
  task.live = { ...task.live, step: 'stopping', stopCause: event.cause, stopWhy: event.why }
  task.checkpoint = event.checkpoint ?? null
  decided(task, at, event.why)
  if (task.step !== 'reviewing') moveTask(state, task, { to: 'stopping', on: event.type, at })
}

export function workerEnded(state: PlanState, event: EventOf<'worker.ended'>, at: Instant): void {
  const task = taskIn(state, event.task)
  const live = task.live
  if (live === null) throw new Error(`${event.worker} is not alive`)
  settleCosts(state, task, { live, told: spentOf(event.report?.usage) })
  task.live = null
  state.manned--
  providerSeen(state, live, { event, at })
  failureSeen(state, event, at)
  const interruptions = event.end.kind === 'interrupted' ? task.counters.interruptions + 1 : 0
  if (interruptions !== task.counters.interruptions) task.counters = { ...task.counters, interruptions }
  if (live.role === 'reviewer') {
    if (live.stopCause === 'plan_edited') startOver(state, task, { on: event.type, at })
    else if (event.end.kind !== 'done') reviewerEnded(task, { event, at, live })
    return
  }
  if (live.step === 'stopping' && event.end.kind === 'done') {
    decided(task, at, 'near miss: it was done before it could be stopped')
  }
  task.cause = live.stopCause === 'plan_edited' ? { kind: 'plan_edited' } : causeOf(event, live.stopWhy)
  if (task.cause === null) task.cause = unclear(task, event.questions ?? [])
  task.draft = {
    worker: event.worker,
    tree: task.draft?.tree ?? '',
    changed: task.draft?.changed ?? [],
    salvage: task.draft?.salvage ?? '',
    report: event.report,
    patch: null,
    agents: agentsOf(task, event.agent),
  }
  moveTask(state, task, { to: 'collecting', on: event.type, at })
}

/** An attempt goes on with what the one before left, so whoever wrote that is an author as well. */
function agentsOf({ draft }: TaskState, agent: string | undefined): readonly string[] {
  const before = (draft?.agents ?? []).filter((name) => name !== agent)
  return agent === undefined ? before : [...before, agent]
}

/** Ends that use no budget, neither of a worker's nor of a reviewer's. */
const FREE: readonly (Cause['kind'] | undefined)[] = [
  'interrupted',
  'limited',
  'stopped_for_pause',
  'over_budget',
  'restarted',
]

/** A reviewer ended without a verdict. */
interface Ended {
  readonly event: EventOf<'worker.ended'>
  readonly at: Instant
  readonly live: LiveWorker
}

function reviewerEnded(task: TaskState, { event, at, live }: Ended): void {
  task.stepSince = at
  task.cause = causeOf(event, live.stopWhy)
  if (FREE.includes(task.cause?.kind)) return
  task.counters = { ...task.counters, reviewersLost: task.counters.reviewersLost + 1 }
  task.cause = { kind: 'reviewer_lost', reason: describeEnd(event.end) }
}

function describeEnd(end: EventOf<'worker.ended'>['end']): string {
  switch (end.kind) {
    case 'done':
      return 'it ended without a verdict'
    case 'blocked':
    case 'failed':
    case 'interrupted':
      return end.reason
    case 'stopped':
      return `stopped: ${end.cause}`
    case 'limited':
      return 'the provider set a limit'
  }
}

/** Why the next move has to be decided after this end; null for a worker that believes it is done. */
function causeOf(event: EventOf<'worker.ended'>, stopWhy: string | null): TaskState['cause'] {
  const { end, report } = event
  switch (end.kind) {
    case 'done':
      return handedIn(report)
    case 'blocked':
      return { kind: 'blocked', reason: end.reason }
    case 'failed':
      return { kind: 'lost', reason: end.reason }
    case 'interrupted':
      return { kind: 'interrupted', reason: end.reason }
    case 'limited':
      return { kind: 'limited', until: end.until }
    case 'stopped':
      if (end.cause === 'paused' || end.cause === 'cancelled') return { kind: 'stopped_for_pause' }
      if (end.cause === 'plan_edited') return { kind: 'plan_edited' }
      if (end.cause === 'restarted') return { kind: 'restarted' }
      if (end.cause === 'finished') return handedIn(report)
      if (end.cause === 'gave_up') return { kind: 'lost', reason: stopWhy ?? LOST.gave_up }
      if (end.cause === 'cannot_go_on') return { kind: 'blocked', reason: stopWhy ?? 'it cannot go on' }
      if (end.cause === 'budget') return { kind: 'over_budget', reason: 'it used more than its budget' }
      return { kind: 'lost', reason: `${LOST[end.cause]}${ownWord(stopWhy)}` }
  }
}

/** What it could not decide is asked, however sure it is of the rest. */
function unclear({ settledQuestions }: TaskState, questions: readonly string[]): TaskState['cause'] {
  const open = questions.filter((question) => !settledQuestions.includes(question))
  return open.length === 0 ? null : { kind: 'unclear', questions: open }
}

function handedIn(report: EventOf<'worker.ended'>['report']): TaskState['cause'] {
  return report?.selfAssessment === 'blocked'
    ? { kind: 'blocked', reason: report.blockers.join('; ') || 'it says it is blocked' }
    : null
}

/** What it said was in its way before it fell silent: another worker would meet the same. */
function ownWord(stopWhy: string | null): string {
  const at = stopWhy?.indexOf(SAYS_BLOCKED) ?? -1
  return stopWhy === null || at === -1 ? '' : `, and ${stopWhy.slice(at)}`
}

const LOST = {
  stalled: 'it stalled',
  zombie: 'nobody ever saw or heard it live',
  gave_up: 'it said that it failed',
  time_limit: 'it overran its time limit',
  disk_limit:
    'it took the disk from everybody else; what was too large to be saved is kept beside the clones',
  looping: 'it made the same call again and again',
  killed: 'it was killed by hand',
} as const
