/** A person's answer to a worker's request. */
import type { EventOf } from '../events/plan-events.ts'
import { taskIn } from './moves.ts'
import { change, stopWorker } from './watch.ts'
import type { AskedRequest, Instant, OpenItem, PlanState } from '../state/state.ts'

/** A person's reply becomes the request's answer, unless they have the worker replaced. */
export function answerRequest(
  state: PlanState,
  { item }: OpenItem,
  { answer, at }: { readonly answer: EventOf<'inbox.answered'>; readonly at: Instant },
): void {
  const task = taskIn(state, item.task ?? '')
  const { live } = task
  const id = item.about ?? ''
  if (live === null || live.step === 'stopping' || live.watch.requests.every((one) => one.id !== id)) return
  const { choice, feedback, by } = answer
  const { worker } = live
  if (choice === 'restart') stopWorker(state, task, { worker, by, feedback, at, cause: 'restarted' })
  else
    change(state, { worker, task: task.spec.id }, ({ requests }) => ({
      requests: withRequest(requests, id, { reply: { choice, feedback, by } }),
    }))
}

export const withRequest = (
  requests: readonly AskedRequest[],
  id: string,
  now: Partial<AskedRequest>,
): readonly AskedRequest[] => requests.map((one) => (one.id === id ? { ...one, ...now } : one))
