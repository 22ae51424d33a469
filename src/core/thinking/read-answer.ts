/** From the text of a model to an answer, or to what is wrong with it. */
import { z } from 'zod'
import { WRAPPED } from './answer-schema.ts'
import { languageProblem } from './answer-language.ts'
import type { Question } from './question.ts'

export type ReadAnswer<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly mistake: string }

/** Longer replies are no answer to any question. */
export const MAX_REPLY = 400_000

export function readAnswer<Input, Answer>(
  question: Question<Input, Answer>,
  input: Input,
  reply: { readonly text: string; readonly isWrapped: boolean },
): ReadAnswer<Answer> {
  const value = jsonIn(reply.text)
  if (value === undefined) return { ok: false, mistake: notJson(reply.text) }
  const parsed = question.answer.safeParse(reply.isWrapped ? unwrapped(value) : value)
  if (!parsed.success) return { ok: false, mistake: `It does not fit the schema: ${issuesOf(parsed.error)}` }
  const answer = parsed.data
  const mistake = question.problem?.(answer, input) ?? languageProblem(answer, question.prompt(input))
  return mistake === null ? { ok: true, answer } : { ok: false, mistake }
}

function notJson(text: string): string {
  if (text.trim() === '') return 'The answer was empty.'
  return text.length > MAX_REPLY ? 'The answer was too long.' : 'The answer was not a JSON value.'
}

/** The whole text, else what its only code fence holds, else its outermost object. Models decorate. */
function jsonIn(text: string): unknown {
  if (text.length > MAX_REPLY) return undefined
  const fences = [...text.matchAll(/```(?:json)?\s*\n([\s\S]*?)\n\s*```/g)].map(([, inner = '']) => inner)
  const object = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  for (const candidate of [text, ...(fences.length === 1 ? fences : []), object]) {
    const value = parsedJson(candidate)
    if (value !== undefined) return value
  }
  return undefined
}

function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // A number or a text by itself is prose, not an answer.
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // It is no JSON; the caller says so.
    return undefined
  }
}

const unwrapped = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && WRAPPED in value ? value[WRAPPED] : value

const MAX_ISSUES = 5

function issuesOf(error: z.ZodError): string {
  const issues = error.issues.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
  const more = issues.length - MAX_ISSUES
  return `${issues.slice(0, MAX_ISSUES).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}
