import { expect, test } from 'vitest'
import type { UnloadedPlan } from '../host/unloaded-plans.ts'
import { damagedWorkers } from './answer-item.ts'

const repository = { id: 'r', path: '/home/ann/shop' } as UnloadedPlan['repository']
const shop: UnloadedPlan = {
  stream: 'r/shop',
  repository,
  why: 'event 3 is broken',
  kind: 'damaged',
  since: 0,
}
const blog: UnloadedPlan = { ...shop, stream: 'r/blog', kind: 'hindered' }

test('the workers of a damaged plan that still run are shown, although its events name none', () => {
  const livingWorkers = (repo: string, plan: string) => [
    { repository: repo, plan, worker: `w-${plan}-1-1`, pid: 4711 },
  ]
  const rows = damagedWorkers({ unloaded: { all: () => [shop, blog] }, parts: { livingWorkers } })
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    id: 'w-shop-1-1',
    plan: 'shop',
    repo: '/home/ann/shop',
    health: 'unwatched',
    pid: 4711,
  })
})

test('a host that cannot look for workers shows none', () =>
  expect(damagedWorkers({ unloaded: { all: () => [shop] }, parts: {} })).toEqual([]))
