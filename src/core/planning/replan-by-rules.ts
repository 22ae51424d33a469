/** What to do with a rejected task when no model is asked. */
export interface RulesProposal {
  readonly recommend: 'rescope' | 'drop'
  readonly note: string
  readonly by: 'rules'
}

/** What the person said is the new scope; without a word of theirs, nothing says what to build. */
export function replanByRules(feedback: string | null): RulesProposal {
  const recommend = feedback === null ? 'drop' : 'rescope'
  return { recommend, note: 'build it again to another scope, or leave it out?', by: 'rules' }
}
