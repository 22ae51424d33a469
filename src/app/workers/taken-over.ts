/** Which workers people have taken over. */
import type { PlanState, TaskState } from '../../core/state/state.ts'
import type { WorkerAnswer } from '../../protocol/answers.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'

/** The task in which a person works in the place of this worker, or is about to; null where none does. */
export function takenTask(state: PlanState, worker: string): TaskState | null {
  for (const task of state.active) {
    if (task.step === 'taken_over' && task.draft?.worker === worker) return task
    if (task.live?.worker === worker && task.live.stopCause === 'taken_over') return task
  }
  return null
}

export function takeoverOf(plan: HostedPlan, worker: string): WorkerAnswer['takeover'] {
  const task = takenTask(plan.state, worker)
  if (task === null) return null
  const isReady = task.step === 'taken_over'
  const open = [...plan.state.inbox.values()].find(
    ({ item }) => item.subject === 'takeover' && item.about === worker,
  )
  const { session } = task
  const repository = plan.home.repository.id
  const isOwn = session?.worker === worker
  return {
    by: task.takenOverBy ?? '',
    ready: isReady && open !== undefined,
    item: open === undefined ? null : `${repository}:${plan.id}:${open.item.id}`,
    repository,
    agent: isOwn ? session.agent : null,
    session: isOwn ? session.id : null,
  }
}
