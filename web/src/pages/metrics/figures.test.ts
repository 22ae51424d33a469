import { expect, test } from 'vitest'
import { roundSteps } from './figures.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('the axis of a duration has at most five round steps', () => {
  expect(roundSteps(91 * MINUTE)).toEqual([0, 30, 60, 90].map((minutes) => minutes * MINUTE))
  expect(roundSteps(75_000)).toEqual([0, 15_000, 30_000, 45_000, 60_000, 75_000])
  expect(roundSteps(400)).toEqual([0])
  // A thousand items that wait for days, all together.
  expect(roundSteps(1140 * DAY)).toEqual([0, 500, 1000].map((days) => days * DAY))
})
