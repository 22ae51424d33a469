import { expect, test } from 'vitest'
import { formatDay, formatMoment, formatTime, formatWeekday, sentence } from './format.ts'

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

test('moments are written in English in every browser: times on 24 hours, days before months', () => {
  const at = new Date(2026, 10, 16, 9, 5, 7).getTime()
  expect([formatTime(at), formatTime(at, 'seconds'), formatDay(at), formatWeekday(at)]).toEqual([
    '09:05',
    '09:05:07',
    '16 Nov',
    'Monday 16 November',
  ])
  expect(formatMoment(at)).toMatch(/^Monday,? 16 November 2026 at 09:05:07 \S+$/)
})
