/** Converts a state to plain JSON and back, so that start-up does not fold the whole log. */
import { emptyState } from './empty-state.ts'
import { decisionLog, decisionsIn, type Decision } from './decision-log.ts'
import { index } from './indexes.ts'
import { linkDependents } from './add-tasks.ts'
import { askedAbout, type PlanState, type TaskIndexes, type TaskState } from './state.ts'

/** Raised whenever the state's shape changes: older snapshots are then ignored and the log is folded again. */
export const SNAPSHOT_SHAPE = 31

export type FrozenTask = Omit<TaskState, 'isQueued' | 'place' | 'decisions'> & {
  readonly decisions: readonly Decision[]
}

/** Derived from the rest: a snapshot leaves them out. */
const DERIVED = [
  'counts',
  'left',
  'blocked',
  'ready',
  'locks',
  'dependents',
  'unsettled',
  'active',
  'holding',
  'serialHolding',
  'waitingForReview',
  'manned',
  'keptSlots',
  'asked',
] as const satisfies readonly (keyof TaskIndexes | 'asked')[]
type Kept = Omit<PlanState, (typeof DERIVED)[number]>

export type Frozen = ReturnType<typeof freeze>

/** The state without its derived parts. Shares objects with the state. */
export function freeze(state: PlanState) {
  const derived = new Set<string>(DERIVED)
  const kept = Object.entries(state).filter(([key]) => !derived.has(key))
  return {
    ...(Object.fromEntries(kept) as Kept),
    tasks: [...state.tasks.values()].map(freezeTask),
    /** Tasks in progress, then blocked ones, in the order they became so. */
    order: [...state.active, ...state.blocked].map((task) => task.spec.id),
    reclassify: [...state.reclassify].map(([task, because]) => [task.spec.id, because] as const),
    rejected: [...state.rejected],
    inbox: [...state.inbox],
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
  const { tasks, order, reclassify, reask, ...kept } = frozen
  const state: PlanState = Object.assign(emptyState(frozen), {
    ...kept,
    spending: { ...kept.spending },
    rejected: new Set(kept.rejected),
    inbox: new Map(kept.inbox),
    humanDecisions: [...kept.humanDecisions],
    risks: new Map(kept.risks),
    checkpointTags: [...kept.checkpointTags],
    layers: new Map(kept.layers.map(([name, layer]) => [name, { ...layer }])),
    trouble: new Map(kept.trouble),
    parked: new Map(kept.parked),
  })
  for (const { item } of state.inbox.values()) state.asked.add(askedAbout(item))
  thawTasks(state, { tasks, order, reclassify, reask })
  return state
}

function thawTasks(state: PlanState, frozen: Pick<Frozen, 'tasks' | 'order' | 'reclassify' | 'reask'>): void {
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
  const named = (id: string): TaskState | [] => state.tasks.get(id) ?? []
  // The order in which tasks were started or blocked is part of the state.
  for (const task of new Set([...frozen.order.flatMap(named), ...tasks])) index(state, task)
  for (const [id, because] of frozen.reclassify)
    for (const task of [id].flatMap(named)) state.reclassify.set(task, because)
  for (const task of frozen.reask.flatMap(named)) state.reask.add(task)
}

/** Held areas and the ready set are derived from the steps. */
export function freezeTask(task: TaskState): FrozenTask {
  const { isQueued: _isQueued, place: _place, decisions, ...kept } = task
  return Object.assign(kept, { decisions: decisionsIn(decisions) })
}
