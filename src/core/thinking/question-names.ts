/** Every question that the brain may be asked. */
export const QUESTION_NAMES = [
  'understand',
  'context',
  'review_artifact',
  'handle_failure',
  'interview_turn',
  'review_spec',
  'write_stories',
  'reduce_scope',
  'replan',
] as const

export type QuestionName = (typeof QUESTION_NAMES)[number]
