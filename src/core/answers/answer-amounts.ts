/** Checks amounts of money, tokens and time in an answer; they are never guessed. */
import type { InboxItem } from '../event-schemas/schemas.ts'
import { amountsIn, rejectRaise } from '../state/spending.ts'
import type { PlanState } from '../state/state.ts'
import { isExtension, parseMinutes, MOST_EXTENSION_MINUTES } from '../watch/requests/extension.ts'
import { calledIn, type AnswerRefusal, type PersonAnswer } from './person-answer.ts'

/** Null where the amount is valid, or the answer has none. */
export function amountRefusal(state: PlanState, item: InboxItem, answer: PersonAnswer): AnswerRefusal | null {
  const { choice, feedback } = answer
  const asked = amountAsked(state, item, choice)
  const why = asked === null ? null : asked.rejectionReason(feedback)
  if (asked === null || why === null) return null
  const called = calledIn(answer)
  return {
    kind: 'incomplete',
    why: `${choice} on ${called}: ${why}`,
    remedy: `${asked.remedy}: bosun answer ${called} ${choice} --feedback "${asked.example}"; ${asked.otherwise}.`,
  }
}

interface AmountAsked {
  readonly rejectionReason: (text: string) => string | null
  readonly remedy: string
  readonly example: string
  /** The default without an amount. */
  readonly otherwise: string
}

const UNREADABLE = 'cannot parse the amount'

function amountAsked(state: PlanState, item: InboxItem, choice: string): AmountAsked | null {
  if (item.subject === 'budget' && choice === 'raise') {
    return {
      rejectionReason: (text) => rejectRaise(state.spending, text),
      remedy: 'Name the new total',
      example: 'usd=20 tokens=2000000',
      otherwise: 'without an amount the limit is raised by half',
    }
  }
  if (item.subject === 'worker' && choice === 'extend') {
    return {
      rejectionReason: rejectExtension,
      remedy: 'Name the extra minutes',
      example: '45 min',
      otherwise: 'the default is 30 min',
    }
  }
  if (item.subject !== 'request' || choice !== 'grant') return null
  const requests = state.tasks.get(item.task ?? '')?.live?.watch.requests ?? []
  const request = requests.find(({ id }) => id === item.about)
  const otherwise = 'the default is what the worker requested'
  return request?.kind === 'need_time'
    ? { rejectionReason: rejectMinutes, remedy: 'Name the extra minutes', example: '45 min', otherwise }
    : {
        rejectionReason: rejectTokens,
        remedy: 'Name the extra tokens',
        example: 'tokens=200000',
        otherwise,
      }
}

function rejectExtension(text: string): string | null {
  const minutes = parseMinutes(text)
  if (minutes === null || isExtension(minutes)) return null
  return `${minutes} min is not between 1 and ${MOST_EXTENSION_MINUTES}`
}

function rejectMinutes(text: string): string | null {
  const minutes = /\b(\d+)\s*m(?:in|inutes)?\b/i.exec(text)?.[1]
  if (minutes === undefined) return /\d/.test(text) ? UNREADABLE : null
  return Number(minutes) > 0 ? null : '0 min is not an extension'
}

function rejectTokens(text: string): string | null {
  const amounts = amountsIn(text)
  if (amounts === null) return UNREADABLE
  return amounts.tokens === 0 ? '0 tokens is not a grant' : null
}
