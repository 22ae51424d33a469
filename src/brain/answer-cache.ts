/** Answers of models to questions of one plan or interview. An identical question is not paid for twice. */
import { createHash } from 'node:crypto'
import type { ThinkCall } from '../ports/brain.ts'

export interface KnownAnswer {
  /** The answer as JSON: each caller gets a value of its own. */
  readonly text: string
  readonly by: string
}

const MAX_ANSWERS = 500

export class AnswerCache {
  readonly #known = new Map<string, KnownAnswer>()

  /** Null for a call about neither a plan nor an interview. */
  keyOf({ about, occasion }: ThinkCall, question: readonly unknown[]): string | null {
    const subject = about.plan ?? about.interview
    if (subject === undefined) return null
    return createHash('sha256')
      .update(JSON.stringify([subject, occasion ?? null, question]))
      .digest('hex')
  }

  get(key: string | null): KnownAnswer | undefined {
    return key === null ? undefined : this.#known.get(key)
  }

  put(key: string | null, answer: KnownAnswer): void {
    if (key === null) return
    const [oldest] = this.#known.keys()
    if (this.#known.size >= MAX_ANSWERS && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(key, answer)
  }
}
