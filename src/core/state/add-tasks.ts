/** Adds tasks to a plan, at its registration or later. */
import { index } from './indexes.ts'
import { newTask } from './new-task.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { rankTasks } from '../scheduling/ranks.ts'
import { linkDependents, type Instant, type PlanState, type TaskState } from './state.ts'

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
