/** A person who answers by a script. */
import type { PresentItem } from '../core/decide/effects.ts'
import type { Clock } from '../ports/clock.ts'
import type { AnswerRefusal, PersonAnswer } from '../core/answers/person-answer.ts'
import type { AnswerListener, HumanReviewer } from '../ports/human-reviewer.ts'

export interface ScriptedAnswer {
  readonly choice: string
  readonly feedback: string
  readonly afterMs: number
  /** How often it is given. */
  readonly times: number
  /** The person's name; null for none. */
  readonly by?: string | null
  /** The second answer when the first is refused as incomplete; absent where they give up. */
  readonly instead?: Pick<ScriptedAnswer, 'feedback' | 'by'>
}

const NAME = 'captain'

/** What to answer, or null for never. */
export type PersonScript = (request: PresentItem) => ScriptedAnswer | null

/** These decisions in order for everything but the sign-off; then pause. */
export function inSequence(
  decisions: readonly { readonly choice: string; readonly feedback?: string; readonly by?: string }[],
): PersonScript {
  const left = [...decisions]
  return ({ item }) => {
    if (item.kind === 'release') return null
    const next: (typeof decisions)[number] = left.shift() ?? { choice: 'pause' }
    const { choice, feedback = '', by = NAME } = next
    return { choice, feedback, by, afterMs: 0, times: 1 }
  }
}

/** How long until an answer that was not received is given again. */
const AGAIN_MS = 1000
export class ScriptedPerson implements HumanReviewer {
  readonly presented = new Map<string, PresentItem>()
  /** The refusals of this person's answers. */
  readonly refusals: AnswerRefusal[] = []
  readonly #clock: Clock
  readonly #script: PersonScript
  readonly #listeners = new Set<AnswerListener>()

  constructor(clock: Clock, script: PersonScript) {
    this.#clock = clock
    this.#script = script
  }

  async present(request: PresentItem): Promise<void> {
    const { id } = request.item
    if (this.presented.has(id)) return
    this.presented.set(id, request)
    const answer = this.#script(request)
    if (answer === null) return
    for (let time = 1; time <= answer.times; time++) this.#answerIn(answer.afterMs * time, id, answer)
  }

  listen(listener: AnswerListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #answerIn(delayMs: number, id: string, answer: ScriptedAnswer): void {
    this.#clock.wake(delayMs, () => {
      this.#answer(id, answer).catch(() => this.#answerIn(AGAIN_MS, id, answer))
    })
  }

  /** Rejects where it was neither accepted nor refused: it is given again then. */
  async #answer(id: string, answer: ScriptedAnswer): Promise<void> {
    const { choice, feedback, by = NAME, instead } = answer
    // A crashed PM may not have unsubscribed: the latest listener is the live one.
    const listener = [...this.#listeners].at(-1)
    if (listener === undefined) throw new Error('no listener')
    const given: PersonAnswer = { id, choice, feedback, by, proof: 'token' }
    const taken = await listener(given)
    if (taken.ok) return
    this.refusals.push(taken.refusal)
    if (taken.refusal.kind === 'incomplete' && instead !== undefined)
      this.#answerIn(AGAIN_MS, id, { choice, ...instead, afterMs: 0, times: 1 })
  }
}
