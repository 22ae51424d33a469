/**
 * The invariants for each event, checked before the ledger records it. They are kept apart from the events'
 * definitions on purpose, and use only the events and the simulated world.
 */
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { EventOf, EventType, PlanEvent } from '../../core/events/plan-events.ts'
import { TIERS } from '../../core/planning/plan.ts'
import {
  alertBreaks,
  condemnationBreaks,
  messageBreaks,
  overdueBreaks,
  type WorkersTruth,
} from './check-watch.ts'
import type { Ledger, TaskRecord } from './ledger.ts'
import { answeredBreaks, receivedBreaks, unansweredBreaks } from './request-records.ts'
import { askingBreaks, freeingBreaks, sendingBreaks } from './provider-rules.ts'

/** Facts of the simulated world that are in no event. */
export interface Truth extends WorkersTruth {
  isSound(tree: string): boolean
  /** Whether this worker's own work is sound, regardless of its base. */
  wroteSound(worker: string): boolean
  /** Whether its work was saved so far. */
  isSaved(worker: string): boolean
  landed(): readonly { readonly task: string; readonly tree: string; readonly sha: string }[]
}

/** A PM that was away does first what was due meanwhile. */
const CATCHING_UP_MS = 60_000

/** The violated invariant, or null. */
export function brokenBy(ledger: Ledger, event: PlanEvent, truth: Truth): string | null {
  const overdue =
    truth.sawForMs() < CATCHING_UP_MS ? null : unansweredBreaks(ledger.requests, truth.now().elapsedMs)
  return overdue ?? eventBreaks(ledger, event, truth)
}

type Check<E> = (ledger: Ledger, event: E, truth: Truth) => string | null

function eventBreaks(ledger: Ledger, event: PlanEvent, truth: Truth): string | null {
  const check = CHECKS[event.type] as Check<PlanEvent> | undefined
  return check?.(ledger, event, truth) ?? null
}

/** Events without an entry may happen at any time. */
const CHECKS: { readonly [T in EventType]?: Check<EventOf<T>> } = {
  'request.received': (ledger, event) => receivedBreaks(ledger.requests, event),
  'request.answered': (ledger, event) => answeredBreaks(ledger.requests, event),
  'task.dispatched': (ledger, event, truth) =>
    dispatchBreaks(ledger, event) ??
    blameBreaks(ledger, event, truth) ??
    sendingBreaks(ledger, event, truth.now()),
  'review.dispatched'(ledger, event, truth) {
    if (ledger.paused) return 'a reviewer was dispatched while the plan is paused'
    return ledger.task(event.task).live === null
      ? sendingBreaks(ledger, event, truth.now())
      : 'a reviewer was dispatched while a worker is on the task'
  },
  'provider.freed': (ledger, event, truth) => freeingBreaks(ledger, event, truth.now()),
  'worker.condemned': (ledger, event, truth) =>
    ofUnknownWorker(ledger, event) ??
    condemnationBreaks(ledger, event, truth) ??
    overdueBreaks(ledger, event.worker, truth),
  'worker.ended': (ledger, event, truth) =>
    ofUnknownWorker(ledger, event) ??
    overdueBreaks(ledger, event.worker, truth) ??
    lossBreaks(ledger, event, truth),
  'worker.told': (ledger, event, truth) =>
    ofUnknownWorker(ledger, event) ?? messageBreaks(ledger, event, truth),
  'worker.started': ofUnknownWorker,
  'session.opened': ofUnknownWorker,
  'worker.judged': ofUnknownWorker,
  'tests.reported': ofUnknownWorker,
  'contract.changed': ofUnknownWorker,
  'worker.heard': ofUnknownWorker,
  'message.read': ofUnknownWorker,
  'specialist.answered': ofUnknownWorker,
  'worker.extended': ofUnknownWorker,
  'time.granted': ofUnknownWorker,
  'worker.paused': ofUnknownWorker,
  'worker.resumed': ofUnknownWorker,
  'worker.clock_set': ofUnknownWorker,
  'worker.used': ofUnknownWorker,
  'checkin.missed': ofUnknownWorker,
  'watch.would': ofUnknownWorker,
  'task.failure_assessed': thoughtBreaks,
  'task.reviewed': reviewBreaks,
  'task.committed': commitBreaks,
  'plan.extended'(ledger, { because, about }) {
    const rounds = (ledger.rounds.get(`${because} ${about}`) ?? 0) + 1
    return rounds > 2 ? `${because} of ${about} got round ${rounds}` : null
  },
  'inbox.opened'(ledger, event, truth) {
    const { item } = event
    if (item.subject === 'plan_question') return pointBreaks(ledger, item)
    if (item.subject !== 'task' || item.task === null) {
      return askingBreaks(ledger, event) ?? alertBreaks(ledger, event, truth)
    }
    const isOpen = [...ledger.items.values()].some(
      (open) => open.subject === 'task' && open.task === item.task,
    )
    return isOpen ? `task ${item.task} is asked about twice` : null
  },
  'inbox.answered': answerBreaks,
  'release.prepared': releaseBreaks,
}

/** Each open point is asked once, and few at a time. */
function pointBreaks({ items }: Ledger, { about }: InboxItem): string | null {
  const open = [...items.values()].filter(({ subject }) => subject === 'plan_question')
  if (open.some((item) => item.about === about)) return `${about ?? ''} is asked about twice`
  return open.length >= 5 ? `${open.length + 1} open points are asked about at once` : null
}

/** Events about ended or unknown workers are violations. */
function ofUnknownWorker(
  ledger: Ledger,
  { type, worker, task }: { readonly type: string; readonly worker: string; readonly task: string },
): string | null {
  return ledger.task(task).live === worker ? null : `${type} for ${worker}, which is not on task ${task}`
}

/** The brain is asked about a failure, and never while a worker is on the task. */
function thoughtBreaks(ledger: Ledger, { task }: EventOf<'task.failure_assessed'>): string | null {
  const { live } = ledger.task(task)
  return live === null ? null : `a failure was assessed while ${live} is on task ${task}`
}

function lossBreaks(ledger: Ledger, { worker, end }: EventOf<'worker.ended'>, truth: Truth): string | null {
  const hasWork = ledger.roles.get(worker) !== 'reviewer'
  return end.kind === 'stopped' && hasWork && !truth.isSaved(worker)
    ? `${worker} was stopped before its work was saved`
    : null
}

function dispatchBreaks(ledger: Ledger, event: EventOf<'task.dispatched'>): string | null {
  const task = ledger.task(event.task)
  const id = event.task
  if (ledger.paused) return `task ${id} was dispatched while the plan is paused`
  if (ledger.cancelled) return `task ${id} was dispatched after the plan was cancelled`
  if (!ledger.baselined) return `task ${id} was dispatched before the baseline`
  if (ledger.workers.has(event.worker)) return `${event.worker} was dispatched twice`
  if (task.live !== null) return `task ${id} got a second worker while ${task.live} lives`
  if (event.attempt !== task.attempt + 1)
    return `task ${id} went from attempt ${task.attempt} to ${event.attempt}`
  if (task.where === 'completed') return `task ${id} was dispatched after it was completed`
  const missing = task.spec.dependsOn.find((need) => ledger.tasks.get(need)?.where !== 'completed')
  if (missing !== undefined) return `task ${id} was dispatched before ${missing} was completed`
  const [undecided] = task.open
  if (undecided !== undefined) return `task ${id} was dispatched while "${undecided}" is open`
  return budgetBreaks(ledger, task, event) ?? (task.where === 'busy' ? null : pickBreaks(ledger, task))
}

/** A task is not to blame for gates that fail because of its base, unless a person overrode the failures of that base. */
function blameBreaks(ledger: Ledger, event: EventOf<'task.dispatched'>, truth: Truth): string | null {
  const { gated, tree, change, onto } = ledger.task(event.task)
  const isForGates =
    event.reason === 'fix' && gated?.tree === tree && [...gated.bad.values()].includes('failed')
  const [worker = ''] = change?.split(' ') ?? []
  return isForGates && truth.wroteSound(worker) && !isOnOverridden(ledger, onto)
    ? `task ${event.task} was sent back for gates that failed because of the work of others`
    : null
}

function isOnOverridden(ledger: Ledger, tree: string | null): boolean {
  const below = [...ledger.tasks.values()].find((task) => tree !== null && task.tree === tree)
  return below !== undefined && (below.waived.size > 0 || isOnOverridden(ledger, below.onto))
}

function budgetBreaks(ledger: Ledger, task: TaskRecord, event: EventOf<'task.dispatched'>): string | null {
  const limits: Record<string, number> = {
    first: 1,
    fix: ledger.settings.fixAttempts,
    rework: ledger.settings.reworks,
    restart: 2,
    revise: 3,
  }
  const used = (task.used.get(event.reason) ?? 0) + 1
  const limit = limits[event.reason]
  if (limit !== undefined && used > limit)
    return `task ${event.task} used ${used} of ${limit} for ${event.reason}`
  if (event.reason === 'again' && task.interruptionsInARow > 10) {
    return `task ${event.task} was interrupted ${task.interruptionsInARow} times in a row and continues`
  }
  // A provider's limit and a pause use nothing; neither does an interruption.
  const isFree = task.lastEnd === 'limited' || task.lastEnd === 'interrupted'
  if (isFree && task.where === 'busy' && event.reason !== 'again') {
    return `task ${event.task} paid ${event.reason} for an end that costs nothing`
  }
  return null
}

/** The invariants for a task from the queue. */
function pickBreaks(ledger: Ledger, task: TaskRecord): string | null {
  const id = task.spec.id
  const busy = ledger.busy(task)
  const manned = [...ledger.tasks.values()].filter(({ live }) => live !== null).length
  if (manned >= ledger.settings.maxParallelAgents) return `task ${id} exceeds the parallel limit`
  const alone = busy.find((other) => !ledger.isBeside(other.tier) && !other.overridden)
  if (alone !== undefined) return `task ${id} was started beside ${alone.tier} task ${alone.spec.id}`
  if (!ledger.isBeside(task.tier) && busy.some((other) => !other.overridden)) {
    return `${task.tier} task ${id} was not started alone`
  }
  const holder = ledger.areaHolder(task)
  if (holder !== undefined && !holder.overridden) {
    return `tasks ${holder.spec.id} and ${id} are in area ${task.spec.ownership} at once`
  }
  const waiting = [...ledger.tasks.values()].filter((other) => other.where === 'with_person').length
  if (waiting >= ledger.settings.maxWaitingForReview)
    return `task ${id} was started while ${waiting} wait for a person`
  return orderBreaks(ledger, task)
}

function orderBreaks(ledger: Ledger, task: TaskRecord): string | null {
  const able = [...ledger.tasks.values()].filter(
    (other) => other !== task && ledger.isReady(other) && ledger.areaHolder(other) === undefined,
  )
  const isStarving = ledger.sinceLow >= ledger.settings.antiStarvationInterval
  if (isStarving) {
    const low = able.find((other) => other.tier === 'low')
    return task.tier !== 'low' && low !== undefined
      ? `task ${task.spec.id} went before low task ${low.spec.id}, which has waited long enough`
      : null
  }
  const higher = able.find((other) => TIERS.indexOf(other.tier) < TIERS.indexOf(task.tier))
  const isFirst = ledger.busy(task).length === 0
  const counts = higher !== undefined && !ledger.isBeside(higher.tier) && isFirst
  return counts ? `${task.tier} task ${task.spec.id} went before ${higher.tier} task ${higher.spec.id}` : null
}

/** Only low and confident work that did not grow is reviewed by the rules alone. */
function reviewBreaks(ledger: Ledger, event: EventOf<'task.reviewed'>): string | null {
  const { tier, isUncertain, isVast } = ledger.task(event.task)
  const needsReviewer = (tier !== 'low' || isUncertain || isVast) && ledger.settings.reviewByRules !== true
  const isReviewer = ledger.roles.get(event.by) === 'reviewer'
  return needsReviewer && !isReviewer ? `${tier} task ${event.task} was not reviewed by a reviewer` : null
}

function commitBreaks(ledger: Ledger, event: EventOf<'task.committed'>, truth: Truth): string | null {
  const task = ledger.task(event.task)
  const id = event.task
  if (task.commits > 0) return `task ${id} was committed twice`
  if (event.tree !== task.tree) return `task ${id} was committed from a tree that is not its last one`
  if (task.provenTree !== event.tree) return `task ${id} was committed without passed gates on its tree`
  if (task.onto !== (ledger.landedTree ?? 'base'))
    return `task ${id} landed on ${ledger.landedTree ?? 'base'}, and was proven on ${task.onto ?? 'nothing'}`
  if (!truth.isSound(event.tree) && !task.overridden) return `broken work of task ${id} was committed`
  if (!task.reviewed) return `task ${id} was committed without a review`
  const { approval } = ledger.settings
  const needsPerson = approval === 'each_task' || (approval === 'critical' && task.tier === 'critical')
  if (needsPerson && !task.approvedByPerson) return `task ${id} was committed without a person's approval`
  const real = truth.landed().find((done) => done.sha === event.sha)
  return real?.task === id && real.tree === event.tree
    ? null
    : `the commit of task ${id} is not in the repository`
}

function releaseBreaks(ledger: Ledger): string | null {
  const open = [...ledger.tasks.values()].find(
    (task) => task.where !== 'completed' && task.where !== 'dropped',
  )
  if (open !== undefined) return `it was released while task ${open.spec.id} is ${open.where}`
  const isBuilt = [...ledger.tasks.values()].some(({ commits }) => commits > 0)
  if (!isBuilt && !ledger.mayReleaseNothing) return 'it was released with nothing built, without a person'
  const layer = [...ledger.layerPassed].find(([, passed]) => !passed)
  if (layer !== undefined) return `it was released before the integration of ${layer[0]} passed`
  if (!ledger.releasePassed) return 'it was released before the release gate passed'
  if (ledger.openRisksOfCritical.size > 0) return 'it was released with unaccepted risks of critical work'
  return ledger.prepared > 0 ? 'it was released twice' : null
}

/** An accepted answer has the required feedback, and a name where it is recorded. */
const IN_ESCALATIONS: readonly string[] = ['approve', 'accept', 'mitigate', 'release']

function answerBreaks(ledger: Ledger, event: EventOf<'inbox.answered'>): string | null {
  const item = ledger.items.get(event.id)
  if (item === undefined) return `${event.id} was answered and is not open`
  const { choice, feedback, by } = event
  const isRecorded = item.kind === 'escalation' && IN_ESCALATIONS.includes(choice)
  if (isRecorded && by === 'user') return `${choice} on ${item.id} counts without a name`
  return feedback === '' && (isRecorded || needsText(item, choice))
    ? `${choice} on ${item.id} counts without feedback`
    : null
}

const needsText = ({ kind, subject }: InboxItem, choice: string): boolean =>
  (kind === 'approval' && choice === 'revise') ||
  ((subject === 'request' || subject === 'plan_question') && choice === 'answer')
