import { expect, test } from 'vitest'
import { z } from 'zod'
import { answerSchema } from './answer-schema.ts'

const item = z.object({ name: z.string().min(1).max(20), note: z.string().max(5).nullable() })

test('the strict schema requires every field, allows no other, and leaves limits to the check of the answer', () => {
  const { strict, whole, isWrapped } = answerSchema(z.lazy(() => z.object({ items: z.array(item).max(3) })))
  expect(isWrapped).toBe(false)
  expect(strict).toEqual({
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          },
          required: ['name', 'note'],
          additionalProperties: false,
        },
      },
    },
    required: ['items'],
    additionalProperties: false,
  })
  expect(JSON.stringify(whole)).toContain('"maxItems":3')
})

test('a field may have the name of a limit', () => {
  const { strict } = answerSchema(z.object({ pattern: z.string(), default: z.string() }))
  expect(strict).toMatchObject({ required: ['pattern', 'default'] })
})

test('an answer that is no object is wrapped into one', () => {
  const choice = z.discriminatedUnion('tool', [
    z.object({ tool: z.literal('ask'), text: z.string() }),
    z.object({ tool: z.literal('wait') }),
  ])
  const { strict, isWrapped } = answerSchema(z.lazy(() => choice))
  expect(isWrapped).toBe(true)
  expect(strict).toMatchObject({ type: 'object', required: ['answer'] })
  expect(JSON.stringify(strict)).not.toContain('oneOf')
})
