/** The running workers by id and by token, and the token of each attempt. */
import { createHmac } from 'node:crypto'
import { reviewerId, workerId } from '../../core/planning/ids.ts'
import type { TaskState, LiveWorker } from '../../core/state/state.ts'
import { sameSecret } from '../../lib/system/daemon-proof.ts'
import type { StreamId } from '../../ports/event-log.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'

export interface WorkerAtWork {
  readonly id: string
  readonly task: string
  readonly attempt: number
  readonly plan: HostedPlan
}

/** As it is at this moment: not to be kept. */
export interface KnownWorker extends WorkerAtWork {
  readonly state: TaskState
  readonly live: LiveWorker
}

/** How often a second an unknown token is looked for among those of ended attempts: that takes a walk over all of them. */
const MOST_ENDED_LOOKS = 20

export class LiveWorkers {
  readonly #host: Host
  #looks = { since: -Infinity, count: 0 }

  constructor(host: Host) {
    this.#host = host
  }

  /** Whether this is the token of its attempt. */
  hasToken({ id, plan }: Pick<WorkerAtWork, 'id' | 'plan'>, token: string): boolean {
    return sameSecret(workerToken(this.#host.parts.secret, plan.home.stream, id), token)
  }

  /** The worker with this id and token; ids are unique within a repository only. */
  withToken(id: string, token: string): KnownWorker | null {
    return this.all(id).find((worker) => this.hasToken(worker, token)) ?? null
  }

  /** The worker that has this token. */
  ofToken(token: string): KnownWorker | null {
    return this.all().find((worker) => this.hasToken(worker, token)) ?? null
  }

  inRepository(id: string, repository: string): KnownWorker | null {
    return this.all(id).find(({ plan }) => plan.home.repository.id === repository) ?? null
  }

  /** The worker whose attempt has ended and had this token. Callers without a token of ours cannot make it look all the time. */
  endedWith(token: string): WorkerAtWork | null {
    const now = this.#host.parts.clock.now()
    if (Math.abs(now - this.#looks.since) >= 1000) this.#looks = { since: now, count: 0 }
    if (++this.#looks.count > MOST_ENDED_LOOKS) return null
    for (const plan of this.#host.plans()) {
      for (const task of plan.state.tasks.values()) {
        for (const [id, attempt] of earlierWorkers(plan.id, task)) {
          if (task.live?.worker !== id && this.hasToken({ id, plan }, token))
            return { id, task: task.spec.id, attempt, plan }
        }
      }
    }
    return null
  }

  /** All running workers, or those with this id. */
  *all(id?: string): Generator<KnownWorker> {
    for (const plan of this.#host.plans()) {
      for (const state of plan.state.active) {
        const { live, spec } = state
        if (live !== null && (id === undefined || live.worker === id))
          yield { id: live.worker, task: spec.id, attempt: live.attempt, plan, state, live }
      }
    }
  }
}

/** The ids of a task's workers so far, with their attempt. */
function* earlierWorkers(
  plan: string,
  { spec, attempt, reviewRound }: TaskState,
): Generator<[string, number]> {
  for (let nth = attempt; nth >= 1; nth--) {
    yield [workerId(plan, spec.id, nth), nth]
    for (let round = 1; round <= reviewRound; round++) yield [reviewerId(plan, spec.id, nth, round), nth]
  }
}

export const plansIn = (host: Host, repository: string): readonly HostedPlan[] =>
  host.plans().filter((plan) => plan.home.repository.id === repository)

export const workersIn = (host: Host, repository: string): readonly KnownWorker[] =>
  [...host.workers.all()].filter(({ plan }) => plan.home.repository.id === repository)

/**
 * Each attempt has a token derived from the user's, so nothing has to be stored and it survives restarts. The user's token
 * cannot be derived from it.
 */
export function workerToken(secret: string, stream: StreamId, worker: string): string {
  return createHmac('sha256', secret).update(`worker ${stream} ${worker}`).digest('hex')
}
