/** Which answers count when they come as files, which carry no proof of identity. */
import { calledIn, type AnswerRefusal, type PersonAnswer } from './person-answer.ts'
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { PlanState } from '../state/state.ts'
import { FILE_CHOICES } from '../watch/checkins/coordination-files.ts'
import { EXTENSION_MINUTES, parseMinutes } from '../watch/requests/extension.ts'
import { MOST_MINUTES_BY_RULE } from '../watch/requests/request-answers.ts'

/** Null where the answer counts. */
export function fileAnswerRefusal(
  state: PlanState,
  item: Pick<InboxItem, 'task'>,
  answer: PersonAnswer,
): AnswerRefusal | null {
  const { choice, feedback } = answer
  if (!FILE_CHOICES.some((key) => key === choice)) return needsToken(choice, answer)
  if (choice !== 'extend') return null
  const live = state.tasks.get(item.task ?? '')?.live ?? null
  const minutes = parseMinutes(feedback) ?? EXTENSION_MINUTES
  const given = (live?.watch.extraMs ?? 0) / 60_000 + minutes
  return given > MOST_MINUTES_BY_RULE
    ? needsToken(`more than ${MOST_MINUTES_BY_RULE} min on top of its limit`, answer)
    : null
}

const needsToken = (what: string, answer: PersonAnswer): AnswerRefusal => ({
  kind: 'incomplete',
  why: `${what} needs the user's token`,
  remedy: `Answer it on the command line: bosun answer ${calledIn(answer)} ${answer.choice}`,
})
