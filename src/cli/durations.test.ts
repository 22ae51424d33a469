import { expect, test } from 'vitest'
import { durationIn, momentOf, shortDuration } from './durations.ts'

test.each([
  [-5, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_600_000, '1h 0m'],
  [7_500_000, '2h 5m'],
  [200_000_000, '2d'],
])('%d ms are %s', (ms, text) => {
  expect(shortDuration(ms)).toBe(text)
})

test.each([
  ['30s', 970_000],
  ['2m', 880_000],
  ['1970-01-01T00:00:01Z', 1000],
  ['2m ago', null],
  ['yesterday', null],
  ['12', null],
  ['', null],
])('%j is the moment %j', (said, at) => {
  expect(momentOf(said, 1_000_000)).toBe(at)
})

test.each([
  ['90m', 5_400_000],
  ['250ms', 250],
  ['0m', null],
  ['90', null],
  ['-5m', null],
  ['1h30m', null],
])('%s is a length of %s ms', (said, ms) => {
  expect(durationIn(said)).toBe(ms)
})
