/** The reason in words is what people act on: each is true of the worker, whenever this PM began to look. */
import { describe, expect, test } from 'vitest'
import { low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { assess, see, type Assessment } from './health.ts'
import type { ReportedTests } from '../event-schemas/requests.ts'
import { watchRules } from './rules.ts'

/** What the worker is judged to be; `since` is when this PM began to look. */
function assessed(plan: PlayedPlan, since = 0): Assessment {
  const task = plan.task('1')
  if (task.live === null) throw new Error('no worker is running')
  const rules = watchRules(plan.state.settings)
  const observed = { since, workers: plan.signs }
  return assess(see(task, task.live, rules, { now: plan.now, observed }), rules)
}
const why = (plan: PlayedPlan, since = 0): string => assessed(plan, since).why
const working = (): PlayedPlan => PlayedPlan.begun([low('1')]).started('1')

test('a worker without signs of life is described by its start', () => {
  const plan = working().pass(2 * MINUTE)
  expect([why(plan), why(plan, plan.now - 1000)]).toEqual(['started 2m ago', 'started 2m ago'])
})

test('a worker with nothing but a check-in is described by the check-in', () => {
  const plan = working()
    .pass(3 * MINUTE)
    .checkin('1', { percent: 60 })
    .pass(2000)
  expect(why(plan)).toBe('check-in 2s ago; claims 60 %')
})

test('a worker started before the daemon is never described as without any output', () => {
  const plan = working().pass(10 * MINUTE)
  expect(why(plan)).toContain('no output at all')
  expect(why(plan, plan.now - 6 * MINUTE)).toContain('no output for 6m')
})

test('a healthy worker that is quiet is described as within its time, then by what is absent', () => {
  const plan = working().pass(10 * MINUTE)
  expect(why(plan)).toBe(
    'quiet for 10m, which counts as late after 15m: no output at all, CPU idle, no file changed, no tool running, no check-in',
  )
  plan.pass(6 * MINUTE)
  expect(why(plan)).toMatch(/^no output at all, CPU idle/)
})

test('a nudge is reported as without effect only if it was delivered', () => {
  const plan = working()
    .pass(MINUTE)
    .lives('1')
    .pass(5 * MINUTE)
  const { worker, task, attempt, message } = plan.last('worker.told')
  plan.pass(15 * MINUTE)
  expect(why(plan)).toContain('; a nudge could not be delivered yet')
  const about = { worker, task, attempt }
  plan.apply({ type: 'worker.heard', v: 1, ...about, messages: [message.id], via: 'session' })
  expect(why(plan)).toContain('; a nudge had no effect')
})

describe('a worker that reported failing tests', () => {
  const about = { worker: 'w-shop-1-1', task: '1', attempt: 1 }
  const reported = (plan: PlayedPlan, tests: ReportedTests): PlayedPlan =>
    plan.tell({ type: 'tests.reported', v: 1, ...about, tests })
  const failing = (): PlayedPlan =>
    reported(working(), { outcome: 'failed', failed: 1, failing: ['adds an item'] }).lives('1')

  test('is late with their names as the reason, and the log of the task has them', () => {
    const plan = failing()
    expect(assessed(plan)).toMatchObject({
      health: 'late',
      why: 'it reported failing tests: 1 failed: adds an item',
    })
    expect(plan.decisions('1').join()).toContain('reports tests: 1 failed: adds an item')
  })

  test('is healthy again when it reports that they pass', () => {
    expect(assessed(reported(failing(), { outcome: 'passed', passed: 3 })).health).toBe('healthy')
  })

  test('leaves their names to its successor, which is not late for them', () => {
    const plan = failing()
      .ended('1', { end: { kind: 'failed', reason: 'crashed' }, report: null })
      .collected('1')
      .pass(10 * MINUTE)
    expect(plan.effect('start_worker').context.failingTests).toEqual(['adds an item'])
    const next = { worker: 'w-shop-1-2', task: '1', attempt: 2 }
    plan.tell({ type: 'worker.started', v: 1, ...next })
    expect(plan.task('1').live?.watch.health).toBe('healthy')
  })
})

describe('a worker that reported an issue', () => {
  const stuck = (): PlayedPlan => working().checkin('1', { percent: 20, issues: ['cannot find the docs'] })

  test('is late with the issue as the reason, although it shows life', () => {
    const plan = stuck().lives('1')
    expect(assessed(plan)).toMatchObject({
      health: 'late',
      why: 'it reported an issue: cannot find the docs',
    })
    expect(plan.last('worker.judged')).toMatchObject({ health: 'late', issue: 'cannot find the docs' })
  })

  test('is healthy again after a check-in without one', () => {
    expect(assessed(stuck().pass(MINUTE).checkin('1', { percent: 30 })).health).toBe('healthy')
  })

  test('is stalled where it reports that it is blocked', () => {
    const plan = working().checkin('1', { status: 'blocked', issues: ['no schema'] })
    expect(assessed(plan)).toEqual({ health: 'stalled', why: 'it says that it is blocked: no schema' })
  })
})
