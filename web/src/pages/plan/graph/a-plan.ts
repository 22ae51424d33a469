/** A plan for tests of the graph. */
import { aTask } from '../tasks/a-task.ts'
import type { PlanTask } from '../tasks/columns.ts'

/** A chain of done tasks, one at work, one that waits for it, and many that are ready. */
export function aPlan(): readonly PlanTask[] {
  const done = ['d1', 'd2', 'd3'].map((id, at) =>
    aTask({ id, status: 'completed', depends_on: at === 0 ? [] : [`d${at}`] }),
  )
  const ready = Array.from({ length: 30 }, (_, at) => aTask({ id: `r${at}` }))
  return [
    ...done,
    aTask({ id: 'work', status: 'in_progress', depends_on: ['d3'] }),
    aTask({ id: 'later', status: 'pending', depends_on: ['work', 'd1'], blocked_by: ['work'] }),
    ...ready,
  ]
}
