import { expect, test } from 'vitest'
import { counted, firstFew } from './counted.ts'

test('a noun is plural for every number but one', () => {
  expect([0, 1, 2].map((many) => counted(many, 'file'))).toEqual(['0 files', '1 file', '2 files'])
})

test('a long list is cut, with the number of what is left out', () => {
  expect(firstFew(['a', 'b'], 2)).toBe('a, b')
  expect(firstFew(['a', 'b', 'c'], 2)).toBe('a, b and 1 more')
  expect(firstFew(['a', 'b', 'c', 'd'], 2, ';')).toBe('a; b; and 2 more')
})
