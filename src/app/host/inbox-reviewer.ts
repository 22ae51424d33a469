/**
 * The person, as the engine sees them. Whatever is open stands in the inbox, since that is read from the plan's state;
 * every door hands its answers in here, and hears what became of them.
 */
import type { PersonAnswer } from '../../core/answers/person-answer.ts'
import type { PresentItem } from '../../core/decide/effects.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AnswerListener, AnswerTaken, HumanReviewer } from '../../ports/human-reviewer.ts'
import type { Notifier } from '../../ports/notifier.ts'

/** A person whom doors can speak for. */
export interface AnswerIntake extends HumanReviewer {
  /** It is durable when this resolves with `ok`; a refusal says what to do. */
  answer(answer: PersonAnswer): Promise<AnswerTaken>
}

export class InboxReviewer implements AnswerIntake {
  readonly #listeners = new Set<AnswerListener>()

  async present(_request: PresentItem): Promise<void> {
    // It is in the inbox already.
  }

  listen(listener: AnswerListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async answer(answer: PersonAnswer): Promise<AnswerTaken> {
    const [listener] = this.#listeners
    if (listener !== undefined) return listener(answer)
    throw new Refusal({
      code: 'conflict',
      message: `the plan that asks ${answer.id} is not being driven at the moment`,
      remedy: 'See where it stands: bosun status',
    })
  }
}

/** Progress is told by the activity log and by whoever is attached; nobody is called. */
export const noopNotifier: Notifier = { notify: () => Promise.resolve() }
