import type { Replan } from '../core/decide/effects.ts'
import type { TaskSpec } from '../core/planning/plan.ts'

/** How a rejected task could go on. A person decides. */
export interface ReplanProposal {
  readonly recommend: 'rescope' | 'split' | 'drop'
  readonly note: string
  /** What it could be split into, in order; absent where it cannot. */
  readonly parts?: readonly TaskSpec[]
  /** Who thought so: `rules`, or a model. */
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
