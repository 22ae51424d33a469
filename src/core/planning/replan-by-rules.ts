/** Proposes what to do with a rejected task, without a model. */
import type { TaskSpec } from './plan.ts'
import { halvesOf } from './slicing.ts'

export interface RulesProposal {
  readonly recommend: 'rescope' | 'split' | 'drop'
  readonly note: string
}

/** The person's feedback becomes the new scope; without feedback there is nothing to build. */
export function replanByRules(request: {
  readonly spec: TaskSpec
  readonly feedback: string | null
}): RulesProposal {
  const { spec, feedback } = request
  const canSplit = halvesOf(spec).length > 1
  const isSplitAsked = canSplit && /\b(split|too (big|large|much)|smaller steps)\b/i.test(feedback ?? '')
  const recommend = isSplitAsked ? 'split' : feedback === null ? 'drop' : 'rescope'
  const note = canSplit
    ? 'rebuild it with another scope, split it, or drop it?'
    : 'rebuild it with another scope, or drop it?'
  return { recommend, note }
}
