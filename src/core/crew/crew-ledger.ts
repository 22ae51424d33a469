/** How each agent and model has done so far, counted from events. It decides nothing. */
import type { DispatchReason, Role } from '../event-schemas/schemas.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import { latest, NOTHING_SPENT, plus, spentAtEnd, type Spent } from '../state/spending.ts'
import type { Instant } from '../state/state.ts'

export interface CrewRecord {
  /** Null where the log does not name it. */
  readonly agent: string | null
  readonly model: string | null
  /** Tasks that it worked on. */
  readonly tasks: number
  /** Of the tasks that it began and that are decided: how many landed without another attempt. */
  readonly firstPass: { readonly passed: number; readonly of: number }
  /** Workers that wrote. */
  readonly attempts: number
  /** Workers that reviewed. */
  readonly reviews: number
  /** Of all its workers. */
  readonly workMs: number
  /** As they reported it: a lower bound. */
  readonly spent: Spent
}

/** What workers took that ended as they should. */
export interface FinishedWork {
  readonly workers: number
  readonly workMs: number
  readonly spent: Spent
}

interface Fact {
  readonly stream: string
  readonly at: Instant
  readonly event: PlanEvent
}

interface Worker {
  readonly task: string
  readonly role: Role
  agent: string | null
  /** What it used, where its agent says so, else what it was asked to use. */
  model: string | null
  startedAt: Instant | null
  /** It reported that it was done. */
  isFinished: boolean
  workMs: number
  spent: Spent
}

interface Task {
  /** Its first worker that wrote. */
  readonly first: string
  hasLanded: boolean
  hadAnotherAttempt: boolean
  /** A person worked on it: it says nothing about its agent. */
  isByHand: boolean
}

/** Dispatches that say nothing about the work before them. */
const NOT_ANOTHER: readonly DispatchReason[] = ['first', 'again']

export class CrewLedger {
  readonly #workers = new Map<string, Worker>()
  readonly #tasks = new Map<string, Task>()

  take({ stream, at, event }: Fact): void {
    if (event.type === 'task.dispatched') this.#dispatched(stream, event)
    if (event.type === 'review.dispatched') this.#add(stream, event, 'reviewer')
    if (event.type === 'task.committed') {
      const task = this.#tasks.get(`${stream} ${event.task}`)
      if (task !== undefined) task.hasLanded = true
    }
    if (event.type === 'worker.condemned' && event.cause === 'taken_over') {
      const task = this.#tasks.get(`${stream} ${event.task}`)
      if (task !== undefined) task.isByHand = true
    }
    if (event.type !== 'worker.started' && event.type !== 'worker.used' && event.type !== 'worker.ended')
      return
    const worker = this.#workers.get(`${stream} ${event.worker}`)
    if (worker !== undefined) noteWorker(worker, event, at)
  }

  /** The agents that did most first. */
  records(): readonly CrewRecord[] {
    const byAgent = Map.groupBy(this.#workers, ([, { agent, model }]) => JSON.stringify([agent, model]))
    const records = [...byAgent.values()].map((workers) => this.#record(workers))
    return records.toSorted((a, b) => workersOf(b) - workersOf(a) || (name(a) < name(b) ? -1 : 1))
  }

  /** Of known agents. A launch that failed says nothing about what the next one takes. */
  finished(): FinishedWork {
    const finished = [...this.#workers.values()].filter(
      ({ agent, isFinished }) => agent !== null && isFinished,
    )
    return {
      workers: finished.length,
      workMs: finished.reduce((sum, { workMs }) => sum + workMs, 0),
      spent: finished.reduce((sum, { spent }) => plus(sum, spent), NOTHING_SPENT),
    }
  }

  #record(workers: readonly (readonly [string, Worker])[]): CrewRecord {
    const own = workers.map(([, worker]) => worker)
    const [{ agent, model } = { agent: null, model: null }] = own
    const authors = own.filter(({ role }) => role !== 'reviewer')
    const keys = new Set(workers.map(([key]) => key))
    const begun = [...this.#tasks.values()].filter(({ first }) => keys.has(first))
    const decided = begun.filter(
      ({ hasLanded, hadAnotherAttempt, isByHand }) => !isByHand && (hasLanded || hadAnotherAttempt),
    )
    return {
      agent,
      model,
      tasks: new Set(authors.map(({ task }) => task)).size,
      firstPass: {
        passed: decided.filter(({ hadAnotherAttempt }) => !hadAnotherAttempt).length,
        of: decided.length,
      },
      attempts: authors.length,
      reviews: own.length - authors.length,
      workMs: own.reduce((sum, { workMs }) => sum + workMs, 0),
      spent: own.reduce((sum, { spent }) => plus(sum, spent), NOTHING_SPENT),
    }
  }

  #dispatched(stream: string, event: Extract<PlanEvent, { type: 'task.dispatched' }>): void {
    const key = `${stream} ${event.task}`
    const task = this.#tasks.get(key)
    if (task === undefined) {
      this.#tasks.set(key, {
        first: `${stream} ${event.worker}`,
        hasLanded: false,
        hadAnotherAttempt: false,
        isByHand: false,
      })
    } else if (!NOT_ANOTHER.includes(event.reason)) task.hadAnotherAttempt = true
    this.#add(stream, event, event.role)
  }

  #add(
    stream: string,
    { worker, task }: { readonly worker: string; readonly task: string },
    role: Role,
  ): void {
    this.#workers.set(`${stream} ${worker}`, {
      task: `${stream} ${task}`,
      role,
      agent: null,
      model: null,
      startedAt: null,
      isFinished: false,
      workMs: 0,
      spent: NOTHING_SPENT,
    })
  }
}

function noteWorker(
  worker: Worker,
  event: Extract<PlanEvent, { type: 'worker.started' | 'worker.used' | 'worker.ended' }>,
  at: Instant,
): void {
  if (event.type === 'worker.used') {
    worker.spent = latest(worker.spent, event)
    return
  }
  worker.agent = event.agent ?? worker.agent
  worker.startedAt ??= at
  if (event.type === 'worker.started') {
    worker.model = event.model ?? worker.model
    return
  }
  worker.model = event.usage?.model ?? worker.model
  worker.spent = latest(worker.spent, spentAtEnd(event))
  worker.isFinished = event.end.kind === 'done'
  worker.workMs = Math.max(0, at - worker.startedAt)
}

const workersOf = ({ attempts, reviews }: CrewRecord): number => attempts + reviews
const name = ({ agent, model }: CrewRecord): string => `${agent ?? ''} ${model ?? ''}`
