import { expect, test } from 'vitest'
import { misspeltIn } from './evidence.ts'

test('two quoted words that differ in a letter or two are one word and its correction', () => {
  expect(misspeltIn('"recieve" -> "receive"')).toBe('“recieve”, “receive”')
  expect(misspeltIn('it says “Sucess!” after saving → “Success!”')).not.toBeNull()
})

test.each([
  'rename "accounts" to "customers"',
  'write "Log in" as "log in"',
  'from "left" to "lift"',
  'a "word" alone',
])('%j corrects no spelling', (text) => {
  expect(misspeltIn(text)).toBeNull()
})
