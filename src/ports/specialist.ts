import type { AskSpecialist } from '../core/decide/effects.ts'
import type { SpecialistAnswer } from '../core/event-schemas/requests.ts'
import type { Usage } from '../core/event-schemas/schemas.ts'

export interface SpecialistQuestion extends AskSpecialist {
  readonly plan: string
  readonly design: string | null
}

export interface AskedSpecialist {
  readonly answer: SpecialistAnswer
  /** What it used, where its agent reports that. */
  readonly usage?: Usage | undefined
}

/**
 * Answers a worker's question by a short session of another agent, which sees the work and changes nothing of it.
 * - `ask` resolves also where no agent could be had, or none could answer; it ends within the question's time limit.
 * - Asked again after a restart, it goes on with the same session, or returns its answer.
 * - After the signal nothing of the session runs on.
 */
export interface Specialist {
  ask(question: SpecialistQuestion, signal: AbortSignal): Promise<AskedSpecialist>
}
