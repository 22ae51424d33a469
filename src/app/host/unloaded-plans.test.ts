import { expect, test } from 'vitest'
import { UnloadedPlans } from './unloaded-plans.ts'

const plan = { stream: 'r/shop', repository: null, why: 'its disk is gone', kind: 'hindered' } as const

test('loading a plan is retried with growing delays, unless it is damaged', () => {
  const unloaded = new UnloadedPlans()
  unloaded.add(plan, 0)
  unloaded.add({ ...plan, stream: 'r/blog', kind: 'damaged' }, 0)
  expect([unloaded.due(4999), unloaded.due(5000)]).toEqual([[], ['r/shop']])
  unloaded.add(plan, 5000)
  expect([unloaded.due(14_999), unloaded.due(15_000)]).toEqual([[], ['r/shop']])
  for (let tries = 0; tries < 20; tries++) unloaded.add(plan, 20_000)
  expect([unloaded.due(319_999), unloaded.due(320_000)]).toEqual([[], ['r/shop']])
})

test('an unloaded plan keeps its first time, and only a new reason is news', () => {
  const unloaded = new UnloadedPlans()
  expect([unloaded.add(plan, 1), unloaded.add(plan, 2), unloaded.add({ ...plan, why: 'other' }, 3)]).toEqual([
    true,
    false,
    true,
  ])
  expect(unloaded.get('r/shop')).toMatchObject({ since: 1, why: 'other' })
})
