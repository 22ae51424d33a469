/** Answers to requests: by the rules, by a person, or because the request expired. */
import { ROLES } from '../../event-schemas/schemas.ts'
import { MOST_MINUTES, MOST_TOKENS, type RequestAnswer } from '../../event-schemas/requests.ts'
import { amountsIn } from '../../state/spending.ts'
import type { AskedRequest, LiveWorker, PlanState, TaskState } from '../../state/state.ts'
import { leftFor } from '../costs.ts'

/** Time that the rules grant at once, and in all. */
export const MOST_MINUTES_AT_ONCE = 30
export const MOST_MINUTES_BY_RULE = 60

/** Whom a worker may address. One person answers for all of them and sees the addressee. */
export const ADDRESSEES: readonly string[] = [...ROLES.filter((role) => role !== 'fixer'), 'human', 'user']

export interface Asking {
  readonly state: PlanState
  readonly task: TaskState
  readonly live: LiveWorker
  readonly request: AskedRequest
}

/** Null where no rule applies: then a person is asked. */
export function answerByRule(asking: Asking): RequestAnswer | null {
  const { request } = asking
  switch (request.kind) {
    case 'need_time':
      return timeByRule(asking)
    case 'need_resources':
      return request.tokens === undefined ? null : tokensByRule(asking, request.tokens)
    case 'need_clarification': {
      if (request.text.trim() === '')
        return denied(request, 'no question given. Say what is unclear and ask again.')
      const isKnown = request.to === undefined || ADDRESSEES.includes(request.to)
      return isKnown
        ? null
        : denied(request, `unknown addressee "${request.to}". Use one of ${ADDRESSEES.join(', ')}.`)
    }
    case 'need_help':
      return request.text.trim() === ''
        ? denied(request, 'no reason given. Say what you need help with and ask again.')
        : null
    case 'blocked':
    case 'permission':
      return null
  }
}

function timeByRule({ task, live, request }: Asking): RequestAnswer | null {
  if (request.text.trim() === '')
    return denied(request, 'no reason given. Say why you need more time and ask again.')
  if ((request.minutes ?? 0) > MOST_MINUTES_AT_ONCE) return null
  const left = MOST_MINUTES_BY_RULE - minutesByRule(live)
  const minutes = request.minutes ?? Math.min(MOST_MINUTES_AT_ONCE, left)
  if (minutes > left || left === 0) {
    const rest = left === 0 ? 'hand in what you have' : `at most ${left} min more can be granted`
    return denied(request, `you already got ${MOST_MINUTES_BY_RULE - left} min; ${rest}.`)
  }
  const limit = Math.round((task.spec.timeBudgetMs + live.watch.extraMs) / 60_000) + minutes
  const text = answerText(request, `granted: ${minutes} min more, ${limit} min in all.`)
  return { outcome: 'granted', text, by: 'bosun', minutes }
}

/** Minutes that the rules granted it so far. */
export const minutesByRule = ({ watch }: LiveWorker): number =>
  watch.requests.reduce((sum, { answer }) => sum + (answer?.by === 'bosun' ? (answer.minutes ?? 0) : 0), 0)

/** Tokens within the budget need no approval. */
function tokensByRule({ state, task, request }: Asking, tokens: number): RequestAnswer | null {
  const left = leftFor(state, task).tokens ?? Infinity
  if (tokens > left) return null
  const rest = left === Infinity ? 'there is no limit' : `${left} tokens are left`
  return { outcome: 'granted', text: answerText(request, `granted: ${rest}.`), by: 'bosun' }
}

export function answerByPerson(
  { request }: Asking,
  { choice, feedback, by }: NonNullable<AskedRequest['reply']>,
): RequestAnswer {
  const more = feedback.trim() === '' ? '' : ` ${feedback.trim()}`
  const reply = (message: string): string => answerText(request, `${message}${more}`)
  switch (choice) {
    case 'allow':
      return { outcome: 'granted', text: reply(`allowed by ${by}.`), by }
    case 'grant': {
      const given =
        request.kind === 'need_time' ? timeGiven(request, feedback) : tokensGiven(request, feedback)
      const what = 'minutes' in given ? `${given.minutes} min more` : `${given.tokens} tokens more`
      return { outcome: 'granted', text: reply(`granted by ${by}: ${what}.`), by, ...given }
    }
    case 'deny':
      return { outcome: 'denied', text: reply(`denied by ${by}.`), by }
    case 'decide':
      return { outcome: 'answered', text: reply(`decide yourself and report what you assumed.`), by }
    default:
      return {
        outcome: 'answered',
        text: more === '' ? reply(`${by} has seen it and leaves the decision to you.`) : reply(`${by} says:`),
        by,
      }
  }
}

/** The person's own amount (`45 min`) if given, else what the worker asked for. */
function timeGiven({ minutes }: AskedRequest, feedback: string): { readonly minutes: number } {
  const amount = Number(/\b(\d+)\s*m(?:in|inutes)?\b/i.exec(feedback)?.[1] ?? Number.NaN)
  return { minutes: amount > 0 ? Math.min(amount, MOST_MINUTES) : (minutes ?? MOST_MINUTES_AT_ONCE) }
}

/** The person's own amount (`tokens=200000`) if given, else what the worker asked for. */
function tokensGiven({ tokens }: AskedRequest, feedback: string): { readonly tokens: number } {
  const amount = Math.floor(amountsIn(feedback)?.tokens ?? 0)
  return { tokens: amount > 0 ? Math.min(amount, MOST_TOKENS) : (tokens ?? 1) }
}

export function expiredAnswer({ request }: Asking): RequestAnswer {
  if (request.kind === 'permission')
    return {
      outcome: 'expired',
      text: answerText(request, 'denied, since no answer came in time.'),
      by: 'bosun',
    }
  const text = answerText(request, 'no answer in time. Go on as best you can and report what you assumed.')
  return { outcome: 'expired', text, by: 'bosun' }
}

const denied = (request: AskedRequest, reason: string): RequestAnswer => ({
  outcome: 'denied',
  text: answerText(request, `denied: ${reason}`),
  by: 'bosun',
})

/** A worker may wait for several answers, so each names its request. */
const answerText = ({ id, kind }: AskedRequest, message: string): string =>
  `On ${kind.replaceAll('_', ' ')} (${id}): ${message}`
