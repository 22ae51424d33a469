import { expect, test } from 'vitest'
import { momentWords } from './moment-words.ts'

const now = new Date(2026, 0, 5, 12, 30)

test('a moment of today is its time, one of another day has its day', () => {
  expect(momentWords(new Date(2026, 0, 5, 10, 4), now)).toBe('10:04')
  expect(momentWords(new Date(2026, 0, 4, 23, 59), now)).toBe('2026-01-04 23:59')
})
