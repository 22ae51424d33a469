import type { Replan } from '../core/decide/effects.ts'
import type { TaskSpec } from '../core/planning/plan.ts'

/** A proposal for a rejected task. A person decides. */
export interface ReplanProposal {
  readonly recommend: 'rescope' | 'split' | 'drop'
  readonly note: string
  /** The tasks it could be split into, in order; absent where it cannot be split. */
  readonly parts?: readonly TaskSpec[]
  /** `rules`, or a model. */
  readonly by: string
}

/**
 * Answers small typed questions, each in a fresh context. It proposes; the core decides.
 * - Every question has an answer that needs no model.
 * - It holds no state: the same question may be asked again.
 */
export interface Brain {
  replan(request: Replan, signal: AbortSignal): Promise<ReplanProposal>
}
