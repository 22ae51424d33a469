import { expect, test } from 'vitest'
import { afterDispatch, backoffMs, NO_COUNTS } from './budgets.ts'
import type { DispatchReason } from '../event-schemas/schemas.ts'

test.each<[DispatchReason, string]>([
  ['fix', 'fixes'],
  ['rework', 'reworks'],
  ['restart', 'restarts'],
  ['revise', 'revisions'],
])('a %s is counted as %s and as nothing else', (reason, counter) => {
  expect(afterDispatch(NO_COUNTS, reason)).toEqual({ ...NO_COUNTS, [counter]: 1 })
})

test.each<DispatchReason>(['first', 'again'])('%s costs nothing', (reason) => {
  expect(afterDispatch(NO_COUNTS, reason)).toEqual(NO_COUNTS)
})

test('a retry resets the budgets, but requested revisions stay counted', () => {
  const used = { ...NO_COUNTS, fixes: 2, reworks: 1, restarts: 2, revisions: 3, interruptions: 4 }
  expect(afterDispatch(used, 'retry')).toEqual({ ...NO_COUNTS, revisions: 3 })
})

test('the delay doubles from ten seconds up to ten minutes', () => {
  expect([0, 1, 2, 3, 4].map(backoffMs)).toEqual([0, 10_000, 20_000, 40_000, 80_000])
  expect([7, 8, 50, 10_000].map(backoffMs)).toEqual([600_000, 600_000, 600_000, 600_000])
})
