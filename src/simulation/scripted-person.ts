/** A person who answers by a script. */
import type { AnswerRefusal, AnswerTaken, PersonAnswer } from '../core/answers/person-answer.ts'
import type { InboxItem } from '../core/event-schemas/schemas.ts'
import type { Clock } from '../ports/clock.ts'

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
export type PersonScript = (item: InboxItem) => ScriptedAnswer | null

/** These decisions in order for everything but the sign-off; then pause. */
export function inSequence(
  decisions: readonly { readonly choice: string; readonly feedback?: string; readonly by?: string }[],
): PersonScript {
  const left = [...decisions]
  return (item) => {
    if (item.kind === 'release') return null
    const next: (typeof decisions)[number] = left.shift() ?? { choice: 'pause' }
    const { choice, feedback = '', by = NAME } = next
    return { choice, feedback, by, afterMs: 0, times: 1 }
  }
}

/** How long until an answer that was not received is given again. */
const AGAIN_MS = 1000

interface PersonParts {
  readonly clock: Clock
  readonly script: PersonScript
  /** Rejects where the answer was neither accepted nor refused: it is given again then. */
  readonly answer: (answer: PersonAnswer) => Promise<AnswerTaken>
}

export class ScriptedPerson {
  /** The open items that this person has seen. */
  readonly seen = new Map<string, InboxItem>()
  /** The refusals of this person's answers. */
  readonly refusals: AnswerRefusal[] = []
  readonly #parts: PersonParts

  constructor(parts: PersonParts) {
    this.#parts = parts
  }

  /** Shows an open item; showing it again changes nothing. */
  see(item: InboxItem): void {
    if (this.seen.has(item.id)) return
    this.seen.set(item.id, item)
    const answer = this.#parts.script(item)
    if (answer === null) return
    for (let time = 1; time <= answer.times; time++) this.#answerIn(answer.afterMs * time, item.id, answer)
  }

  #answerIn(delayMs: number, id: string, answer: ScriptedAnswer): void {
    this.#parts.clock.wake(delayMs, () => {
      this.#answer(id, answer).catch(() => this.#answerIn(AGAIN_MS, id, answer))
    })
  }

  async #answer(id: string, answer: ScriptedAnswer): Promise<void> {
    const { choice, feedback, by = NAME, instead } = answer
    const taken = await this.#parts.answer({ id, choice, feedback, by, proof: 'token' })
    if (taken.ok) return
    this.refusals.push(taken.refusal)
    if (taken.refusal.kind === 'incomplete' && instead !== undefined)
      this.#answerIn(AGAIN_MS, id, { choice, ...instead, afterMs: 0, times: 1 })
  }
}
