/** Moves of a task that several events share. */
import { addDecision } from '../state/decision-log.ts'
import { areasConflict } from '../planning/areas.ts'
import { mayMove, type Step, type Trigger } from '../state/life.ts'
import { reindex } from '../state/indexes.ts'
import { joinOrLeaveQueue } from '../scheduling/landing-queue.ts'
import type { Instant, LayerState, PlanState, TaskState } from '../state/state.ts'

export function taskIn(state: PlanState, id: string): TaskState {
  const task = state.tasks.get(id)
  if (task === undefined) throw new Error(`no task ${id} in plan ${state.plan.id}`)
  return task
}

export function layerIn(state: PlanState, name: string): LayerState {
  const layer = state.layers.get(name)
  if (layer === undefined) throw new Error(`no layer ${name} with integration tests`)
  return layer
}

/** The layer of a task; undefined where it has no integration tests. */
export const layerOf = (state: PlanState, { spec }: TaskState): LayerState | undefined =>
  spec.layer === null ? undefined : state.layers.get(spec.layer)

/** The task is completed or dropped: the tests of its layer are due after the last one. */
export function leaveLayer(state: PlanState, task: TaskState): void {
  const layer = layerOf(state, task)
  if (layer === undefined) return
  layer.left--
  if (layer.left === 0) layer.status = 'due'
}

export interface MoveTo {
  readonly to: Step
  readonly on: Trigger
  readonly at: Instant
}

/** Moves a task along a row of the table in life.ts; any other move throws. */
export function moveTask(state: PlanState, task: TaskState, { to, on, at }: MoveTo): void {
  if (!mayMove(on, task.step, to)) {
    throw new Error(`task ${task.spec.id} cannot go from ${task.step} to ${to} on ${on}`)
  }
  reindex(state, task, to)
  task.stepSince = at
  joinOrLeaveQueue(state, task)
  keepSlot(state, task)
}

/** Whether its worker failed, so that it will need another one. */
function keepSlot(state: PlanState, task: TaskState): void {
  const keeps = task.step === 'deciding' || (task.step === 'collecting' && task.cause !== null)
  if (keeps === task.keepsSlot) return
  task.keepsSlot = keeps
  state.keptSlots += keeps ? 1 : -1
}

export function decided(task: TaskState, at: Instant, text: string): void {
  task.decisions = addDecision(task.decisions, at, text)
}

/** After an edit of the plan, once no worker is on it: dropped, or queued again. */
export function startOver(state: PlanState, task: TaskState, { on, at }: Omit<MoveTo, 'to'>): void {
  task.cause = null
  task.verdicts = null
  task.recheck = null
  task.refusal = null
  task.review = null
  task.repeats = 0
  const isReady = state.dependents.unmet(task) === 0
  moveTask(state, task, { to: task.dropped ? 'failed' : isReady ? 'ready' : 'pending', on, at })
  if (!task.dropped) task.requeued = 'again'
}

export function completeTask(state: PlanState, task: TaskState, { on, at }: Omit<MoveTo, 'to'>): void {
  moveTask(state, task, { to: 'completed', on, at })
  task.cause = null
  task.feedback = null
  if (on === 'task.committed') noteCompletion(state, task)
  if (wasRaised(task)) reclassifyDependents(state, task)
  state.dependents.settle(task, (free) => {
    if (free.step === 'pending') moveTask(state, free, { to: 'ready', on: 'dependency.completed', at })
  })
  leaveLayer(state, task)
}

const wasRaised = (task: TaskState): boolean => task.tier === 'critical' && task.spec.tier !== 'critical'

/** A task that turned out to be critical raises its dependents in the same area. */
function reclassifyDependents(state: PlanState, task: TaskState): void {
  for (const dependent of state.dependents.of(task)) {
    if (dependent.tier === 'critical' || !areasConflict(task.area, dependent.area)) continue
    state.reclassify.set(dependent, task.spec.id)
  }
}

function noteCompletion(state: PlanState, task: TaskState): void {
  if (task.tier !== 'low') state.completedSinceLow++
  state.progress.completedSince++
  state.progress.due = reportDue(state, task)
}

/** Why a progress report is due after this completion, or was already due; null when none is. */
function reportDue(state: PlanState, task: TaskState): string | null {
  const { completedSince, due } = state.progress
  if (task.tier === 'critical') return `critical task ${task.spec.id} completed`
  const isDue = completedSince >= state.settings.reportEveryTasks
  return isDue ? `${completedSince} tasks completed` : due
}
