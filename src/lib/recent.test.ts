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
