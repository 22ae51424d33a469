import { expect, test } from 'vitest'
import { calledNames, promisesBehaviour } from './tests-to-add.ts'

test.each([
  ["slugify('A b') is 'a-b'", true],
  ['`slugify("A b")` returns `a-b`', true],
  ['total([]) is 0', true],
  ['`retry({ times: 3 })` waits', true],
  ['round(-1.5) is -2', true],
  ['total(items) takes a discount', null],
  ['Refactor `total` and `sum` into `costs`', null],
  ['fix(es2015): the file(s) are read once (#12)', null],
  ['test/cart.test.js passes', null],
  ['parses 30% faster', null],
])('the criterion "%s" promises behaviour that the base lacks: %s', (criterion, expected) => {
  expect(promisesBehaviour({ acceptanceCriteria: ['It works', criterion] })).toBe(expected)
})

test('what the plan says counts, whatever the criteria are', () => {
  const acceptanceCriteria = ['total([]) is 0']
  expect(promisesBehaviour({ acceptanceCriteria, redOnBase: false })).toBe(false)
  expect(promisesBehaviour({ acceptanceCriteria: [], redOnBase: true })).toBe(true)
  expect(promisesBehaviour({ acceptanceCriteria: [], role: 'fixer' })).toBe(true)
  expect(promisesBehaviour({ acceptanceCriteria: [], type: 'bug_fix' })).toBe(true)
  expect(promisesBehaviour({ acceptanceCriteria: [], type: 'bug_fix', redOnBase: false })).toBe(false)
  expect(promisesBehaviour({ acceptanceCriteria: [], type: 'feature_request' })).toBeNull()
})

test('criteria name what they call', () => {
  const acceptanceCriteria = ['total(items) takes discounted(cents, percent)', 'total() is `0`, see (a)']
  expect(calledNames({ acceptanceCriteria })).toEqual(['total', 'discounted'])
})
