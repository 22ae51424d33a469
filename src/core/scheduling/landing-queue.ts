/**
 * The landing queue: finished work in the order it will land. Each task is proven on top of those before it, so that it
 * may land after them without another proof. Where one before it leaves, those behind it are proven again, without it.
 */
import type { Step } from '../state/life.ts'
import type { Draft } from '../state/draft.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import type { Share } from '../decide/owed.ts'
import type { Instant, PlanState, TaskState } from '../state/state.ts'

/** Steps in which a task keeps its place. */
const QUEUED: ReadonlySet<Step> = new Set(['collecting', 'gating', 'reviewing', 'committing'])
/** Its gates have passed: work on top of it that fails does so by itself. */
const SETTLED: ReadonlySet<Step> = new Set(['reviewing', 'awaiting_person', 'committing', 'completed'])
/** How long work that could land waits for the review of work before it. */
const REVIEW_PATIENCE_MS = 5 * 60_000

/** The tasks in the queue, the next to land first. What cannot be collected at present does not hold up the others. */
export function queueOf(state: PlanState): readonly TaskState[] {
  const queued: TaskState[] = []
  for (const task of state.active) if (task.turn !== null && !isStuck(state, task)) queued.push(task)
  return queued.sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0))
}

export const collectKey = ({ draft }: TaskState): string => `collect ${draft?.worker ?? ''}`

const isStuck = (state: PlanState, task: TaskState): boolean =>
  task.step === 'collecting' && state.trouble.has(collectKey(task))

/** Keeps the queue in step with a task that has just moved. */
export function takeTurn(state: PlanState, task: TaskState): void {
  if (task.step === 'gating' || task.step === 'committing') task.turn ??= ++state.turns
  if (task.turn === null || QUEUED.has(task.step)) return
  task.turn = null
  if (task.step === 'completed') return
  // A review goes on while the change is the same, but nothing is to wait for it any more.
  for (const other of queueOf(state))
    if (other.step === 'reviewing' && stands(other).ahead.includes(task.spec.id)) other.turn = null
}

export interface Stand {
  /** The tree it was put on; null where nothing says. */
  readonly onto: string | null
  /** Tasks that had not landed and whose work is in that tree, in order. */
  readonly ahead: readonly string[]
  /** How many tasks had landed. */
  readonly landings: number | null
}

/** What a task's draft stands on. */
export const stands = ({ draft }: Pick<TaskState, 'draft'>): Stand => ({
  onto: draft?.onto ?? null,
  ahead: draft?.ahead ?? [],
  landings: draft?.landings ?? null,
})

/** The tasks before this one in the queue. */
function before(state: PlanState, task: TaskState): readonly TaskState[] {
  const queue = queueOf(state)
  return task.turn === null ? queue : queue.filter(({ turn }) => (turn ?? 0) < (task.turn ?? 0))
}

/** What a task's work is to be put on; null while the work before it is being put on something itself. */
export function groundFor(state: PlanState, task: TaskState): Omit<Stand, 'landings'> | null {
  const ahead = before(state, task)
  if (isWaiting(state, task) || isBehindNewcomer(state, task)) return null
  if (ahead.some(({ step }) => step === 'collecting')) return null
  return { onto: ahead.at(-1)?.draft?.tree ?? null, ahead: ahead.map(({ spec }) => spec.id) }
}

/** What has no place yet takes one after the other, or two of them would stand on the same. */
function isBehindNewcomer(state: PlanState, task: TaskState): boolean {
  if (task.turn !== null || isStuck(state, task)) return false
  for (const other of state.active) {
    const isNew = other !== task && other.step === 'collecting' && other.turn === null
    if (isNew && !isStuck(state, other) && !isWaiting(state, other) && joinsBefore(other, task)) return true
  }
  return false
}

/**
 * Of work that ended together: what more work waits for lands first, then what changes fewer files, since all behind it
 * is proven again where it fails.
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

/** Whether a task stands on what it will land on: the one before it in the queue, or what has landed. */
function isOnGround(state: PlanState, task: TaskState, previous: TaskState | undefined): boolean {
  const { onto, ahead, landings } = stands(task)
  // Where nothing says what it stands on, only landing it can tell.
  if (onto === null) return true
  if (previous !== undefined) return onto === previous.draft?.tree
  if (landings === state.landings) return ahead.length === 0
  return onto === state.landedTree
}

/** It is its turn, and it stands on what has landed. */
export function mayLand(state: PlanState, task: TaskState): boolean {
  return queueOf(state)[0] === task && isOnGround(state, task, undefined)
}

/** Whether the gates of every task whose work it is on have passed. */
export function isAheadSettled(state: PlanState, task: TaskState): boolean {
  return stands(task).ahead.every((id) => SETTLED.has(state.tasks.get(id)?.step ?? 'failed'))
}

/** What lost a proof once is proven again only on work that has passed, so that it is not lost a second time. */
const isReadyToProve = (state: PlanState, task: TaskState): boolean =>
  task.step === 'gating' &&
  task.draft?.isHeld !== true &&
  ((task.draft?.lostProofs ?? 0) === 0 || isAheadSettled(state, task))

/**
 * Gates run for as many tasks at once as agents may work, counted from the first that has not passed: where that one
 * fails, all proofs behind it are lost.
 */
function isItsTurnToProve(state: PlanState, task: TaskState): boolean {
  const ahead = before(state, task)
  const firstOpen = ahead.findIndex(({ step }) => !SETTLED.has(step))
  const risked = firstOpen === -1 ? 0 : ahead.length - firstOpen
  return isReadyToProve(state, task) && risked < state.settings.maxParallelAgents
}

/** What does not stand on what it will land on would be proven in vain. */
export function mayProve(state: PlanState, task: TaskState): boolean {
  if (!isItsTurnToProve(state, task)) return false
  let previous: TaskState | undefined
  for (const one of queueOf(state)) {
    if (one.step === 'collecting' || !isOnGround(state, one, previous)) return false
    if (one === task) return true
    previous = one
  }
  return false
}

/** A proof counts only on what will land: the first task in the queue that stands on something else goes back. */
export function owedByQueue(state: PlanState, now: Instant): Share {
  let previous: TaskState | undefined
  for (const task of queueOf(state)) {
    if (task.step === 'collecting') return {}
    if (!isOnGround(state, task, previous) && task.step !== 'reviewing')
      return { decision: [outdated(task, groundWords(state, task, previous))] }
    if (task.step === 'reviewing') {
      const share = patience(state, task, now)
      if (share !== null) return share
    }
    previous = task
  }
  return {}
}

/** A review that takes long does not hold up the others: the task gives its place away, and joins again once it is approved. */
function patience(state: PlanState, task: TaskState, now: Instant): Share | null {
  const behind = queueOf(state).filter(({ turn }) => (turn ?? 0) > (task.turn ?? 0))
  if (behind[0]?.step !== 'committing') return null
  const until = task.stepSince + REVIEW_PATIENCE_MS
  if (now < until) return { wakeAt: until }
  return { decision: [outdated(task, 'its review takes long, and others could land')] }
}

function outdated({ spec, attempt }: TaskState, why: string): PlanEvent {
  return { type: 'task.proof_outdated', v: 1, task: spec.id, attempt, why }
}

function groundWords(state: PlanState, task: TaskState, previous: TaskState | undefined): string {
  const gone = stands(task).ahead.filter((id) => {
    const other = state.tasks.get(id)
    return other?.step !== 'completed' && other?.turn === null
  })
  if (gone.length > 0) return `without ${named(gone)}, which left the queue`
  return previous === undefined ? 'on what has landed since' : `on top of ${named([previous.spec.id])}`
}

const named = (ids: readonly string[]): string =>
  `task${ids.length === 1 ? '' : 's'} ${ids.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`

/** The draft of a task whose proof no longer counts; one that was not begun is not lost. */
export function withLostProof(state: PlanState, task: TaskState): Draft | null {
  const { draft } = task
  if (draft === null) return null
  const isLost = task.step !== 'gating' || draft.isHeld === true || isItsTurnToProve(state, task)
  return { ...draft, lostProofs: (draft.lostProofs ?? 0) + (isLost ? 1 : 0), isHeld: false }
}

/** Where a task is in the queue, in words; null where it is not waiting in it. */
export function queueWords(state: PlanState, task: TaskState): string | null {
  if (task.turn === null) return null
  const place = queueOf(state).indexOf(task)
  const open = stands(task).ahead.filter((id) => state.tasks.get(id)?.step !== 'completed')
  const top = open.length === 0 ? '' : ` on top of ${named(open)}`
  if (task.step === 'committing')
    return place === 0 ? null : `waiting to land, ${ordinal(place + 1)} in the queue`
  if (task.step !== 'gating') return null
  if (task.draft?.isHeld === true) return `failed${top}; waiting for their proof`
  if (!mayProve(state, task)) return `waiting to be proven${top}`
  return top === '' ? null : `proving${top}`
}

function ordinal(n: number): string {
  const rest = n % 100
  const ending = rest >= 11 && rest <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
