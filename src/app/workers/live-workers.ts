/** The running workers by id, cached so that lookups need no walk over all of them. */
import { sameSecret } from '../../lib/system/same-secret.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { workerToken } from '../checkins/worker-token.ts'
import { reviewerId, workerId } from '../../core/planning/ids.ts'
import type { TaskState } from '../../core/state/state.ts'

export interface WorkerAtWork {
  readonly id: string
  readonly task: string
  readonly attempt: number
  readonly plan: HostedPlan
}

export interface KnownWorker extends WorkerAtWork {
  /** Of this attempt alone. */
  readonly token: string
}

/** How often a second an unknown token is looked for among those of ended attempts: that takes a walk over all of them. */
const MOST_ENDED_LOOKS = 20

export class LiveWorkers {
  readonly #host: Host
  #looks = { since: -Infinity, count: 0 }
  /** As they were found; whether they still live is asked every time. */
  readonly #found = new Map<string, readonly KnownWorker[]>()

  constructor(host: Host) {
    this.#host = host
  }

  /** The worker with this id and token; ids are unique within a repository only. */
  withToken(id: string, token: string): KnownWorker | null {
    return this.#find(id, (worker) => sameSecret(worker.token, token))
  }

  /** The worker that has this token. */
  ofToken(token: string): KnownWorker | null {
    for (const worker of [...this.#found.values()].flat())
      if (this.#lives(worker) && sameSecret(worker.token, token)) return worker
    for (const { id } of this.all()) {
      const worker = this.withToken(id, token)
      if (worker !== null) return worker
    }
    return null
  }

  /** The worker whose attempt has ended and had this token. Callers without a token of ours cannot make it look all the time. */
  endedWith(token: string): KnownWorker | null {
    const { secret, clock } = this.#host.parts
    const now = clock.now()
    if (Math.abs(now - this.#looks.since) >= 1000) this.#looks = { since: now, count: 0 }
    if (++this.#looks.count > MOST_ENDED_LOOKS) return null
    for (const plan of this.#host.plans()) {
      for (const task of plan.state.tasks.values()) {
        for (const [id, attempt] of earlierWorkers(plan.id, task)) {
          if (task.live?.worker === id) continue
          const own = workerToken(secret, plan.home.stream, id)
          if (sameSecret(own, token)) return { id, task: task.spec.id, attempt, plan, token: own }
        }
      }
    }
    return null
  }

  inRepository(id: string, repository: string): KnownWorker | null {
    return this.#find(id, ({ plan }) => plan.home.repository.id === repository)
  }

  /** All running workers, or those with this id. */
  *all(id?: string): Generator<WorkerAtWork> {
    for (const plan of this.#host.plans()) {
      for (const { live, spec } of plan.state.active)
        if (live !== null && (id === undefined || live.worker === id))
          yield { id: live.worker, task: spec.id, attempt: live.attempt, plan }
    }
  }

  /** Forgets those that have ended. */
  tidy(): void {
    for (const [id, workers] of this.#found)
      if (!workers.some((worker) => this.#lives(worker))) this.#found.delete(id)
  }

  #find(id: string, matches: (worker: KnownWorker) => boolean): KnownWorker | null {
    for (const worker of this.#found.get(id) ?? []) if (this.#lives(worker) && matches(worker)) return worker
    const now = this.#look(id)
    if (now.length === 0) this.#found.delete(id)
    else this.#found.set(id, now)
    return now.find(matches) ?? null
  }

  #look(id: string): readonly KnownWorker[] {
    const { secret } = this.#host.parts
    return [...this.all(id)].map((worker) => ({
      ...worker,
      token: workerToken(secret, worker.plan.home.stream, id),
    }))
  }

  #lives({ id, task, plan }: KnownWorker): boolean {
    return this.#host.isHosted(plan) && plan.state.tasks.get(task)?.live?.worker === id
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
