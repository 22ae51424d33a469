/** Which tasks cannot go on before an inbox item is answered. */
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { PlanState, TaskState } from '../../state/state.ts'

/** Named at most; a plan may have very many. */
const MOST_NAMED = 100

/** Items that keep every worker of the plan from starting. */
const STOPS_ALL: ReadonlySet<InboxItem['subject']> = new Set([
  'budget',
  'breaker',
  'checks',
  'effect',
  'provider',
])

/** The first of them, in the order found. */
export function blockedTasks(state: PlanState, item: InboxItem): readonly string[] {
  const task = state.tasks.get(item.task ?? '')
  // An agent waits for a permission, although the plan goes on.
  if (item.kind === 'permission') return task === undefined ? [] : [task.spec.id]
  if (!item.blocking) return []
  if (task !== undefined) return [task.spec.id, ...tasksBehind(state, task, MOST_NAMED - 1)]
  return STOPS_ALL.has(item.subject) ? unstarted(state) : []
}

/** The task's direct and indirect dependents, in the order found. */
export function tasksBehind(state: PlanState, task: TaskState, most = Infinity): readonly string[] {
  const seen = new Set<TaskState>([task])
  for (const one of seen) {
    for (const dependent of state.dependents.of(one)) {
      if (seen.size > most) break
      if (!dependent.dropped) seen.add(dependent)
    }
    if (seen.size > most) break
  }
  seen.delete(task)
  return [...seen].map(({ spec }) => spec.id)
}

function unstarted(state: PlanState): readonly string[] {
  const found: string[] = []
  for (const { step, dropped, spec } of state.tasks.values()) {
    if (dropped || (step !== 'ready' && step !== 'pending')) continue
    found.push(spec.id)
    if (found.length === MOST_NAMED) break
  }
  return found
}
