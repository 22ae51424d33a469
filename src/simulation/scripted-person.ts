/** A person who answers what a script says, when it says so. */
import type { PresentItem } from '../core/decide/effects.ts'
import type { Clock } from '../ports/clock.ts'
import type { AnswerRefusal, PersonAnswer } from '../core/answers/person-answer.ts'
import type { AnswerListener, HumanReviewer } from '../ports/human-reviewer.ts'

export interface ScriptedAnswer {
  readonly choice: string
  readonly feedback: string
  readonly afterMs: number
  /** How often it is said. */
  readonly times: number
  /** In whose name; null for none. */
  readonly by?: string | null
  /** What the person says instead when it is refused as incomplete; absent where they give up. */
  readonly instead?: Pick<ScriptedAnswer, 'feedback' | 'by'>
}

const NAME = 'captain'

/** What to answer, or null for never. */
export type PersonScript = (request: PresentItem) => ScriptedAnswer | null

/** These decisions, one after the other, for everything but the sign-off; then pause. */
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

/** How long until a person whom nobody heard says it again. */
const AGAIN_MS = 1000
export class ScriptedPerson implements HumanReviewer {
  readonly presented = new Map<string, PresentItem>()
  /** What this person was told of answers that did not count. */
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
    for (let time = 1; time <= answer.times; time++) this.#tellIn(answer.afterMs * time, id, answer)
  }

  listen(listener: AnswerListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #tellIn(delayMs: number, id: string, answer: ScriptedAnswer): void {
    this.#clock.wake(delayMs, () => {
      this.#tell(id, answer).catch(() => this.#tellIn(AGAIN_MS, id, answer))
    })
  }

  /** Rejects where it was neither taken nor refused: it is said again then. */
  async #tell(id: string, answer: ScriptedAnswer): Promise<void> {
    const { choice, feedback, by = NAME, instead } = answer
    // A PM that died may not have hung up: the one that came last is there.
    const listener = [...this.#listeners].at(-1)
    if (listener === undefined) throw new Error('nobody listens')
    const said: PersonAnswer = { id, choice, feedback, by, proof: 'token' }
    const taken = await listener(said)
    if (taken.ok) return
    this.refusals.push(taken.refusal)
    if (taken.refusal.kind === 'incomplete' && instead !== undefined)
      this.#tellIn(AGAIN_MS, id, { choice, ...instead, afterMs: 0, times: 1 })
  }
}
