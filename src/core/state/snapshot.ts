/** Converts a state to plain JSON and back, so that start-up does not fold the whole log. */
import { emptyState } from './empty-state.ts'
import { decisionLog, decisionsIn, type Decision } from './decision-log.ts'
import { index } from './indexes.ts'
import { askedAbout, linkDependents, type PlanState, type TaskState } from './state.ts'

/** Raised whenever the state's shape changes: older snapshots are then ignored and the log is folded again. */
export const SNAPSHOT_SHAPE = 21

export type FrozenTask = Omit<TaskState, 'isQueued' | 'place' | 'decisions'> & {
  readonly decisions: readonly Decision[]
}

export type Frozen = Omit<
  PlanState,
  | 'tasks'
  | 'counts'
  | 'left'
  | 'blocked'
  | 'ready'
  | 'locks'
  | 'dependents'
  | 'active'
  | 'holding'
  | 'serialHolding'
  | 'waitingForReview'
  | 'manned'
  | 'keptSlots'
  | 'reclassify'
  | 'rejected'
  | 'inbox'
  | 'asked'
  | 'unpresented'
  | 'reask'
  | 'risks'
  | 'layers'
  | 'trouble'
  | 'parked'
> & {
  readonly tasks: readonly FrozenTask[]
  /** Tasks in progress, then blocked ones, in the order they became so. */
  readonly order: readonly string[]
  readonly reclassify: readonly (readonly [string, string])[]
  readonly rejected: readonly string[]
  readonly inbox: readonly (readonly [string, unknown])[]
  readonly unpresented: readonly string[]
  readonly reask: readonly string[]
  readonly risks: readonly (readonly [string, unknown])[]
  readonly layers: readonly (readonly [string, unknown])[]
  readonly trouble: readonly (readonly [string, unknown])[]
  readonly parked: readonly (readonly [string, unknown])[]
}

/** The state without its derived parts. Shares objects with the state. */
export function freeze(state: PlanState): Frozen {
  const { counts, left, ready, locks, dependents, holding, serialHolding, ...rest } = state
  const { waitingForReview, manned, keptSlots, asked, ...kept } = rest
  void [
    counts,
    left,
    ready,
    locks,
    dependents,
    holding,
    serialHolding,
    waitingForReview,
    manned,
    keptSlots,
    asked,
  ]
  const { active, blocked, ...plain } = kept
  return {
    ...plain,
    tasks: [...state.tasks.values()].map(freezeTask),
    order: [...active, ...blocked].map((task) => task.spec.id),
    reclassify: [...state.reclassify].map(([task, because]) => [task.spec.id, because]),
    rejected: [...state.rejected],
    inbox: [...state.inbox],
    unpresented: [...state.unpresented],
    reask: [...state.reask].map((task) => task.spec.id),
    risks: [...state.risks],
    layers: [...state.layers],
    trouble: [...state.trouble],
    parked: [...state.parked],
  }
}

/** The state that `freeze` was given. Its JSON is not changed by later events. */
export function thaw(json: unknown): PlanState {
  const frozen = json as Frozen
  const state = emptyState(frozen)
  Object.assign(state, {
    baseline: frozen.baseline,
    baselineRounds: frozen.baselineRounds,
    checkChoices: frozen.checkChoices,
    currentSha: frozen.currentSha,
    paused: frozen.paused,
    pauseDue: frozen.pauseDue,
    cancelled: frozen.cancelled,
    completedSinceLow: frozen.completedSinceLow,
    itemsOpened: frozen.itemsOpened,
    release: frozen.release,
    progress: frozen.progress,
    clock: frozen.clock,
    spending: { ...frozen.spending },
    agents: frozen.agents,
    failures: frozen.failures,
    breaker: frozen.breaker,
    documentedAt: frozen.documentedAt,
    turns: frozen.turns,
    landings: frozen.landings,
    landedTree: frozen.landedTree,
    version: frozen.version,
    at: frozen.at,
  })
  thawTasks(state, frozen)
  for (const id of frozen.rejected) state.rejected.add(id)
  fill(state.inbox, frozen.inbox)
  for (const { item } of state.inbox.values()) state.asked.add(askedAbout(item))
  for (const id of frozen.unpresented) state.unpresented.add(id)
  fill(state.risks, frozen.risks)
  fill(state.layers, frozen.layers)
  for (const [name, layer] of state.layers) state.layers.set(name, { ...layer })
  fill(state.trouble, frozen.trouble)
  fill(state.parked, frozen.parked)
  state.humanDecisions.push(...frozen.humanDecisions)
  state.checkpointTags.push(...frozen.checkpointTags)
  return state
}

function thawTasks(state: PlanState, frozen: Frozen): void {
  const tasks = frozen.tasks.map((task): TaskState => ({
    ...task,
    decisions: decisionLog(task.decisions),
    place: state.locks.find(task.area),
    isQueued: false,
  }))
  for (const task of tasks) {
    state.tasks.add(task)
    if (task.live !== null) state.manned++
    if (task.keepsSlot) state.keptSlots++
  }
  linkDependents(state, tasks)
  // The order in which tasks were started or blocked is part of the state.
  const isOrdered = new Set(frozen.order)
  for (const id of frozen.order) indexById(state, id)
  for (const task of tasks) if (!isOrdered.has(task.spec.id)) index(state, task)
  for (const [id, because] of frozen.reclassify) {
    const task = state.tasks.get(id)
    if (task !== undefined) state.reclassify.set(task, because)
  }
  for (const id of frozen.reask) {
    const task = state.tasks.get(id)
    if (task !== undefined) state.reask.add(task)
  }
}

function indexById(state: PlanState, id: string): void {
  const task = state.tasks.get(id)
  if (task !== undefined) index(state, task)
}

function fill<V>(map: Map<string, V>, entries: readonly (readonly [string, unknown])[]): void {
  for (const [key, value] of entries) map.set(key, value as V)
}

/** Held areas and the ready set are derived from the steps. */
export function freezeTask(task: TaskState): FrozenTask {
  const { isQueued: _isQueued, place: _place, decisions, ...kept } = task
  return Object.assign(kept, { decisions: decisionsIn(decisions) })
}
