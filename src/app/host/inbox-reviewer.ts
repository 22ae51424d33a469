/**
 * The person as the engine's reviewer. Open items are in the inbox, which is read from the plan's state; every answer
 * comes in here and gets its result.
 */
import type { PersonAnswer } from '../../core/answers/person-answer.ts'
import type { PresentItem } from '../../core/decide/effects.ts'
import type { AnswerListener, AnswerTaken, HumanReviewer } from '../../ports/human-reviewer.ts'
import type { Notifier } from '../../ports/notifier.ts'
import { stateConflict } from './find-stream.ts'

/** Takes answers of a person. */
export interface AnswerIntake extends HumanReviewer {
  /** Durable when this resolves with `ok`; a refusal has a remedy. */
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
    throw stateConflict(`the plan of ${answer.id} is not running at the moment`)
  }
}

/** Sends nothing itself: app/notices follows the log, which has the progress report as an event. */
export const noopNotifier: Notifier = { notify: () => Promise.resolve() }
