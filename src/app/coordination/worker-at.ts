/** A worker of a repository that is at work now. */
import type { LiveWorker, TaskState } from '../../core/state.ts'
import { sameSecret } from '../../lib/same-secret.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { workerToken } from '../host/worker-token.ts'

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
  for (const worker of workersIn(host, repository)) if (worker.id === id) return worker
  return null
}

export const proven = (host: Host, { plan, id }: WorkerAt, token: string): boolean =>
  sameSecret(workerToken(host.parts.secret, plan.home.stream, id), token)
