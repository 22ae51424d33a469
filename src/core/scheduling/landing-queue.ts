/**
 * The landing queue: finished work in the order it will land. Each task is proven on top of those before it, so that it
 * can land after them without another proof. When one leaves the queue, those behind it are proven again without it.
 */
import type { Step } from '../state/life.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import type { Share } from '../decide/owed.ts'
import type { Instant, PlanState, TaskState } from '../state/state.ts'

/** Steps in which a task keeps its place. */
const QUEUED: ReadonlySet<Step> = new Set(['collecting', 'gating', 'reviewing', 'committing'])
/** Its gates have passed: a failure on top of it is not its fault. */
const SETTLED: ReadonlySet<Step> = new Set(['reviewing', 'awaiting_person', 'committing', 'completed'])
/** How long work that could land waits for the review of work before it. */
const REVIEW_PATIENCE_MS = 5 * 60_000

/** The tasks in the queue, the next to land first. Work that cannot be collected at present does not block the others. */
export function queueOf(state: PlanState): readonly TaskState[] {
  const queued: TaskState[] = []
  for (const task of state.active) if (task.turn !== null && !isStuck(state, task)) queued.push(task)
  return queued.sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
}

export const collectKey = ({ draft }: TaskState): string => `collect ${draft?.worker ?? ''}`

const isStuck = (state: PlanState, task: TaskState): boolean =>
  task.step === 'collecting' && state.trouble.has(collectKey(task))

/** Updates the queue after a task has moved. */
export function takeTurn(state: PlanState, task: TaskState): void {
  if (task.step === 'gating' || task.step === 'committing') task.turn ??= ++state.turns
  if (task.turn === null || QUEUED.has(task.step)) return
  task.turn = null
  if (task.step === 'completed') return
  // The review continues while the change is the same, but nothing waits for it any more.
  for (const other of queueOf(state))
    if (other.step === 'reviewing' && draftBase(other).ahead.includes(task.spec.id)) other.turn = null
}

export interface DraftBase {
  /** The tree it was put on; null in older logs. */
  readonly onto: string | null
  /** The tasks in that tree that had not landed, in order. */
  readonly ahead: readonly string[]
  /** How many tasks had landed. */
  readonly landings: number | null
}

/** The base of a task's draft. */
export const draftBase = ({ draft }: Pick<TaskState, 'draft'>): DraftBase => ({
  onto: draft?.onto ?? null,
  ahead: draft?.ahead ?? [],
  landings: draft?.landings ?? null,
})

/** The tasks before this one in the queue. */
function before(state: PlanState, task: TaskState): readonly TaskState[] {
  const queue = queueOf(state)
  return task.turn === null ? queue : queue.filter(({ turn }) => (turn ?? 0) < (task.turn ?? 0))
}

/** The base for a task's work; null while the work before it is being collected itself. */
export function nextBase(state: PlanState, task: TaskState): Omit<DraftBase, 'landings'> | null {
  const ahead = before(state, task)
  if (isWaiting(state, task) || isBehindNewcomer(state, task)) return null
  if (ahead.some(({ step }) => step === 'collecting')) return null
  return { onto: ahead.at(-1)?.draft?.tree ?? null, ahead: ahead.map(({ spec }) => spec.id) }
}

/** New work joins one at a time, or two tasks would get the same base. */
function isBehindNewcomer(state: PlanState, task: TaskState): boolean {
  if (task.turn !== null || isStuck(state, task)) return false
  for (const other of state.active) {
    const isNew = other !== task && other.step === 'collecting' && other.turn === null
    if (isNew && !isStuck(state, other) && !isWaiting(state, other) && joinsBefore(other, task)) return true
  }
  return false
}

/**
 * Among work that ended together, tasks with more dependents land first, then those that change fewer files, since a
 * failure makes all behind it be proven again.
 */
function joinsBefore(a: TaskState, b: TaskState): boolean {
  if (a.chain !== b.chain) return a.chain > b.chain
  const [filesOfA, filesOfB] = [impactOf(a), impactOf(b)]
  return filesOfA === filesOfB ? a.rank < b.rank : filesOfA < filesOfB
}

const impactOf = ({ spec: { files } }: TaskState): number =>
  files.create.length + files.modify.length + files.delete.length

/** Whether work that it conflicts with is still in the queue. */
const isWaiting = (state: PlanState, { draft }: TaskState): boolean =>
  (draft?.waitsFor ?? []).some((id) => (state.tasks.get(id)?.turn ?? null) !== null)

/** Whether a task is based on what it will land on: the one before it in the queue, or the landed tree. */
function isOnCurrentBase(state: PlanState, task: TaskState, previous: TaskState | undefined): boolean {
  const { onto, ahead, landings } = draftBase(task)
  // Without a known base, only an attempt to land shows it.
  if (onto === null) return true
  if (previous !== undefined) return onto === previous.draft?.tree
  if (landings === state.landings) return ahead.length === 0
  return onto === state.landedTree
}

/** Whether it is first in the queue and based on the landed tree. */
export function mayLand(state: PlanState, task: TaskState): boolean {
  return queueOf(state)[0] === task && isOnCurrentBase(state, task, undefined)
}

/** Whether the gates of every task below it have passed. */
export function isAheadSettled(state: PlanState, task: TaskState): boolean {
  return draftBase(task).ahead.every((id) => SETTLED.has(state.tasks.get(id)?.step ?? 'failed'))
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

function isItsTurnToProve(state: PlanState, task: TaskState): boolean {
  if (task.step !== 'gating' || task.draft?.isHeld === true) return false
  const ahead = before(state, task)
  const firstOpen = ahead.findIndex(({ step }) => !SETTLED.has(step))
  return firstOpen === -1 || ahead.length - firstOpen < proofWindow(state)
}

/** A proof on an outdated base would be wasted. */
export function mayProve(state: PlanState, task: TaskState): boolean {
  if (!isItsTurnToProve(state, task)) return false
  let previous: TaskState | undefined
  for (const one of queueOf(state)) {
    if (one.step === 'collecting' || !isOnCurrentBase(state, one, previous)) return false
    if (one === task) return true
    previous = one
  }
  return false
}

/** A proof counts only on the tree that will land: the first task in the queue with another base goes back. */
export function owedByQueue(state: PlanState, now: Instant): Share {
  let previous: TaskState | undefined
  for (const task of queueOf(state)) {
    if (task.step === 'collecting') return {}
    if (!isOnCurrentBase(state, task, previous) && task.step !== 'reviewing')
      return { decision: [outdated(task, describeNewBase(state, task, previous))] }
    if (task.step === 'reviewing') {
      const share = patience(state, task, now)
      if (share !== null) return share
    }
    previous = task
  }
  return {}
}

/** A long review does not block the others: the task loses its place, and rejoins once it is approved. */
function patience(state: PlanState, task: TaskState, now: Instant): Share | null {
  const behind = queueOf(state).filter(({ turn }) => (turn ?? 0) > (task.turn ?? 0))
  if (behind[0]?.step !== 'committing') return null
  const until = task.stepSince + REVIEW_PATIENCE_MS
  if (now < until) return { wakeAt: until }
  return { decision: [outdated(task, 'its review is slow and others could land')] }
}

function outdated({ spec, attempt }: TaskState, why: string): PlanEvent {
  return { type: 'task.proof_outdated', v: 1, task: spec.id, attempt, why }
}

function describeNewBase(state: PlanState, task: TaskState, previous: TaskState | undefined): string {
  const gone = draftBase(task).ahead.filter((id) => {
    const other = state.tasks.get(id)
    return other?.step !== 'completed' && other?.turn === null
  })
  if (gone.length > 0) return `without ${named(gone)}, which left the queue`
  return previous === undefined ? 'on top of newly landed work' : `on top of ${named([previous.spec.id])}`
}

const named = (ids: readonly string[]): string =>
  `task${ids.length === 1 ? '' : 's'} ${ids.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`

/** A task's place in the queue, as text; null where it is not waiting in it. */
export function describeQueuePlace(state: PlanState, task: TaskState): string | null {
  if (task.turn === null) return null
  const place = queueOf(state).indexOf(task)
  const open = draftBase(task).ahead.filter((id) => state.tasks.get(id)?.step !== 'completed')
  const top = open.length === 0 ? '' : ` on top of ${named(open)}`
  if (task.step === 'committing')
    return place === 0 ? null : `waiting to land, ${ordinal(place + 1)} in the queue`
  if (task.step !== 'gating') return null
  if (task.draft?.isHeld === true) return `failed${top}; waiting until those are proven`
  if (!mayProve(state, task)) return `waiting to be proven${top}`
  return top === '' ? null : `proving${top}`
}

function ordinal(n: number): string {
  const rest = n % 100
  const ending = rest >= 11 && rest <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
