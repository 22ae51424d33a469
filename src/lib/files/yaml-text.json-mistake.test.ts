import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonMistakeAt } from './yaml-text.ts'

test.each([
  ['{"a": x}', 6],
  ['[1, 2,]', 6],
  ['{"a" 1}', 5],
  ['{a: 1}', 1],
  ['[1 2]', 3],
  ['{"a": 1]', 7],
  ['["\u0001"]', 2],
  ['["\\q"]', 3],
  ['[01]', 2],
  ['1 2', 2],
  ['["a\n"]', 3],
  ['-', 1],
  ['{"a": tru', 9],
  ['[', 1],
  ['', 0],
])('%j', (text, at) => {
  expect(jsonMistakeAt(text)).toBe(at)
})

test('in right JSON the end is reached', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value, null, 1)
      return jsonMistakeAt(text) === text.length
    }),
  )
})
