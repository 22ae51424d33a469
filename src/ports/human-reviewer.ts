import type { PresentItem } from '../core/effects.ts'

export interface Answer {
  /** The inbox item. */
  readonly id: string
  /** One of its options, or `pause`. */
  readonly choice: string
  readonly feedback: string
  readonly by: string
}

/**
 * The person, or whoever stands in for one.
 * - `present` resolves once the item is where a person can see it; presenting it again changes nothing.
 * - An answer is told to the listener at least once; it may never come.
 * - Listeners are never called synchronously from `present` or `listen`.
 */
export interface HumanReviewer {
  present(request: PresentItem): Promise<void>
  listen(listener: (answer: Answer) => void): () => void
}
