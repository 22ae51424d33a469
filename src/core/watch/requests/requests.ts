/**
 * Requests of workers. Each is answered: by a rule where one applies, else by a person, or it expires. In `monitor` mode
 * no rule answers and nothing expires.
 */
import { formatDuration } from '../../../lib/text/format-time.ts'
import { opened } from '../../delivery/inbox/inbox-items.ts'
import { requestItem } from '../../delivery/inbox/request-items.ts'
import type { PlanEvent } from '../../events/plan-events.ts'
import type { Request, RequestAnswer } from '../../event-schemas/requests.ts'
import { askedAbout, type AskedRequest, type Instant, type LiveWorker } from '../../state/state.ts'
import { answerBySpecialist, isForSpecialist } from './ask-specialist.ts'
import { answerByDecision } from './permissions.ts'
import { answerByPerson, answerByRule, expiredAnswer, type Asking } from './request-answers.ts'
import { MOST_OPEN_REQUESTS, MOST_REQUESTS, type WatchRules } from '../rules.ts'

export const openRequests = ({ watch }: LiveWorker): readonly AskedRequest[] =>
  watch.requests.filter(({ answer }) => answer === null)

export const openRequest = (live: LiveWorker, id: string): AskedRequest | null =>
  openRequests(live).find((request) => request.id === id) ?? null

export const nextRequestId = ({ worker, watch }: LiveWorker): string =>
  `${worker}-r${watch.requests.length + 1}`

/** Whether to accept a request: not a repetition of an open one, and not beyond the limits. */
export function weighRequest(
  live: LiveWorker,
  { kind, text, ref }: Pick<Request, 'kind' | 'text' | 'ref'>,
): 'new' | 'same' | 'excess' {
  const { requests } = live.watch
  // Its supervisor bounds these, and the agent waits for each of them.
  if (kind === 'permission') return requests.some((one) => one.ref === ref) ? 'same' : 'new'
  const isSame = (one: AskedRequest): boolean =>
    (ref !== undefined && one.ref === ref) || (one.answer === null && one.kind === kind && one.text === text)
  if (requests.some(isSame)) return 'same'
  const isExcess = requests.length >= MOST_REQUESTS || openRequests(live).length >= MOST_OPEN_REQUESTS
  return isExcess ? 'excess' : 'new'
}

export function requestRejectionReason(live: LiveWorker, request: Request): string | null {
  if (request.id !== nextRequestId(live)) return `${request.id} is not the next request of ${live.worker}`
  switch (weighRequest(live, request)) {
    case 'new':
      return null
    case 'same':
      return 'this request was already made'
    case 'excess':
      return excessReason(live)
  }
}

export const excessReason = (live: LiveWorker): string =>
  openRequests(live).length >= MOST_OPEN_REQUESTS
    ? `${MOST_OPEN_REQUESTS} requests are already open; wait for their answers`
    : `the limit of ${MOST_REQUESTS} requests is reached`

/** The next event that one of its requests needs; null if none does now. */
export function owedToRequests(
  asking: Omit<Asking, 'request'> & { readonly rules: WatchRules; readonly now: Instant },
): readonly PlanEvent[] | null {
  const { state, task, live, rules, now } = asking
  for (const request of openRequests(live)) {
    const one = { state, task, live, request }
    if (request.reply !== null) return [answered(one, answerByPerson(one, request.reply))]
    const decided = answerByDecision(state, { task: task.spec.id, request })
    if (decided !== null) return [answered(one, decided)]
    if (rules.mode === 'act') {
      const byRule = answerByRule(one)
      if (byRule !== null) return [answered(one, byRule)]
      if (now >= request.at + rules.requestMs) return [answered(one, expiredAnswer(one))]
    }
    if (request.specialist?.outcome === 'answered')
      return [answered(one, answerBySpecialist(request, request.specialist))]
    if (isForSpecialist({ ...one, rules })) continue
    if (!state.asked.has(askedAbout({ subject: 'request', about: request.id }))) {
      const item = requestItem(state, task, { live, request, otherwise: otherwise(request, rules) })
      return [opened(item)]
    }
  }
  return null
}

function otherwise({ kind }: AskedRequest, { mode, requestMs }: WatchRules): string {
  if (mode === 'monitor') return 'it waits until you answer'
  const then = kind === 'permission' ? 'it is denied' : 'the worker continues as well as it can'
  return `after ${formatDuration(requestMs)} without an answer ${then}`
}

const answered = ({ task, live, request }: Asking, answer: RequestAnswer): PlanEvent => ({
  type: 'request.answered',
  v: 1,
  worker: live.worker,
  task: task.spec.id,
  attempt: live.attempt,
  id: request.id,
  answer,
})

/** A reported issue without a request; Bosun asks on the worker's behalf, once for each. */
export function unaskedIssue(live: LiveWorker, issues: readonly string[]): string | null {
  const isAsking = openRequests(live).some(({ by }) => by === live.worker)
  if (isAsking) return null
  const isNew = (issue: string): boolean =>
    issue.trim() !== '' &&
    live.watch.requests.every(({ text }) => text !== issue) &&
    weighRequest(live, { kind: 'need_help', text: issue }) === 'new'
  return issues.find(isNew) ?? null
}

export const helpFor = (live: LiveWorker, issue: string): Request => ({
  id: nextRequestId(live),
  kind: 'need_help',
  text: issue,
  priority: 'normal',
  by: 'bosun',
})
