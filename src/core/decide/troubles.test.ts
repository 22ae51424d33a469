import { expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { troublesIn } from './troubles.ts'

const troubles = (plan: PlayedPlan) => troublesIn(plan.state, plan.now)

/** A task whose gates are owed. */
const worked = (): PlayedPlan => new PlayedPlan([low('a')]).baseline().work('a')
const gatesOf = (plan: PlayedPlan): string => plan.keys().find((key) => key.startsWith('gates')) ?? ''

test('a failed effect that is still owed is listed with its task, its reason and its next retry', () => {
  const plan = worked()
  expect(troubles(plan)).toEqual([])
  const key = gatesOf(plan)
  plan.failEffect(key).failEffect(key)
  const [trouble] = troubles(plan)
  expect(trouble).toMatchObject({
    task: 'a',
    what: 'running the gates of task a',
    reason: 'the disk is full',
    failures: 2,
  })
  expect(trouble?.retryAt).toBeGreaterThan(plan.now)
})

test('an effect of the plan as a whole belongs to no task', () => {
  const plan = new PlayedPlan([low('a')])
  plan.failEffect(plan.keys()[0] ?? '')
  expect(troubles(plan)).toMatchObject([{ task: null, what: 'taking the baseline of the repository' }])
})

test('an effect is no longer listed once a retry succeeds', () => {
  const plan = worked()
  plan.failEffect(gatesOf(plan)).pass(3_600_000).gates('a')
  expect(plan.state.trouble.size).toBe(1)
  expect(troubles(plan)).toEqual([])
})
