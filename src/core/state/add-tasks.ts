/** Adds tasks to a plan, at its registration or later. */
import { index } from './indexes.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { openQuestions } from '../planning/task-schema.ts'
import { rankTasks } from '../scheduling/ranks.ts'
import type { Instant, PlanState } from './state.ts'
import { newTask, type TaskState } from './task-state.ts'

/** `planAnswers`: what was decided about the task that they are parts of. */
export function addTasks(
  state: PlanState,
  specs: readonly TaskSpec[],
  at: Instant,
  planAnswers: TaskState['planAnswers'] = [],
): readonly TaskState[] {
  const ranks = rankTasks(specs)
  const first = state.tasks.size
  const tasks = specs.map((spec, place) => {
    const { rank, chain } = ranks[place] ?? { rank: place, chain: 0 }
    const task = newTask(spec, {
      rank: first + rank,
      chain,
      at,
      area: state.locks.find(spec.ownership),
    })
    if (planAnswers.length > 0) task.planAnswers = planAnswers
    state.tasks.add(task)
    const layer = spec.layer === null ? undefined : state.layers.get(spec.layer)
    if (layer !== undefined) layer.left++
    return task
  })
  linkDependents(state, tasks)
  for (const task of tasks) {
    task.step = state.dependents.unmet(task) === 0 ? 'ready' : 'pending'
    index(state, task)
  }
  return tasks
}

/** Records the dependencies of new tasks, or of the tasks of a loaded plan. */
export function linkDependents(state: PlanState, tasks: readonly TaskState[]): void {
  for (const task of tasks.toSorted((a, b) => a.rank - b.rank)) state.dependents.add(task)
  for (const task of tasks) {
    for (const id of task.spec.dependsOn) {
      const needed = state.tasks.get(id)
      if (needed === undefined)
        throw new Error(`task ${task.spec.id} depends on ${id}, which is not in the plan`)
      state.dependents.link(needed, task)
      if (needed.step !== 'completed') state.dependents.wait(task)
    }
    if (openQuestions(task).length === 0) continue
    state.unsettled.add(task)
    state.dependents.wait(task)
  }
}
