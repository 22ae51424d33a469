import type { AnswerRefusal, PersonAnswer } from '../core/answers/person-answer.ts'
import type { PresentItem } from '../core/decide/effects.ts'

/** A refusal is the person's to hear: nothing of the answer is kept. */
export type AnswerTaken = { readonly ok: true } | { readonly ok: false; readonly refusal: AnswerRefusal }

/** Resolves once the answer is durable, or refused. Rejects where it could be neither: then it was not given. */
export type AnswerListener = (answer: PersonAnswer) => Promise<AnswerTaken>

/**
 * The person, or a script in their place.
 * - `present` resolves once the item is where a person can see it; presenting it again changes nothing.
 * - An answer is told to the listener until the listener has taken or refused it; it may never come.
 * - Listeners are never called synchronously from `present` or `listen`.
 */
export interface HumanReviewer {
  present(request: PresentItem): Promise<void>
  listen(listener: AnswerListener): () => void
}
