import { expect, test } from 'vitest'
import { pageOf } from './page-of.ts'

const letters = (text: string): readonly string[] => text.split('')
const page = (text: string, limit: number, cursor?: string) => {
  const { rows, next, total } = pageOf(letters(text), { limit, cursor }, (letter) => letter)
  return { rows: rows.join(''), next, total }
}

test('pages follow each other without a gap, and the last one says so', () => {
  expect(page('abcde', 2)).toEqual({ rows: 'ab', next: '2.b', total: 5 })
  expect(page('abcde', 2, '2.b')).toEqual({ rows: 'cd', next: '4.d', total: 5 })
  expect(page('abcde', 2, '4.d')).toEqual({ rows: 'e', next: null, total: 5 })
  expect(page('abcd', 2, '2.b')).toEqual({ rows: 'cd', next: null, total: 4 })
  expect(page('', 2)).toEqual({ rows: '', next: null, total: 0 })
})

test('no row is left out or repeated when rows before it come or go', () => {
  expect(page('xabcde', 2, '2.b').rows).toBe('cd')
  expect(page('bcde', 2, '2.b').rows).toBe('cd')
})

test('where the last row of a page has gone, the next page begins at its place', () => {
  expect(page('acde', 2, '2.b').rows).toBe('cd')
  expect(page('a', 2, '5.e')).toEqual({ rows: '', next: null, total: 1 })
})

test('a cursor that no page gave is refused', () => {
  expect(() => page('abc', 2, 'b')).toThrow('cursor: is not the `next` of a page')
})
