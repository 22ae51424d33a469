/** What to do with a rejected task when no model is asked. */
import type { TaskSpec } from './plan.ts'
import { halvesOf } from './slicing.ts'

export interface RulesProposal {
  readonly recommend: 'rescope' | 'split' | 'drop'
  readonly note: string
  readonly by: 'rules'
  /** What it could be split into; empty where it cannot. */
  readonly parts: readonly TaskSpec[]
}

/** What the person said is the new scope; without a word of theirs, nothing says what to build. */
export function replanByRules(request: {
  readonly spec: TaskSpec
  readonly feedback: string | null
}): RulesProposal {
  const { spec, feedback } = request
  const parts = halvesOf(spec)
  const isSplitAsked =
    parts.length > 1 && /\b(split|too (big|large|much)|smaller steps)\b/i.test(feedback ?? '')
  const recommend = isSplitAsked ? 'split' : feedback === null ? 'drop' : 'rescope'
  const ways =
    parts.length > 1
      ? 'build it again to another scope, in parts, or leave it out?'
      : 'build it again to another scope, or leave it out?'
  return { recommend, note: ways, by: 'rules', parts }
}
