/** The refusal of an answer that another person's answer came before: it shows both. */
import type { AnswerRefusal } from '../../core/answers/person-answer.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ConflictDetails } from '../../protocol/error-answer.ts'

export interface YourAnswer {
  readonly choice?: string
  readonly feedback?: string
  readonly by?: string
}

export function answerConflict({ why, remedy, theirs }: AnswerRefusal, yours: YourAnswer): Refusal {
  const refused = { code: 'conflict', message: why, remedy } as const
  if (theirs === undefined) return new Refusal(refused)
  const details = { theirs: { ...theirs, at: new Date(theirs.at).toISOString() }, yours }
  return new Refusal({ ...refused, details: details satisfies ConflictDetails })
}
