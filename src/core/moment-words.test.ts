import { expect, test } from 'vitest'
import { momentWords } from './moment-words.ts'

const DAY = 86_400_000

test('a moment of the same day is told by its time alone', () => {
  expect(momentWords(Date.UTC(2026, 10, 15, 5, 7, 59), Date.UTC(2026, 10, 15))).toBe('05:07 UTC')
})

test('every other day is told as the calendar has it', () => {
  for (let day = Date.UTC(1999, 0, 1); day < Date.UTC(2105, 0, 1); day += DAY) {
    expect(momentWords(day, 0)).toBe(`${new Date(day).toISOString().slice(0, 10)} 00:00 UTC`)
  }
})
