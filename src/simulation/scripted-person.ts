/** A person who answers what a script says, when it says so. */
import type { PresentItem } from '../core/effects.ts'
import type { Clock } from '../ports/clock.ts'
import type { Answer, HumanReviewer } from '../ports/human-reviewer.ts'

export interface ScriptedAnswer {
  readonly choice: string
  readonly feedback: string
  readonly afterMs: number
  /** How often it is said. */
  readonly times: number
}

/** What to answer, or null for never. */
export type PersonScript = (request: PresentItem) => ScriptedAnswer | null

/** These decisions, one after the other, for everything but the sign-off; then pause. */
export function inSequence(
  decisions: readonly { readonly choice: string; readonly feedback?: string }[],
): PersonScript {
  const left = [...decisions]
  return ({ item }) => {
    if (item.kind === 'release') return null
    const next = left.shift() ?? { choice: 'pause' }
    return { choice: next.choice, feedback: next.feedback ?? '', afterMs: 0, times: 1 }
  }
}

export class ScriptedPerson implements HumanReviewer {
  readonly presented = new Map<string, PresentItem>()
  readonly #clock: Clock
  readonly #script: PersonScript
  readonly #listeners = new Set<(answer: Answer) => void>()

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
    for (let time = 1; time <= answer.times; time++) {
      const { choice, feedback } = answer
      this.#clock.wake(answer.afterMs * time, () => this.#tell({ id, choice, feedback, by: 'captain' }))
    }
  }

  listen(listener: (answer: Answer) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Nobody there to hear it: it is said again until somebody is. */
  #tell(answer: Answer): void {
    if (this.#listeners.size === 0) this.#clock.wake(1000, () => this.#tell(answer))
    for (const listener of this.#listeners) listener(answer)
  }
}
