/** What a request is answered with, by the rules, by a person, or because nobody did. */
import { ROLES } from '../../event-schemas/schemas.ts'
import { MOST_MINUTES, MOST_TOKENS, type RequestAnswer } from '../../event-schemas/requests.ts'
import { amountsIn, minus, plus } from '../../state/spending.ts'
import type { AskedRequest, LiveWorker, PlanState, TaskState } from '../../state/state.ts'

/** Time that the rules give at once, and in all. */
export const MOST_MINUTES_AT_ONCE = 30
export const MOST_MINUTES_BY_RULE = 60

/** Who can be asked what is meant. There is one person behind all of them, who sees whom it was meant for. */
export const ADDRESSEES: readonly string[] = [...ROLES.filter((role) => role !== 'fixer'), 'human', 'user']

export interface Asking {
  readonly state: PlanState
  readonly task: TaskState
  readonly live: LiveWorker
  readonly request: AskedRequest
}

/** Null where no rule can: then a person is asked. */
export function answerByRule(asking: Asking): RequestAnswer | null {
  const { request } = asking
  switch (request.kind) {
    case 'need_time':
      return timeByRule(asking)
    case 'need_resources':
      return request.tokens === undefined ? null : tokensByRule(asking, request.tokens)
    case 'need_clarification': {
      if (request.text.trim() === '') return denied(request, 'say what is unclear, and ask again.')
      const isKnown = request.to === undefined || ADDRESSEES.includes(request.to)
      return isKnown ? null : denied(request, `there is no ${request.to} here; ask ${ADDRESSEES.join(', ')}.`)
    }
    case 'need_help':
      return request.text.trim() === ''
        ? denied(request, 'say what you need help with, and ask again.')
        : null
    case 'blocked':
      return null
  }
}

function timeByRule({ task, live, request }: Asking): RequestAnswer | null {
  if (request.text.trim() === '') return denied(request, 'say why you need more time, and ask again.')
  if ((request.minutes ?? 0) > MOST_MINUTES_AT_ONCE) return null
  const left = MOST_MINUTES_BY_RULE - minutesByRule(live)
  const minutes = request.minutes ?? Math.min(MOST_MINUTES_AT_ONCE, left)
  if (minutes > left || left === 0) {
    const rest = left === 0 ? 'hand in what you have' : `${left} min are left: ask for no more than that`
    return denied(request, `you were given ${MOST_MINUTES_BY_RULE - left} min already; ${rest}.`)
  }
  const limit = Math.round((task.spec.timeBudgetMs + live.watch.extraMs) / 60_000) + minutes
  const text = worded(request, `granted: ${minutes} min more, ${limit} min in all.`)
  return { outcome: 'granted', text, by: 'bosun', minutes }
}

/** What the rules gave it so far. */
export const minutesByRule = ({ watch }: LiveWorker): number =>
  watch.requests.reduce((sum, { answer }) => sum + (answer?.by === 'bosun' ? (answer.minutes ?? 0) : 0), 0)

/** Within the budget nothing has to be given: it is there. */
function tokensByRule({ state, task, live, request }: Asking, tokens: number): RequestAnswer | null {
  const { limit, taskLimit, total } = state.spending
  const used = minus(plus(task.spent, live.used), task.forgiven).tokens
  const left = Math.min(
    taskLimit.tokens === null ? Infinity : taskLimit.tokens - used,
    limit.tokens === null ? Infinity : limit.tokens - total.tokens,
  )
  if (tokens > left) return null
  const rest = left === Infinity ? 'there is no limit' : `${left} tokens are left`
  return { outcome: 'granted', text: worded(request, `granted: ${rest}.`), by: 'bosun' }
}

export function answerByPerson(
  { request }: Asking,
  { choice, feedback, by }: NonNullable<AskedRequest['said']>,
): RequestAnswer {
  const more = feedback.trim() === '' ? '' : ` ${feedback.trim()}`
  const say = (words: string): string => worded(request, `${words}${more}`)
  switch (choice) {
    case 'grant': {
      const given =
        request.kind === 'need_time' ? timeGiven(request, feedback) : tokensGiven(request, feedback)
      const what = 'minutes' in given ? `${given.minutes} min more` : `${given.tokens} tokens more`
      return { outcome: 'granted', text: say(`granted by ${by}: ${what}.`), by, ...given }
    }
    case 'deny':
      return { outcome: 'denied', text: say(`denied by ${by}.`), by }
    case 'decide':
      return { outcome: 'answered', text: say(`decide it yourself, and report what you assumed.`), by }
    default:
      return {
        outcome: 'answered',
        text: more === '' ? say(`${by} has seen it; go on as you think best.`) : say(`${by} says:`),
        by,
      }
  }
}

/** What a person says counts, `45 min`; else what was asked for. */
function timeGiven({ minutes }: AskedRequest, feedback: string): { readonly minutes: number } {
  const said = Number(/\b(\d+)\s*m(?:in|inutes)?\b/i.exec(feedback)?.[1] ?? Number.NaN)
  return { minutes: said > 0 ? Math.min(said, MOST_MINUTES) : (minutes ?? MOST_MINUTES_AT_ONCE) }
}

/** `tokens=200000`; else what was asked for. */
function tokensGiven({ tokens }: AskedRequest, feedback: string): { readonly tokens: number } {
  const said = Math.floor(amountsIn(feedback)?.tokens ?? 0)
  return { tokens: said > 0 ? Math.min(said, MOST_TOKENS) : (tokens ?? 1) }
}

export function expiredAnswer({ request }: Asking): RequestAnswer {
  const text = worded(
    request,
    'nobody answered in time: go on as well as you can, and report what you assumed.',
  )
  return { outcome: 'expired', text, by: 'bosun' }
}

const denied = (request: AskedRequest, words: string): RequestAnswer => ({
  outcome: 'denied',
  text: worded(request, `denied: ${words}`),
  by: 'bosun',
})

/** A worker may wait for several answers: each says what it is to. */
const worded = ({ id, kind }: AskedRequest, words: string): string =>
  `On ${kind.replaceAll('_', ' ')} (${id}): ${words}`
