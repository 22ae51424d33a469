/** A worker of a repository that is at work now. */
import type { LiveWorker, TaskState } from '../../core/state/state.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'

export interface WorkerAt {
  readonly id: string
  readonly plan: HostedPlan
  readonly task: TaskState
  readonly live: LiveWorker
}

export const plansIn = (host: Host, repository: string): readonly HostedPlan[] =>
  host.plans().filter((plan) => plan.home.repository.id === repository)

export function* workersIn(host: Host, repository: string): Generator<WorkerAt> {
  for (const plan of plansIn(host, repository)) {
    for (const task of plan.state.active) {
      const { live } = task
      if (live !== null) yield { id: live.worker, plan, task, live }
    }
  }
}

export function workerIn(host: Host, repository: string, id: string): WorkerAt | null {
  const known = host.workers.inRepository(id, repository)
  const task = known?.plan.state.tasks.get(known.task)
  if (known === null || task === undefined || task.live === null) return null
  return { id, plan: known.plan, task, live: task.live }
}

/** Whether this is the token of its attempt. */
export const proven = (host: Host, { id, plan }: WorkerAt, token: string): boolean =>
  host.workers.withToken(id, token)?.plan === plan
