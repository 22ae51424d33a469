/** What requests and their answers change in a worker and its task. */
import type { EventOf } from './events/plan-events.ts'
import { decided, taskIn } from './fold-moves.ts'
import { change, restartWorker, told } from './fold-watch.ts'
import { plus } from './spending.ts'
import type { AskedRequest, Instant, OpenItem, PlanState } from './state.ts'

export function requestReceived(state: PlanState, event: EventOf<'request.received'>, at: Instant): void {
  const { request } = event
  change(state, event, ({ requests }) => ({
    requests: [...requests, { ...request, at, said: null, answer: null }],
  }))
  const who = request.by === event.worker ? 'asks' : `is in trouble, ${request.by} asks for it`
  decided(taskIn(state, event.task), at, `${event.worker} ${who} (${request.id}): ${request.text}`)
}

export function requestAnswered(state: PlanState, event: EventOf<'request.answered'>, at: Instant): void {
  const { id, answer, task } = event
  const { text, by, outcome, minutes = 0, tokens = 0 } = answer
  change(state, event, (watch) => {
    const message = { id: watch.messages + 1, kind: 'answer', text, about: `request ${id}`, by } as const
    return {
      ...told(watch, message, at),
      extraMs: watch.extraMs + minutes * 60_000,
      requests: withRequest(watch.requests, id, { answer }),
      // Who waited for it in silence begins anew.
      armedAt: waitsFor(watch.requests, event) ? at : watch.armedAt,
    }
  })
  const asked = taskIn(state, task)
  asked.forgiven = plus(asked.forgiven, { tokens, usd: 0 })
  decided(asked, at, `${id} was ${outcome} by ${by}: ${text}`)
}

/** What a person says becomes the request's answer, unless they want somebody else to go on. */
export function answerRequest(
  state: PlanState,
  { item }: OpenItem,
  { answer, at }: { readonly answer: EventOf<'inbox.answered'>; readonly at: Instant },
): void {
  const { live, spec } = taskIn(state, item.task ?? '')
  const id = item.about ?? ''
  if (live === null || live.step === 'stopping' || live.watch.requests.every((one) => one.id !== id)) return
  const { choice, feedback, by } = answer
  const about = { worker: live.worker, task: spec.id, attempt: live.attempt }
  if (choice === 'restart') restartWorker(state, about, { by, feedback, at })
  else
    change(state, about, ({ requests }) => ({
      requests: withRequest(requests, id, { said: { choice, feedback, by } }),
    }))
}

const waitsFor = (requests: readonly AskedRequest[], { id, worker }: EventOf<'request.answered'>): boolean =>
  requests.some((one) => one.id === id && one.kind === 'blocked' && one.by === worker)

const withRequest = (
  requests: readonly AskedRequest[],
  id: string,
  now: Partial<AskedRequest>,
): readonly AskedRequest[] => requests.map((one) => (one.id === id ? { ...one, ...now } : one))
