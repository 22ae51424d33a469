import { expect, test } from 'vitest'
import type { Need } from '../../shell/needs-you.ts'
import { countOutOfOrder, rowsOf, stillOrder } from './still-order.ts'

const need = (key: string): Need => ({ kind: 'interview', key, interview: { title: key } as never })
const needs = (keys: string): readonly Need[] => keys.split('').map(need)
const shown = (before: string, now: string): string =>
  stillOrder(rowsOf(needs(before)), needs(now))
    .map(({ need: { key }, isGone }) => (isGone ? `(${key})` : key))
    .join('')

test('what is on the screen keeps its place, whatever is more urgent by now', () => {
  expect(shown('ab', 'ba')).toBe('ab')
  expect(shown('ab', 'cabd')).toBe('abcd')
})

test('what needs no answer any more keeps its place too', () => {
  expect(shown('abc', 'xac')).toBe('a(b)cx')
  expect(shown('', 'ab')).toBe('ab')
})

test('the items below something less urgent are counted', () => {
  const counted = (rows: string, now: string) => countOutOfOrder(rowsOf(needs(rows)), needs(now))
  expect(counted('abc', 'abc')).toBe(0)
  expect(counted('abcd', 'cabd')).toBe(1)
  expect(counted('abcd', 'dcab')).toBe(2)
  expect(counted('abc', 'ac')).toBe(0)
})
