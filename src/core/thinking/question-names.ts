/** Every question that the brain may be asked. */
export const QUESTION_NAMES = [
  'classify',
  'scope',
  'context',
  'decompose',
  'review_artifact',
  'handle_failure',
  'route',
  'interview_turn',
  'phrase_question',
  'review_spec',
  'write_stories',
  'reduce_scope',
  'replan',
] as const

export type QuestionName = (typeof QUESTION_NAMES)[number]
