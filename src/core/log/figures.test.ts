import { describe, expect, test } from 'vitest'
import { low, START } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { figuresOf } from './figures.ts'
import { PlanRecorder } from './plan-record.ts'

const MINUTE = 60_000
const at = (minutes: number): number => START + minutes * MINUTE

const recordOf = (plan: PlayedPlan) => {
  const recorder = new PlanRecorder()
  for (const fact of plan.facts) recorder.take(fact)
  return recorder.record()
}

/** In minutes since the plan began. */
const between = (plan: PlayedPlan, from: number, to: number) =>
  figuresOf([recordOf(plan)], { from: at(from), to: at(to), now: plan.now })

/**
 * By hand: 1 is dispatched at 0 and committed at 10. 2 is dispatched at 0, fails its gates at 20 and is committed at 50.
 * 3 is dispatched at 10, asks a person at 60 and is rejected at 90.
 */
function anHourAndAHalf(): PlayedPlan {
  const blocked = { end: { kind: 'blocked', reason: 'which shop?' } } as const
  const plan = PlayedPlan.begun([low('1'), low('2'), low('3')], { settings: { maxParallelAgents: 2 } })
  plan.pass(10 * MINUTE).complete('1')
  plan
    .pass(10 * MINUTE)
    .work('2')
    .gates('2', { failed: ['unit'] })
  plan.pass(30 * MINUTE).complete('2')
  plan.pass(10 * MINUTE).work('3', blocked)
  expect(plan.step('3')).toBe('escalated')
  return plan.pass(30 * MINUTE).answer('reject', { about: '3' })
}

describe('metrics over a time', () => {
  test('are as computed by hand', () => {
    const { spent, ...figures } = between(anHourAndAHalf(), 0, 91)
    expect(figures).toEqual({
      completed: 2,
      failed: 1,
      successRate: 2 / 3,
      // The median of 10 and 50 minutes.
      leadTimeMs: 30 * MINUTE,
      firstPassRate: 1 / 2,
      personWaitMs: 30 * MINUTE,
      interventions: 0,
    })
    expect(spent).toEqual({ tokens: 0, usd: 0 })
  })

  test('count what ended within the time, and the part of a wait that lies in it', () => {
    expect(between(anHourAndAHalf(), 0, 20)).toMatchObject({ completed: 1, failed: 0, personWaitMs: 0 })
    expect(between(anHourAndAHalf(), 45, 75)).toMatchObject({ completed: 1, personWaitMs: 15 * MINUTE })
    expect(between(anHourAndAHalf(), 75, 200)).toMatchObject({ failed: 1, personWaitMs: 15 * MINUTE })
  })

  test('without anything have no rate, rather than one of zero', () => {
    expect(between(anHourAndAHalf(), 200, 300)).toMatchObject({
      completed: 0,
      successRate: null,
      leadTimeMs: null,
      firstPassRate: null,
    })
  })

  test('count the usage of a worker once, however often it reports', () => {
    const plan = PlayedPlan.begun([low('1')]).started('1')
    const { worker, task, attempt } = plan.last('worker.started')
    const use = (tokens: number, usd: number) =>
      plan.tell({ type: 'worker.used', v: 1, worker, task, attempt, tokens, usd })
    use(1000, 0.5)
    plan.pass(30 * MINUTE)
    use(1500, 0.75)
    expect(between(plan, 0, 100).spent).toMatchObject({ tokens: 1500, usd: 0.75 })
    expect(between(plan, 20, 100).spent).toMatchObject({ tokens: 500, usd: 0.25 })
  })

  test('count an item that is open until now', () => {
    const plan = PlayedPlan.begun([low('1')]).work('1', { end: { kind: 'blocked', reason: 'which?' } })
    plan.pass(7 * MINUTE)
    expect(between(plan, 0, 100).personWaitMs).toBe(7 * MINUTE)
  })

  test('count a task that is rejected and then dropped as one failure', () => {
    const plan = anHourAndAHalf()
    plan.tell({ type: 'task.replanned', v: 1, task: '3', recommend: 'drop', note: 'no', by: 'rules' })
    plan.pass(MINUTE).answer('drop', { about: '3' })
    expect(between(plan, 0, 200)).toMatchObject({ failed: 1, personWaitMs: 31 * MINUTE })
  })

  test('count begun tasks of a cancelled plan as failed', () => {
    const plan = PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })])
      .pass(MINUTE)
      .cancel()
    expect(between(plan, 0, 10)).toMatchObject({ completed: 0, failed: 1 })
  })
})
