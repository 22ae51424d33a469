/** Who reviewed work that neither an agent, a model nor a person has read: only its gates and mechanical checks stand for it. */
export const NOBODY = 'nobody'
