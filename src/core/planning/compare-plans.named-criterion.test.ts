import { expect, test } from 'vitest'
import { isNamedIn } from './compare-plans.ts'

const SLUG = `test('slugify joins words with a dash', () => assert.equal(slugify("A b"), 'a-b'))`

test.each([
  ["slugify('A b') is 'a-b'", true],
  ['slugify joins the words with dashes', true],
  ["slugify('Ä b') is 'a-b'", false],
  ['slugify keeps unicode letters', false],
  ['a title of 80 characters is cut', false],
  ["the worker's words are joined with a dash", true],
  ['it works', false],
  ['', false],
])('a test mentions a criterion by its values and most of its words: %s', (criterion, isNamed) => {
  expect(isNamedIn(criterion, [SLUG])).toBe(isNamed)
})
