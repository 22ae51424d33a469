/** The reason in words is what people act on: each is true of the worker, whenever this PM began to look. */
import { expect, test } from 'vitest'
import { low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { assess, see } from './health.ts'
import { watchRules } from './rules.ts'

/** Why the worker is as it is; `since` is when this PM began to look. */
function why(plan: PlayedPlan, since = 0): string {
  const task = plan.task('1')
  if (task.live === null) throw new Error('nobody works')
  const rules = watchRules(plan.state.settings)
  const observed = { since, workers: plan.signs }
  return assess(see(task, task.live, rules, { now: plan.now, observed }), rules).why
}
const working = (): PlayedPlan => PlayedPlan.begun([low('1')]).started('1')

test('who was not seen yet is said to have started when it did', () => {
  const plan = working().pass(2 * MINUTE)
  expect([why(plan), why(plan, plan.now - 1000)]).toEqual(['started 2m ago', 'started 2m ago'])
})

test('who was only heard is said to have been heard, not to have started then', () => {
  const plan = working()
    .pass(3 * MINUTE)
    .checkin('1', { percent: 60 })
    .pass(2000)
  expect(why(plan)).toBe('check-in 2s ago; says 60 %')
})

test('who may have printed before anybody looked is not said to have printed nothing at all', () => {
  const plan = working().pass(10 * MINUTE)
  expect(why(plan)).toContain('no output at all')
  expect(why(plan, plan.now - 6 * MINUTE)).toContain('no output for 6m')
})
