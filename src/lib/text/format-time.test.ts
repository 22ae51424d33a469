import { expect, test } from 'vitest'
import { formatDuration, formatMoment, parseDuration } from './format-time.ts'

const NOON = Date.UTC(2026, 10, 15, 12)

test.each([
  [Date.UTC(2026, 10, 15, 5, 7, 59), '05:07'],
  [Date.UTC(2026, 10, 15), '00:00'],
  [Date.UTC(2026, 10, 14, 23, 59), '2026-11-14 23:59'],
  [Date.UTC(2026, 10, 16), '2026-11-16 00:00'],
  [Date.UTC(1969, 11, 31, 23), '1969-12-31 23:00'],
])('the moment %d is %s at noon of 15 November 2026', (at, text) => {
  expect(formatMoment(at, NOON)).toBe(text)
})

test.each([
  [-5, '0s'],
  [0, '0s'],
  [1, '1s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_999, '59m'],
  [3_600_000, '1h'],
  [7_500_000, '2h 5m'],
  [172_799_999, '1d 23h'],
  [200_000_000, '2d 7h'],
  [864_000_000, '10d'],
  [1_051_200_000, '12d'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  ['250ms', 250],
  ['15s', 15_000],
  ['90m', 5_400_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
  ['0m', 0],
  ['90', null],
  ['-5m', null],
  ['1h30m', null],
  ['5 m', null],
  ['', null],
])('%j is a duration of %j ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})
