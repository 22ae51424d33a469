import { expect, test } from 'vitest'
import { DamagedPlan, UnloadedPlans } from './unloaded-plans.ts'

const plan = { stream: 'r/shop', repository: null }
const gone = new Error('its disk is gone')

test('loading a plan is retried with growing delays, unless it is damaged', () => {
  const unloaded = new UnloadedPlans()
  unloaded.add(plan, gone, 0)
  unloaded.add({ ...plan, stream: 'r/blog' }, new DamagedPlan('an event is broken'), 0)
  expect([unloaded.due(4999), unloaded.due(5000)]).toEqual([[], ['r/shop']])
  unloaded.add(plan, gone, 5000)
  expect([unloaded.due(14_999), unloaded.due(15_000)]).toEqual([[], ['r/shop']])
  for (let tries = 0; tries < 20; tries++) unloaded.add(plan, gone, 20_000)
  expect([unloaded.due(319_999), unloaded.due(320_000)]).toEqual([[], ['r/shop']])
})

test('an unloaded plan keeps its first time, and only a new reason is news', () => {
  const unloaded = new UnloadedPlans()
  expect([
    unloaded.add(plan, gone, 1),
    unloaded.add(plan, gone, 2),
    unloaded.add(plan, new Error('other'), 3),
  ]).toEqual([true, false, true])
  expect(unloaded.get('r/shop')).toMatchObject({ since: 1, why: 'other' })
})
