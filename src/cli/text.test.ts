import { expect, test } from 'vitest'
import { momentOf } from './text.ts'

test.each([
  ['30s', 970_000],
  ['2m', 880_000],
  ['999999999999999999999d', 0],
  ['1970-01-01T00:00:01Z', 1000],
  ['2m ago', null],
  ['yesterday', null],
  ['12', null],
  ['', null],
])('%j is the moment %j', (text, at) => {
  expect(momentOf(text, 1_000_000)).toBe(at)
})
