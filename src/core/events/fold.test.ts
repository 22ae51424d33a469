import { NO_SIGNS } from '../watch/observed.ts'
import { describe, expect, test } from 'vitest'
import {
  anIntegrationTest,
  aRegistration,
  HOUR,
  low,
  MINUTE,
  normal,
  START,
} from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { fold } from './fold.ts'
import { decided } from '../fold/moves.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }
const jump = (plan: PlayedPlan, byMs: number): PlayedPlan => {
  plan.now += byMs
  return plan.tell({ type: 'clock.jumped', v: 1, byMs })
}

describe('a plan', () => {
  test('starts only with its registration', () => {
    const event = { type: 'plan.resumed', v: 1, by: 'ada' } as const
    expect(() => fold(null, { version: 1, at: 0, event })).toThrow('the first event must be plan.registered')
  })

  test('cannot be registered twice', () => {
    const event = aRegistration([low('1')])
    const state = fold(null, { version: 1, at: 0, event })
    expect(() => fold(state, { version: 2, at: 0, event })).toThrow('a plan cannot be registered twice')
  })

  test('counts its tasks by status, and what is left by tier', () => {
    const plan = PlayedPlan.begun([
      low('1'),
      low('2', { dependsOn: ['1'] }),
      normal('3', { dependsOn: ['2'] }),
    ])
    expect(plan.state.counts).toMatchObject({ in_progress: 1, pending: 2, completed: 0 })
    plan.complete('1')
    expect(plan.state.counts).toMatchObject({ in_progress: 1, pending: 1, completed: 1 })
    expect(plan.state.left).toEqual({ critical: 0, normal: 1, low: 1 })
  })

  test('records the version and time of its last event', () => {
    const plan = PlayedPlan.begun([low('1')])
    expect([plan.state.version, plan.state.at]).toEqual([plan.events.length, START])
  })

  test('has a layer that is due at once where no task belongs to it', () => {
    const plan = new PlayedPlan([low('1')], { integration: [anIntegrationTest('it', 'core', [])] })
    expect(plan.state.layers.get('core')?.status).toBe('due')
  })

  test('is not changed by ignored input', () => {
    const plan = PlayedPlan.begun([low('1')])
    const before = JSON.stringify([...plan.state.tasks.values()])
    plan.apply({
      type: 'word.ignored',
      v: 1,
      from: 'w',
      about: 'a late exit',
      why: 'no longer a worker of this plan',
    })
    expect(JSON.stringify([...plan.state.tasks.values()])).toBe(before)
  })
})

describe('a commit', () => {
  const done = (): PlayedPlan => PlayedPlan.begun([normal('1', { tier: 'critical' })]).complete('1')

  test('completes the task and moves the tip', () => {
    const plan = done()
    expect([plan.step('1'), plan.state.currentSha, plan.task('1').commit?.sha]).toEqual([
      'completed',
      'sha-1',
      'sha-1',
    ])
  })

  test('of a critical task is a checkpoint, unless the settings say otherwise', () => {
    expect(done().state.checkpointTags).toEqual(['pm/shop/checkpoint-task-1'])
    const plain = PlayedPlan.begun([normal('1', { tier: 'critical' })], {
      settings: { checkpointTags: false },
    })
    expect(plain.complete('1').state.checkpointTags).toEqual([])
    expect(PlayedPlan.begun([normal('1')]).complete('1').state.checkpointTags).toEqual([])
  })

  test('makes tasks ready that waited for it alone', () => {
    const tasks = [low('1'), low('2'), low('3', { dependsOn: ['1'] }), low('4', { dependsOn: ['1', '2'] })]
    const plan = PlayedPlan.begun(tasks, { settings: { maxParallelAgents: 2 } }).complete('1')
    expect([plan.step('3'), plan.step('4')]).toEqual(['launching', 'pending'])
  })
})

describe('when the clock jumps', () => {
  test.each([5 * HOUR, -5 * HOUR])('by %i ms, a worker keeps its remaining time', (byMs) => {
    const plan = PlayedPlan.begun([low('1')], QUIET)
      .started('1')
      .pass(15 * MINUTE)
    plan.signs.set('w-shop-1-1', { ...NO_SIGNS, seen: { output: plan.now + byMs } })
    jump(plan, byMs)
    expect(plan.step('1')).toBe('working')
    plan.signs.set('w-shop-1-1', { ...NO_SIGNS, seen: { output: plan.now + 51 * MINUTE } })
    plan.pass(51 * MINUTE - 1)
    expect(plan.step('1')).toBe('working')
    expect(plan.pass(1).last('worker.condemned').cause).toBe('time_limit')
  })

  test('a restart still waits for its delay', () => {
    const plan = PlayedPlan.begun([low('1')], QUIET).work('1', { end: { kind: 'failed', reason: 'exit 1' } })
    expect(jump(plan, HOUR).step('1')).toBe('deciding')
    expect(plan.pass(10_000).step('1')).toBe('launching')
  })

  test('a failed effect still waits for its delay', () => {
    const plan = PlayedPlan.begun([low('1')], QUIET)
      .work('1')
      .failEffect('gates 1 1 all 0')
    expect(jump(plan, HOUR).keys()).toEqual([])
    expect(plan.pass(10_000).keys()).toEqual(['gates 1 1 all 0'])
  })

  test.each([3 * HOUR, -3 * HOUR])('by %i ms, a progress report is still on time', (byMs) => {
    const plan = PlayedPlan.begun([low('1')], { settings: { stalledMs: 1000 * HOUR } }).pass(10 * MINUTE)
    expect(jump(plan, byMs).owes('report_progress')).toBe(false)
    expect(plan.pass(20 * MINUTE).owes('report_progress')).toBe(true)
  })

  test.each([3 * HOUR, -3 * HOUR])('by %i ms, the duration of a task stays correct', (byMs) => {
    const plan = PlayedPlan.begun([low('1')], QUIET)
      .pass(10 * MINUTE)
      .work('1')
    expect(jump(plan, byMs).gates('1').task('1').durationMs).toBe(10 * MINUTE)
  })

  test("a provider's reset keeps its wall time", () => {
    const plan = PlayedPlan.begun([low('1')], QUIET)
    plan.work('1', { end: { kind: 'limited', until: plan.now + 3 * HOUR } })
    expect(jump(plan, 3 * HOUR).step('1')).toBe('launching')
  })

  test('the recorded clock offset moves along', () => {
    const plan = PlayedPlan.begun([low('1')]).tell({
      type: 'pm.started',
      v: 1,
      boot: 'b',
      offsetMs: 7,
      again: false,
    })
    expect(jump(plan, 100).state.clock).toEqual({ boot: 'b', offsetMs: 107 })
  })
})

test("a task's decision log keeps its latest part and notes the cut", () => {
  const plan = PlayedPlan.begun([low('1')])
  for (let time = 1; time <= 300; time++) {
    decided(plan.task('1'), time, `reason ${time}`)
  }
  const texts = plan.decisions('1')
  expect(texts.length).toBeLessThanOrEqual(201)
  expect(texts[0]).toBe('(earlier decisions are in the log only)')
  expect(texts.at(-1)).toContain('reason 300')
})
