/** A worker ended. How it ended determines the task's next move. */
import { z } from 'zod'
import { failureSeen, providerSeen } from '../../fold/providers.ts'
import { decided, moveTask, startOver, taskIn } from '../../fold/moves.ts'
import { liveIn, noteUse, type Use } from '../../fold/watch.ts'
import { sessionToContinue } from '../../state/agent-session.ts'
import { lastWordsOf, SAYS_BLOCKED } from '../../state/report-claims.ts'
import { plus, spentAtEnd, withCost } from '../../state/spending.ts'
import type { Instant, LiveWorker, PlanState, TaskState } from '../../state/state.ts'
import { always, eventShape, type EventDefinition, type EventIn } from '../define.ts'
import {
  ofWorker,
  reportSchema,
  text,
  usageSchema,
  workerEndSchema,
  type Cause,
} from '../../event-schemas/schemas.ts'
import { type StopCause } from '../../event-schemas/stop-causes.ts'
import { rejectUnlessLive } from '../rejections.ts'
import { cut, fact, aboutWorker } from '../rendering.ts'

const shape = eventShape('worker.ended', 1, () => ({
  ...ofWorker,
  end: workerEndSchema,
  report: reportSchema.nullable(),
  /** Its agent. */
  agent: text.optional(),
  /** Questions in its report that only a person can settle; absent in older logs. */
  questions: z.array(text).optional(),
  /** What it used, as its agent counts it. */
  usage: usageSchema.optional(),
  /** The end of its text or output, on one line. */
  lastWords: text.optional(),
  /** A reviewer that ended by itself, was asked for its verdict once more, and gave none. */
  hasNoVerdict: z.literal(true).optional(),
}))
type Ended = EventIn<typeof shape>

export const workerEnded: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: (state, event) => rejectUnlessLive(state, event, always),
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const live = liveIn(task, event.worker)
    settleCosts(state, task, { live, spent: spentAtEnd(event) })
    task.live = null
    state.manned--
    providerSeen(state, live, { event, at })
    failureSeen(state, event, at)
    const interruptions = event.end.kind === 'interrupted' ? task.counters.interruptions + 1 : 0
    if (interruptions !== task.counters.interruptions) task.counters = { ...task.counters, interruptions }
    forgetSession(task, live, event)
    if (live.role === 'reviewer') {
      if (live.stopCause === 'plan_edited') startOver(state, task, { on: event.type, at })
      else if (event.end.kind !== 'done') reviewerEnded(task, { event, at, live })
      return
    }
    if (live.step === 'stopping' && event.end.kind === 'done') {
      decided(task, at, 'near miss: it finished before it could be stopped')
    }
    const isTakenOver = live.stopCause === 'taken_over'
    task.cause = live.stopCause === 'plan_edited' ? { kind: 'plan_edited' } : causeOf(event, live.stopWhy)
    if (isTakenOver) task.cause = null
    else task.cause = unclear(task, event) ?? task.cause
    task.lastWords = event.lastWords ?? null
    task.draft = {
      worker: event.worker,
      tree: task.draft?.tree ?? '',
      changed: task.draft?.changed ?? [],
      salvage: task.draft?.salvage ?? '',
      report: event.report,
      patch: null,
      agents: agentsOf(task, event.agent),
      ended: endLine(event.end),
      people: task.draft?.people ?? [],
      base: task.draft?.base ?? null,
    }
    moveTask(state, task, { to: isTakenOver ? 'taken_over' : 'collecting', on: event.type, at })
  },
  render: (event) => {
    const { worker, end, report, hasNoVerdict } = event
    const isSilent = end.kind === 'done' && report === null && !isReviewer(worker)
    const how = isSilent && event.lastWords !== undefined ? 'ended without a report' : endLine(end)
    const words = isSilent || hasNoVerdict === true ? lastWordsOf(event) : ''
    return aboutWorker(event, `${worker} ended: ${how}${words}`, endFact(event))
  },
}

/** Ends after which the session itself may be what is wrong. */
const SPOILT: readonly StopCause[] = ['looping', 'zombie', 'plan_edited']

function forgetSession(task: TaskState, live: LiveWorker, { end, hasNoVerdict }: Ended): void {
  const isSpoilt = end.kind === 'stopped' && SPOILT.includes(end.cause)
  if (live.role === 'reviewer') {
    // It is prompted again once, in this session or in the next; then another reviewer begins.
    const isTried = hasNoVerdict === true || end.kind === 'done' || task.reviewSession?.isContinued === true
    if (isSpoilt || isTried) task.reviewSession = null
  } else if (isSpoilt) task.session = null
}

function settleCosts(state: PlanState, task: TaskState, use: Use): void {
  const used = noteUse(state, task, use)
  if (used.tokens === 0 && used.usd === 0) return
  task.spent = plus(task.spent, used)
  if (use.live.role !== 'reviewer') state.spending.costs = withCost(state.spending.costs, task.tier, used)
}

const isReviewer = (worker: string): boolean => /-review-\d+$/.test(worker)

/** An attempt continues the work of the previous one, so that one's agent is an author as well. */
function agentsOf({ draft }: TaskState, agent: string | undefined): readonly string[] {
  const before = (draft?.agents ?? []).filter((name) => name !== agent)
  return agent === undefined ? before : [...before, agent]
}

/** Ends that use no budget. */
const FREE: readonly (Cause['kind'] | undefined)[] = [
  'interrupted',
  'limited',
  'stopped_for_pause',
  'over_budget',
  'restarted',
]

/** A reviewer ended without a verdict. */
interface LostReview {
  readonly event: Ended
  readonly at: Instant
  readonly live: LiveWorker
}

function reviewerEnded(task: TaskState, { event, at, live }: LostReview): void {
  task.stepSince = at
  task.cause = causeOf(event, live.stopWhy)
  if (FREE.includes(task.cause?.kind)) return
  // Its session is continued before another reviewer begins.
  const isOver = sessionToContinue(task, 'reviewer') === null
  const reviewersLost = task.counters.reviewersLost + (isOver ? 1 : 0)
  task.counters = { ...task.counters, reviewersLost }
  task.cause = {
    kind: 'reviewer_lost',
    reason: 'reason' in event.end ? event.end.reason : endLine(event.end),
    ...(event.hasNoVerdict === true && event.lastWords !== undefined ? { lastWords: event.lastWords } : {}),
  }
}

/** Why the next move has to be decided after this end; null for a worker that reports success. */
function causeOf({ end, report }: Ended, stopWhy: string | null): TaskState['cause'] {
  switch (end.kind) {
    case 'done':
      return causeOfReport(report)
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
      // Of a reviewer, or of one whose takeover an edit of the plan came before.
      if (end.cause === 'restarted' || end.cause === 'taken_over') return { kind: 'restarted' }
      if (end.cause === 'finished') return causeOfReport(report)
      if (end.cause === 'gave_up') return { kind: 'lost', reason: stopWhy ?? LOST.gave_up }
      if (end.cause === 'cannot_go_on') return { kind: 'blocked', reason: stopWhy ?? 'it cannot continue' }
      if (end.cause === 'budget') return { kind: 'over_budget', reason: 'it exceeded its budget' }
      return { kind: 'lost', reason: `${LOST[end.cause]}${reportedBlocker(stopWhy)}` }
  }
}

/** Open questions go to a person, however confident the report is, and also where they are what blocks the worker. */
function unclear(
  { cause, settledQuestions }: TaskState,
  { questions = [], report }: Ended,
): TaskState['cause'] {
  const open = questions.filter((question) => !settledQuestions.includes(question))
  const isAsked = cause?.kind === 'blocked' && open.some((one) => report?.ambiguities?.includes(one))
  return open.length > 0 && (cause === null || isAsked) ? { kind: 'unclear', questions: open } : null
}

function causeOfReport(report: Ended['report']): TaskState['cause'] {
  return report?.selfAssessment === 'blocked'
    ? { kind: 'blocked', reason: report.blockers.join('; ') || 'it reported that it is blocked' }
    : null
}

/** The blocker it reported before it fell silent: another worker would meet the same. */
function reportedBlocker(stopWhy: string | null): string {
  const at = stopWhy?.indexOf(SAYS_BLOCKED) ?? -1
  return stopWhy === null || at === -1 ? '' : `, and ${stopWhy.slice(at)}`
}

const LOST = {
  stalled: 'it stalled',
  zombie: 'it never gave a sign of life',
  gave_up: 'it reported failure',
  time_limit: 'it exceeded its time limit',
  disk_limit: 'it filled the disk; files too large to save are kept beside the clones',
  looping: 'it kept repeating the same call',
  killed: 'it was killed by a person',
} as const

const ENDED = {
  done: 'worker_completed',
  blocked: 'worker_blocked',
  failed: 'worker_failed',
  stopped: 'worker_killed',
  interrupted: 'worker_interrupted',
  limited: 'worker_limited',
} as const

/** A worker that was stopped after it had reported, or for a person to go on, was not killed. */
const STOPPED: Partial<Record<StopCause, string>> = {
  finished: ENDED.done,
  gave_up: ENDED.failed,
  cannot_go_on: ENDED.failed,
  taken_over: ENDED.interrupted,
}

function endFact({ end, attempt }: Ended) {
  switch (end.kind) {
    case 'done':
      return fact(ENDED.done, { attempt })
    case 'blocked':
    case 'failed':
    case 'interrupted':
      return fact(ENDED[end.kind], { attempt, reason: cut(end.reason) })
    case 'stopped':
      return fact(STOPPED[end.cause] ?? ENDED.stopped, { attempt, cause: end.cause })
    case 'limited':
      return fact(ENDED.limited, { attempt, until_ms: end.until })
  }
}

function endLine(end: Ended['end']): string {
  switch (end.kind) {
    case 'done':
      return 'reported done'
    case 'blocked':
    case 'failed':
    case 'interrupted':
      return `${end.kind}, ${end.reason}`
    case 'stopped':
      return end.cause === 'killed' ? 'killed by a person' : `stopped, ${end.cause.replaceAll('_', ' ')}`
    case 'limited':
      return end.signIn === undefined ? 'provider limit' : 'not signed in'
  }
}
