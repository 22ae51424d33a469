import { expect, test } from 'vitest'
import { formatDuration as formatReason } from '../../../src/lib/text/format-time.ts'
import { formatDay, formatDuration, formatMoment, formatTime, formatWeekday, sentence } from './format.ts'

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
  expect(formatDuration(2 * HOUR + 5 * 60_000)).toBe('2h 5m')
  expect(formatDuration(3 * DAY + 4 * HOUR)).toBe('3d 4h')
  expect(formatDuration(12 * DAY + 4 * HOUR)).toBe('12d')
  expect(formatDuration(1889 * DAY + 10 * HOUR)).toBe('1,889d')
})

test('a duration looks as in the reasons that stand beside it', () => {
  for (const ms of [0, 1, 400, 1000, 41_000, 60_000, 41 * 60_000, HOUR, 2 * HOUR + 5 * 60_000, 3 * DAY])
    expect(formatDuration(ms)).toBe(formatReason(ms))
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
