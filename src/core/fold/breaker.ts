/** Consecutive failures with the same message at several tasks open the breaker; one success closes it. */
import { breakerDelayMs, MAX_RESTARTS, MAX_REVIEWERS_LOST } from '../state/budgets.ts'
import type { EventOf } from '../events/plan-events.ts'
import type { Breaker, Failures } from '../state/providers-state.ts'
import { askedAbout, type Instant, type LiveWorker, type PlanState } from '../state/state.ts'
import { failureSignature } from '../watch/providers/signature.ts'
import { isCommon } from '../watch/providers/breaker.ts'

/** The number of tasks in a row, or of failures across tasks, that opens it. */
const TASKS = 3
const TIMES = 4

export function breakerProbeSent(state: PlanState, { worker }: LiveWorker): void {
  const { breaker } = state
  if (breaker !== null) state.breaker = { ...breaker, probe: worker, probes: breaker.probes + 1 }
}

export function failureSeen(state: PlanState, event: EventOf<'worker.ended'>, at: Instant): void {
  const { end, worker } = event
  if (state.breaker?.probe === worker) {
    const { breaker } = state
    state.breaker = { ...breaker, probe: null, probeAt: at + breakerDelayMs(breaker.probes) }
  }
  if (end.kind === 'done') return worked(state, worker)
  if (end.kind !== 'failed') return
  const failures = oneMore(state.failures, event.task, end.reason)
  state.failures = failures
  const isOpening = failures.tasks.length >= TASKS || (failures.tasks.length > 1 && failures.times >= TIMES)
  if (state.breaker !== null) state.breaker = stillOpen(state.breaker, failures, at)
  else if (isOpening)
    state.breaker = { ...failures, probes: 0, probe: null, probeAt: at + breakerDelayMs(0), over: null }
}

/** A failure of a worker that was already running does not delay the next probe. */
function stillOpen(breaker: Breaker, { signature, tasks, times }: Failures, at: Instant): Breaker {
  if (signature !== breaker.signature) return breaker
  return { ...breaker, tasks, times, probeAt: Math.max(breaker.probeAt, at + breakerDelayMs(0)) }
}

function oneMore(before: Failures | null, task: string, reason: string): Failures {
  const signature = failureSignature(reason)
  if (before === null || before.signature !== signature) return { signature, reason, tasks: [task], times: 1 }
  const tasks = before.tasks.includes(task) ? before.tasks : [...before.tasks, task]
  return { signature, reason, tasks, times: before.times + 1 }
}

function worked(state: PlanState, worker: string): void {
  state.failures = null
  if (state.breaker === null) return
  const isAsked = state.asked.has(askedAbout({ subject: 'breaker', about: null }))
  if (isAsked) state.breaker = { ...state.breaker, over: `${worker} ended well` }
  else closeBreaker(state, 'one more try')
}

/** Failures with a common cause do not count against the tasks: a person restores all attempts, a rule one. */
export function closeBreaker(state: PlanState, gives: 'fresh tries' | 'one more try'): void {
  const most = gives === 'fresh tries' ? 0 : MAX_RESTARTS - 1
  const mostLost = gives === 'fresh tries' ? 0 : MAX_REVIEWERS_LOST
  for (const task of state.active) {
    if (task.live !== null || !isCommon(state, task.cause)) continue
    const { restarts, reviewersLost } = task.counters
    task.counters = {
      ...task.counters,
      restarts: Math.min(restarts, most),
      reviewersLost: Math.min(reviewersLost, mostLost),
    }
  }
  state.breaker = null
  state.failures = null
}
