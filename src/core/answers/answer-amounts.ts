/** Amounts that a person names in an answer: money, tokens and time are never guessed at. */
import type { InboxItem } from '../event-schemas/schemas.ts'
import { amountsIn, raiseMisfit } from '../state/spending.ts'
import type { PlanState } from '../state/state.ts'
import { isExtension, parseMinutes, MOST_EXTENSION_MINUTES } from '../watch/requests/extension.ts'
import { calledIn, type AnswerRefusal, type PersonAnswer } from './person-answer.ts'

/** Null where the amount can be taken as the person says it, or they name none. */
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
  readonly rejectionReason: (words: string) => string | null
  readonly remedy: string
  readonly example: string
  /** What becomes of it without an amount. */
  readonly otherwise: string
}

const UNREADABLE = 'the amount cannot be read'

function amountAsked(state: PlanState, item: InboxItem, choice: string): AmountAsked | null {
  if (item.subject === 'budget' && choice === 'raise') {
    return {
      rejectionReason: (words) => raiseMisfit(state.spending, words),
      remedy: 'Say how much in all',
      example: 'usd=20 tokens=2000000',
      otherwise: 'without an amount it is half as much again',
    }
  }
  if (item.subject === 'worker' && choice === 'extend') {
    return {
      rejectionReason: extensionMisfit,
      remedy: 'Say how many minutes more',
      example: '45 min',
      otherwise: 'without a number it is 30 min',
    }
  }
  if (item.subject !== 'request' || choice !== 'grant') return null
  const requests = state.tasks.get(item.task ?? '')?.live?.watch.requests ?? []
  const request = requests.find(({ id }) => id === item.about)
  const otherwise = 'without an amount it is what the worker asked for'
  return request?.kind === 'need_time'
    ? { rejectionReason: minutesMisfit, remedy: 'Say how many minutes more', example: '45 min', otherwise }
    : {
        rejectionReason: tokensMisfit,
        remedy: 'Say how many tokens more',
        example: 'tokens=200000',
        otherwise,
      }
}

function extensionMisfit(words: string): string | null {
  const said = parseMinutes(words)
  if (said === null || isExtension(said)) return null
  return `${said} min is not between 1 and ${MOST_EXTENSION_MINUTES}`
}

function minutesMisfit(words: string): string | null {
  const said = /\b(\d+)\s*m(?:in|inutes)?\b/i.exec(words)?.[1]
  if (said === undefined) return /\d/.test(words) ? UNREADABLE : null
  return Number(said) > 0 ? null : 'that is no time at all'
}

function tokensMisfit(words: string): string | null {
  const amounts = amountsIn(words)
  if (amounts === null) return UNREADABLE
  return amounts.tokens === 0 ? 'that is no token at all' : null
}
