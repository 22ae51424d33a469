import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fingerprint } from './fingerprint.ts'

test('the same text has the same fingerprint, and another text another', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(Number.isSafeInteger(fingerprint(one))).toBe(true)
      expect(fingerprint(one) === fingerprint(other)).toBe(one === other)
    }),
  )
})

test('a hundred thousand lines that differ in a number only have a hundred thousand of them', () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => `{"progress_pct":${at % 100},"step":"step ${at}"}`)
  expect(new Set(lines.map(fingerprint)).size).toBe(lines.length)
})
