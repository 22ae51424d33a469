import { expect, test } from 'vitest'
import { RestingPlans } from './unloaded-plans.ts'

const plan = { stream: 'r/shop', repository: null, why: 'its disk is gone', kind: 'hindered' } as const

test('a plan that could not be taken up is tried again later and later, and a damaged one is not', () => {
  const resting = new RestingPlans()
  resting.add(plan, 0)
  resting.add({ ...plan, stream: 'r/blog', kind: 'damaged' }, 0)
  expect([resting.due(4999), resting.due(5000)]).toEqual([[], ['r/shop']])
  resting.add(plan, 5000)
  expect([resting.due(14_999), resting.due(15_000)]).toEqual([[], ['r/shop']])
  for (let tries = 0; tries < 20; tries++) resting.add(plan, 20_000)
  expect([resting.due(319_999), resting.due(320_000)]).toEqual([[], ['r/shop']])
})

test('a plan rests since it was first found so, and only a new reason is news', () => {
  const resting = new RestingPlans()
  expect([resting.add(plan, 1), resting.add(plan, 2), resting.add({ ...plan, why: 'other' }, 3)]).toEqual([
    true,
    false,
    true,
  ])
  expect(resting.get('r/shop')).toMatchObject({ since: 1, why: 'other' })
})
