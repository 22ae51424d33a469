/** A typed question for the brain. Its answer is a proposal; other rules decide what comes of it. */
import type { z } from 'zod'
import type { QuestionName } from './question-names.ts'

/** Which of the two configured models should answer. */
export type ModelSize = 'small' | 'large'

/** Text from outside: a prompt quotes it with its source, within limits, and never as an instruction. */
export interface QuotedData {
  /** Where it comes from, such as `README.md` or `the user's message`. */
  readonly source: string
  readonly text: string
}

export interface Prompt {
  /** What to do, in our own words; nothing from outside stands in it. */
  readonly task: string
  readonly data: readonly QuotedData[]
}

/** `architect`: `spec_feedback` and `submit_stories`. */
export type AnswerTools = 'architect'

/**
 * One file a question, in `questions/`.
 * - Every function is pure.
 * - `unjudged` needs no model: a valid answer that is safe where nothing was judged.
 */
export interface Question<Input, Answer> {
  readonly name: QuestionName
  /** Which model it needs; a call may raise it. */
  readonly size: ModelSize
  /** Create it lazily (`z.lazy`). Fields may be nullable, but never optional: some providers refuse that. */
  readonly answer: z.ZodType<Answer>
  /** The tools by which an agent answers; absent: it writes the answer as JSON. */
  readonly tools?: AnswerTools
  prompt(input: Input): Prompt
  unjudged(input: Input): Answer
  /** What is wrong with an answer that fits the schema, such as an unknown id; null where nothing is. */
  problem?(answer: Answer, input: Input): string | null
}
