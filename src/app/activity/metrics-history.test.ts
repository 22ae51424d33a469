import { afterEach, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { historyAnswer } from '../../protocol/machine-answer.ts'
import { metricsHistory } from './metrics-history.ts'

let testing: TestHost
afterEach(() => testing.dispose())

test('the history has a point for each hour of up to two days, else for each day, and reads on', async () => {
  testing = await new TestHost().open()
  const { plan } = await testing.register([low('a'), low('b', { dependsOn: ['a'] })])
  await testing.until(plan, ({ state }) => state.counts.completed === 2)
  const hours = await metricsHistory(testing.host, { days: 1 })
  expect(historyAnswer.parse(hours)).toEqual(hours)
  expect(hours.points.length).toBe(24)
  expect(hours.total).toMatchObject({ completed: 2, failed: 0, success_rate: 1, first_pass_rate: 1 })
  expect(hours.total.lead_time_ms).toBeGreaterThanOrEqual(0)
  expect(hours.points.reduce((sum, { completed }) => sum + completed, 0)).toBe(2)
  const days = await metricsHistory(testing.host, { days: 7 })
  expect([days.points.length, days.total.completed]).toEqual([7, 2])
  expect(days.points.every(({ from }, at) => at === 0 || from > (days.points[at - 1]?.from ?? ''))).toBe(true)
})

test('the history of one plan, or of one repository, leaves out the others', async () => {
  testing = await new TestHost().open()
  const { plan } = await testing.register([low('a')], { id: 'shop' })
  const { plan: blog } = await testing.register([low('a')], {
    id: 'blog',
    repository: testing.repository('blog'),
  })
  await testing.until(plan, ({ state }) => state.counts.completed === 1)
  await testing.until(blog, ({ state }) => state.counts.completed === 1)
  const completed = async (wanted: object) =>
    (await metricsHistory(testing.host, { days: 1, ...wanted })).total.completed
  expect(await completed({})).toBe(2)
  expect(await completed({ plan: 'blog' })).toBe(1)
  expect(await completed({ repository: plan.home.repository.id })).toBe(1)
  expect(await completed({ repository: '' })).toBe(0)
})
