import { expect, test } from 'vitest'
import { localMoment, localTimeOfDay } from './local-time.ts'

test('a moment of today is a time of day, and another one has its date', () => {
  const now = new Date(2026, 0, 5, 12, 30)
  expect(localMoment(new Date(2026, 0, 5, 10, 4), now)).toBe('10:04')
  expect(localMoment(new Date(2026, 0, 4, 23, 59), now)).toBe('2026-01-04 23:59')
})

test('a moment is shown as clocks showed it then, in summer and in winter', () => {
  const now = new Date(2026, 0, 5, 12, 30)
  expect(localMoment(new Date(2025, 6, 1, 8, 0), now)).toBe('2025-07-01 08:00')
  expect(localTimeOfDay(new Date(2025, 6, 1, 8, 9, 7))).toBe('08:09:07')
})
