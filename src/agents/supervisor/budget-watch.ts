import { overBudget } from '../../core/crew/worker-budget.ts'
import { usageOf, type SessionUsage } from '../../ports/agent.ts'
import type { WorkerJob } from '../worker-folder.ts'

/** Compares what a worker has used so far with its budget, and calls once when it is exceeded. */
export function watchBudget(
  { budget, agent }: Pick<WorkerJob, 'budget' | 'agent'>,
  onOver: (why: string, used: SessionUsage) => void,
): (used: SessionUsage) => void {
  let isOver = budget === undefined
  return (used) => {
    if (isOver || budget === undefined) return
    const why = overBudget(usageOf(used), budget, agent)
    if (why === null) return
    isOver = true
    onOver(`it has used ${why} that were left for it`, used)
  }
}
