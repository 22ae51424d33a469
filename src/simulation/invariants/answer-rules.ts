/** An accepted answer has the required feedback, and a name where it is recorded. */
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { EventOf } from '../../core/events/plan-events.ts'
import type { Ledger } from './ledger.ts'

const IN_ESCALATIONS: readonly string[] = ['approve', 'accept', 'mitigate', 'release']

export function answerBreaks(ledger: Ledger, event: EventOf<'inbox.answered'>): string | null {
  const item = ledger.items.get(event.id)
  if (item === undefined) return `${event.id} was answered and is not open`
  const { choice, feedback, by } = event
  const isRecorded = item.kind === 'escalation' && IN_ESCALATIONS.includes(choice)
  if (isRecorded && by === 'user') return `${choice} on ${item.id} counts without a name`
  return feedback === '' && (isRecorded || needsText(item, choice))
    ? `${choice} on ${item.id} counts without feedback`
    : null
}

const needsText = ({ kind, subject }: InboxItem, choice: string): boolean =>
  (kind === 'approval' && choice === 'revise') ||
  ((subject === 'request' || subject === 'plan_question') && choice === 'answer')
