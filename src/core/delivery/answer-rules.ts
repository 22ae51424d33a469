/** What an answer needs before it counts. */
import type { InboxItem } from '../events/parts.ts'
import type { PlanState } from '../state.ts'

/** What a person lets through or takes on is recorded as theirs, so their reason is part of it. */
export function needsReason(item: Pick<InboxItem, 'kind'>, choice: string): boolean {
  return (
    ['accept', 'mitigate', 'release'].includes(choice) || (choice === 'approve' && item.kind === 'escalation')
  )
}

/**
 * Work that passed everything goes back because a person wants something else, a rejected task is built again in
 * another scope, and what a worker asks is answered in a person's words: without them nobody knows what.
 */
export function needsFeedback(item: Pick<InboxItem, 'kind'>, choice: string, said: string | null): boolean {
  if (choice === 'rescope') return said === null
  return (
    choice === 'answer' || (choice === 'revise' && (item.kind === 'approval' || item.kind === 'question'))
  )
}

/** What a person said when they rejected the task that is asked about; null where they said nothing. */
export function saidBefore(
  state: PlanState,
  { subject, task }: Pick<InboxItem, 'subject' | 'task'>,
): string | null {
  return subject === 'rejection' ? (state.tasks.get(task ?? '')?.feedback ?? null) : null
}

/** Null when the answer may be given to the item, else why not. */
export function answerMisfit(
  item: InboxItem,
  answer: { readonly choice: string; readonly feedback: string },
): string | null {
  const { choice, feedback } = answer
  if (choice === 'pause') return `to pause is no answer: the plan is paused and ${item.id} stays open`
  if (choice === 'cancel')
    return `to cancel is not an answer: the plan is cancelled and ${item.id} closes with it`
  const keys = item.options.map((option) => option.key)
  if (!keys.includes(choice)) return `${item.id} takes ${keys.join(', ')}, not ${choice}`
  return needsReason(item, choice) && feedback.trim() === ''
    ? `${choice} on ${item.id} is recorded in your name and needs a reason`
    : null
}
