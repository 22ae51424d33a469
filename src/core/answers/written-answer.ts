/** A person may write the answer itself where its option has a key: `bosun answer Q-1 "the blue one"`. */
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { PlanState } from '../state/state.ts'
import { closest } from '../../lib/text/closest.ts'
import type { PersonAnswer } from './person-answer.ts'

/** The answer by the key of its option. What looks like a key, of this or another open item, is never taken for a text. */
export function byKey(state: PlanState, answer: PersonAnswer): PersonAnswer {
  const item = state.inbox.get(answer.id)?.item
  const { choice, feedback } = answer
  if (item === undefined || choice === 'pause') return answer
  const named = item.options.find(({ key, label }) => [key, label].some((one) => isSame(one, choice)))
  if (named !== undefined) return { ...answer, choice: named.key }
  const textKey = keyOfText(item)
  const keys = [...state.inbox.values()].flatMap((open) => open.item.options.map(({ key }) => key))
  if (textKey === null || closest(choice, [...keys, 'pause', 'cancel']) !== null) return answer
  return { ...answer, choice: textKey, feedback: [choice, feedback].filter((text) => text !== '').join('\n') }
}

const isSame = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** The option that passes on what a person writes; null where no option is an answer in words. */
function keyOfText({ kind, subject, options }: InboxItem): string | null {
  const offered = (key: string): boolean => options.some((option) => option.key === key)
  if (offered('answer')) return 'answer'
  return kind === 'question' && subject === 'task' && offered('revise') ? 'revise' : null
}

/** Such as the placeholder of a printed command. */
export const saysNothing = (text: string): boolean => !/[\p{Letter}\p{Number}]/u.test(text)
