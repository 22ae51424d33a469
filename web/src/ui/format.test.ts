import { expect, test } from 'vitest'
import { formatDuration, sentence } from './format.ts'

test('a sentence begins with a capital letter, and a path or an id stays as it is', () => {
  expect(['unit tests failed', 'passed: lint', 'élan', 'done'].map(sentence)).toEqual([
    'Unit tests failed',
    'Passed: lint',
    'Élan',
    'Done',
  ])
  for (const text of [
    'src/cart.js:40: no test',
    'w-shop-3-1: no output',
    'max_tokens is too small',
    '8 gates',
    '',
  ])
    expect(sentence(text)).toBe(text)
})

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('a duration has at most two parts, and no hours where it takes many days', () => {
  expect(formatDuration(2 * HOUR + 5 * 60_000)).toBe('2 h 5 min')
  expect(formatDuration(3 * DAY + 4 * HOUR)).toBe('3 d 4 h')
  expect(formatDuration(12 * DAY + 4 * HOUR)).toBe('12 d')
  expect(formatDuration(1889 * DAY + 10 * HOUR)).toBe('1,889 d')
})
