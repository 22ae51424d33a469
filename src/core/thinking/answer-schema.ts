/** The JSON schema of an answer, as the strict modes of all providers take it. */
import { z } from 'zod'

export type JsonSchema = { readonly [key: string]: unknown }

export interface AnswerSchema {
  /** What the provider enforces: an object without the keywords that some of them refuse. */
  readonly strict: JsonSchema
  /** What the prompt shows, with every limit. */
  readonly whole: JsonSchema
  /** Whether the answer is under a key of its own, since it is no object itself. */
  readonly isWrapped: boolean
}

/** The key of an answer that is wrapped. */
export const WRAPPED = 'answer'

/** Limits on values. The answer is checked against them when it arrives. */
const LIMITS = new Set(
  (
    'minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minItems maxItems uniqueItems minProperties maxProperties propertyNames default $schema'
  ).split(' '),
)

export function answerSchema(schema: z.ZodType): AnswerSchema {
  const made: JsonSchema = { ...z.toJSONSchema(unwrapLazy(schema), { io: 'input', unrepresentable: 'any' }) }
  const isWrapped = made['type'] !== 'object'
  const { $defs, $schema: _, ...bare } = made
  const object = isWrapped
    ? {
        type: 'object',
        properties: { [WRAPPED]: bare },
        required: [WRAPPED],
        additionalProperties: false,
        ...($defs === undefined ? {} : { $defs }),
      }
    : made
  return { strict: asObject(strictly(object)), whole: asObject(withoutDialect(object)), isWrapped }
}

function unwrapLazy(schema: z.ZodType): z.ZodType {
  let inner: unknown = schema
  while (inner instanceof z.ZodLazy) inner = inner.unwrap()
  return inner as z.ZodType
}

function strictly(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => strictly(item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => isProperties || !LIMITS.has(key))
  const made = Object.fromEntries(
    kept.map(([key, inner]) => {
      const isNames = !isProperties && (key === 'properties' || key === '$defs')
      return [!isProperties && key === 'oneOf' ? 'anyOf' : key, strictly(inner, isNames)]
    }),
  )
  if (isProperties || made['type'] !== 'object') return made
  const names = Object.keys(asObject(made['properties']))
  return { ...made, required: names, additionalProperties: false }
}

const withoutDialect = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'))

const asObject = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
