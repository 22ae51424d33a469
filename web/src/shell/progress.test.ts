import { expect, test } from 'vitest'
import type { PlanRow } from '../../../src/protocol/answers.ts'
import { isCancelled, listedPlans } from './progress.ts'

const plan = (id: string, state: PlanRow['state'], why = ''): PlanRow => ({
  id,
  title: null,
  repo: '/shop',
  state,
  why,
  branch: null,
  counts: {},
  notes: [],
  trouble: null,
  usage: null,
  thinking: null,
})

test('a cancelled plan is told from one that was released', () => {
  expect(isCancelled({ state: 'done', why: 'cancelled by Ann: too late' })).toBe(true)
  expect(isCancelled({ state: 'done', why: 'signed off by Ann' })).toBe(false)
})

test('open plans are listed first, five that ended after them, and cancelled ones only on demand', () => {
  const ended = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => plan(id, 'done', 'signed off by Ann'))
  const plans = [plan('gone', 'done', 'cancelled by Ann'), ...ended, plan('now', 'running')]
  const ids = (isAll: boolean) => listedPlans(plans, isAll).listed.map(({ id }) => id)
  expect(ids(false)).toEqual(['now', 'a', 'b', 'c', 'd', 'e'])
  expect(listedPlans(plans, false).hidden).toBe(2)
  expect(ids(true)).toEqual(['now', 'a', 'b', 'c', 'd', 'e', 'f', 'gone'])
  expect(listedPlans(plans, true).hidden).toBe(0)
})
