/**
 * The landing queue: finished work in the order in which it will land.
 *
 * A task joins at the end when its work is collected: the work is put on top of the work ahead of it, and its gates prove that
 * tree. So every task is proven on the tree it will land on, many at once, and lands in its turn without another proof. When a
 * task leaves the queue without landing, the proofs behind it are of a tree that will never be: those tasks are collected again
 * on their new base, and proven again. The functions follow a task through the queue: it joins, gets a base, is proven, lands.
 */
import type { CollectWork } from '../decide/effects.ts'
import type { Obligation } from '../decide/owed.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import type { Step } from '../state/life.ts'
import type { Instant, PlanState, TaskState } from '../state/state.ts'

/** Steps in which a task keeps its place. */
const QUEUED_STEPS: ReadonlySet<Step> = new Set(['collecting', 'gating', 'reviewing', 'committing'])
/** Steps after passed gates: a failure on top of such a task is not its fault. */
const PROVEN_STEPS: ReadonlySet<Step> = new Set(['reviewing', 'awaiting_person', 'committing', 'completed'])
/** How long work that could land waits for the review of work ahead of it. */
const REVIEW_PATIENCE_MS = 5 * 60_000

/** The tasks in the queue, the next to land first. A task whose collection fails at present does not block the others. */
export function queueOf(state: PlanState): readonly TaskState[] {
  const queued: TaskState[] = []
  for (const task of state.active)
    if (task.turn !== null && !isCollectionFailing(state, task)) queued.push(task)
  return queued.sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
}

/** The tasks ahead of this one; for a task that has not joined yet, the whole queue. */
function aheadOf(state: PlanState, { turn }: TaskState): readonly TaskState[] {
  const queue = queueOf(state)
  return turn === null ? queue : queue.filter((other) => (other.turn ?? 0) < turn)
}

export const collectKey = ({ draft }: TaskState): string => `collect ${draft?.worker ?? ''}`

const isCollectionFailing = (state: PlanState, task: TaskState): boolean =>
  task.step === 'collecting' && state.trouble.has(collectKey(task))

/** Updates the queue after a task has moved: it joins with its first proof, and leaves with its landing or when it fails. */
export function joinOrLeaveQueue(state: PlanState, task: TaskState): void {
  if (task.step === 'gating' || task.step === 'committing') task.turn ??= ++state.turns
  if (task.turn === null || QUEUED_STEPS.has(task.step)) return
  task.turn = null
  if (task.step === 'completed') return
  // The review continues while the change is the same, but the queue no longer waits for it.
  for (const other of queueOf(state))
    if (other.step === 'reviewing' && tasksBelow(other).includes(task.spec.id)) other.turn = null
}

/** What a task's work is put on: the tree of the last task ahead of it, else the landed tree. Null while that is not known. */
export function nextBase(state: PlanState, task: TaskState): Pick<CollectWork, 'onto' | 'ahead'> | null {
  if (conflictsWithQueued(state, task) || letsAnotherJoinFirst(state, task)) return null
  const ahead = aheadOf(state, task)
  if (ahead.some(({ step }) => step === 'collecting')) return null
  const tree = ahead.at(-1)?.draft?.tree
  return { ahead: ahead.map(({ spec }) => spec.id), ...(tree === undefined ? {} : { onto: { tree } }) }
}

/** Whether work that it conflicted with is still in the queue. */
const conflictsWithQueued = (state: PlanState, { draft }: TaskState): boolean =>
  (draft?.waitsFor ?? []).some((id) => (state.tasks.get(id)?.turn ?? null) !== null)

/** New work joins one at a time, or two tasks would get the same base. */
function letsAnotherJoinFirst(state: PlanState, task: TaskState): boolean {
  if (task.turn !== null || isCollectionFailing(state, task)) return false
  return [...state.active].some(
    (other) =>
      other !== task &&
      other.step === 'collecting' &&
      other.turn === null &&
      !isCollectionFailing(state, other) &&
      !conflictsWithQueued(state, other) &&
      joinsBefore(other, task),
  )
}

/**
 * Among work that ended together, tasks with longer chains of dependents land first, then those that change fewer files, since a
 * failure makes all behind it be proven again.
 */
function joinsBefore(a: TaskState, b: TaskState): boolean {
  if (a.chain !== b.chain) return a.chain > b.chain
  const moreFiles = filesIn(a) - filesIn(b)
  return moreFiles === 0 ? a.rank < b.rank : moreFiles < 0
}

const filesIn = ({ spec: { files } }: TaskState): number =>
  files.create.length + files.modify.length + files.delete.length

/** The tasks that its work lies on and that had not landed when it was collected, in order. */
export const tasksBelow = ({ draft }: Pick<TaskState, 'draft'>): readonly string[] => draft?.base?.ahead ?? []

/** Whether the gates of every task below it have passed. */
export const areTasksBelowProven = (state: PlanState, task: TaskState): boolean =>
  tasksBelow(task).every((id) => PROVEN_STEPS.has(state.tasks.get(id)?.step ?? 'failed'))

/** Whether its work lies on what it will land on: the task ahead of it in the queue, or, at the head, the landed tree. */
function isOnCurrentBase(state: PlanState, task: TaskState, previous: TaskState | undefined): boolean {
  const base = task.draft?.base ?? null
  if (base === null) return false
  if (previous !== undefined) return base.onto === previous.draft?.tree
  if (base.landings === state.landings) return base.ahead.length === 0
  return base.onto === state.landedTree
}

/** Whether its gates may run now. A proof on an outdated base would be wasted. */
export function mayProve(state: PlanState, task: TaskState): boolean {
  if (task.step !== 'gating' || task.draft?.isHeld === true || !isWithinWindow(state, task)) return false
  let previous: TaskState | undefined
  for (const one of queueOf(state)) {
    if (one.step === 'collecting' || !isOnCurrentBase(state, one, previous)) return false
    if (one === task) return true
    previous = one
  }
  return false
}

function isWithinWindow(state: PlanState, task: TaskState): boolean {
  const ahead = aheadOf(state, task)
  const firstUnproven = ahead.findIndex(({ step }) => !PROVEN_STEPS.has(step))
  return firstUnproven === -1 || ahead.length - firstUnproven < proofWindow(state)
}

/** How many proofs may be lost for each proof that counts. */
const LOST_SHARE = 0.2

/**
 * Gates run for at most this many tasks at once, counted from the first that has not passed: if that one fails, all
 * proofs behind it are lost. As many as agents may work while work passes; the more of it fails, the fewer.
 */
export function proofWindow({ settings, landings, failedProofs }: PlanState): number {
  const most = settings.maxParallelAgents
  if (failedProofs === 0) return most
  const failureRate = failedProofs / (failedProofs + landings)
  return Math.min(most, 1 + Math.round(LOST_SHARE / failureRate))
}

/** Whether it is first in the queue and proven on the landed tree. */
export function mayLand(state: PlanState, task: TaskState): boolean {
  return queueOf(state)[0] === task && isOnCurrentBase(state, task, undefined)
}

/** A proof counts only on the tree that will land: the first task in the queue with another base goes back. */
export function owedByQueue(state: PlanState, now: Instant): Obligation {
  const queue = queueOf(state)
  let previous: TaskState | undefined
  for (const [place, task] of queue.entries()) {
    if (task.step === 'collecting') return {}
    if (task.step === 'reviewing') {
      const due = slowReview(task, queue[place + 1], now)
      if (due !== null) return due
    } else if (!isOnCurrentBase(state, task, previous)) {
      return { decision: [outdated(task, describeNewBase(state, task, previous))] }
    }
    previous = task
  }
  return {}
}

/** A long review does not block work that could land: the task loses its place, and rejoins once it is approved. */
function slowReview(task: TaskState, behind: TaskState | undefined, now: Instant): Obligation | null {
  if (behind?.step !== 'committing') return null
  const until = task.stepSince + REVIEW_PATIENCE_MS
  if (now < until) return { wakeAt: until }
  return { decision: [outdated(task, 'its review is slow and others could land')] }
}

function outdated({ spec, attempt }: TaskState, why: string): PlanEvent {
  return { type: 'task.proof_outdated', v: 1, task: spec.id, attempt, why }
}

function describeNewBase(state: PlanState, task: TaskState, previous: TaskState | undefined): string {
  const gone = tasksBelow(task).filter((id) => {
    const other = state.tasks.get(id)
    return other?.step !== 'completed' && other?.turn === null
  })
  if (gone.length > 0) return `without ${tasksNamed(gone)}, which left the queue`
  return previous === undefined
    ? 'on top of newly landed work'
    : `on top of ${tasksNamed([previous.spec.id])}`
}

/** A task's place in the queue, as text; null where it is not waiting in it. */
export function describeQueuePlace(state: PlanState, task: TaskState): string | null {
  if (task.turn === null) return null
  const place = queueOf(state).indexOf(task)
  const open = tasksBelow(task).filter((id) => state.tasks.get(id)?.step !== 'completed')
  const top = open.length === 0 ? '' : ` on top of ${tasksNamed(open)}`
  if (task.step === 'committing')
    return place === 0 ? null : `waiting to land, ${ordinal(place + 1)} in the queue`
  if (task.step !== 'gating') return null
  if (task.draft?.isHeld === true) return `failed${top}; waiting until those are proven`
  if (!mayProve(state, task)) return `waiting to be proven${top}`
  return top === '' ? null : `proving${top}`
}

const tasksNamed = (ids: readonly string[]): string =>
  `task${ids.length === 1 ? '' : 's'} ${ids.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`

function ordinal(n: number): string {
  const rest = n % 100
  const ending = rest >= 11 && rest <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
