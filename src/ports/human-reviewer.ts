import type { AnswerRefusal, PersonAnswer } from '../core/answers/person-answer.ts'
import type { PresentItem } from '../core/decide/effects.ts'

/** A refusal is shown to the person; a refused answer is not stored. */
export type AnswerTaken = { readonly ok: true } | { readonly ok: false; readonly refusal: AnswerRefusal }

/** Resolves once the answer is durable or refused. Rejects where neither was possible: then it does not count. */
export type AnswerListener = (answer: PersonAnswer) => Promise<AnswerTaken>

/**
 * The person, or a script in their place.
 * - `present` resolves once a person can see the item; presenting it again changes nothing.
 * - An answer is passed to the listener until that accepts or refuses it; it may never come.
 * - Listeners are never called synchronously from `present` or `listen`.
 */
export interface HumanReviewer {
  present(request: PresentItem): Promise<void>
  listen(listener: AnswerListener): () => void
}
