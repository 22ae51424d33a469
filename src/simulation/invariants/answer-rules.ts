/** An answer that counts says what has to be said with it, and who says so where that is recorded. */
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { EventOf } from '../../core/events/plan-events.ts'
import type { Ledger } from './ledger.ts'

const IN_ESCALATIONS: readonly string[] = ['approve', 'accept', 'mitigate', 'release']

export function answerBreaks(ledger: Ledger, event: EventOf<'inbox.answered'>): string | null {
  const item = ledger.items.get(event.id)
  if (item === undefined) return `${event.id} was answered and is not open`
  const { choice, feedback, by } = event
  const isRecorded = item.kind === 'escalation' && IN_ESCALATIONS.includes(choice)
  if (isRecorded && by === 'user') return `${choice} on ${item.id} counts, and nobody gave their name`
  return feedback === '' && (isRecorded || isAboutWords(item, choice))
    ? `${choice} on ${item.id} counts without a word`
    : null
}

const isAboutWords = ({ kind, subject }: InboxItem, choice: string): boolean =>
  (kind === 'approval' && choice === 'revise') || (subject === 'request' && choice === 'answer')
