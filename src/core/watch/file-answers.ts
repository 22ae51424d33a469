/** Which answers count that come as files: whoever writes one has proven nothing. */
import type { InboxItem } from '../events/parts.ts'
import type { LiveWorker } from '../state.ts'
import { FILE_CHOICES, type AlertAnswer } from './coordination-files.ts'
import { MOST_MINUTES_BY_RULE } from './request-answers.ts'

/** Time that is given where no amount is said. */
const EXTENSION_MINUTES = 30

/** Null where it counts, else why not. */
export function fileAnswerMisfit(
  item: Pick<InboxItem, 'id' | 'options'>,
  { choice, feedback }: Pick<AlertAnswer, 'choice' | 'feedback'>,
  live: LiveWorker | null,
): string | null {
  const byHand = `needs the user's token: bosun answer ${item.id} ${choice}`
  if (!FILE_CHOICES.some((key) => key === choice)) return `${choice} ${byHand}`
  const keys = item.options.map(({ key }) => key)
  if (!keys.includes(choice)) return `${item.id} takes ${keys.join(', ')}, not ${choice}`
  if (choice !== 'extend') return null
  const minutes = Number(/\d+/.exec(feedback)?.[0] ?? EXTENSION_MINUTES)
  const given = (live?.watch.extraMs ?? 0) / 60_000 + minutes
  return given > MOST_MINUTES_BY_RULE
    ? `more than ${MOST_MINUTES_BY_RULE} min on top of its limit ${byHand}`
    : null
}
