import { expect, test } from 'vitest'
import { Recent } from './recent.ts'

test('what was not asked for the longest goes first', () => {
  const recent = new Recent<number>(2)
  recent.keep('a', 1)
  recent.keep('b', 2)
  expect(recent.get('a')).toBe(1)
  recent.keep('c', 3)
  expect(['a', 'b', 'c'].map((name) => recent.get(name))).toEqual([1, undefined, 3])
})

test('a name has its last value, until it is forgotten', () => {
  const recent = new Recent<number>(2)
  recent.keep('a', 1)
  recent.keep('a', 2)
  expect(recent.get('a')).toBe(2)
  recent.forget('a')
  expect(recent.get('a')).toBeUndefined()
})

test('values with a size are kept as long as they fit, and those that were asked for last stay', () => {
  const recent = new Recent<string>(100, ({ length }) => length)
  recent.keep('a', 'a'.repeat(40))
  recent.keep('b', 'b'.repeat(40))
  recent.get('a')
  recent.keep('c', 'c'.repeat(40))
  expect(['a', 'b', 'c'].map((name) => recent.get(name) !== undefined)).toEqual([true, false, true])
})

test('a value that replaces another of its name counts once', () => {
  const recent = new Recent<string>(100, ({ length }) => length)
  for (let times = 0; times < 10; times++) recent.keep('a', 'a'.repeat(40))
  recent.keep('b', 'b'.repeat(40))
  expect(recent.get('a')).toBeDefined()
})

test('a value that is larger than the limit is not kept', () => {
  const recent = new Recent<string>(100, ({ length }) => length)
  recent.keep('a', 'a'.repeat(400))
  expect(recent.get('a')).toBeUndefined()
})
