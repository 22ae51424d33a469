import { describe, expect, test } from 'vitest'
import { critical, HOUR, low, MINUTE, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'

const SECOND = 1000
const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }
/** Performs the owed report. */
const report = (plan: PlayedPlan): string => {
  const { why, text } = plan.effect('report_progress')
  plan.tell({ type: 'progress.reported', v: 1, why, text })
  return why
}

describe('an effect that fails', () => {
  const key = 'gates 1 1 all 0'
  const gating = (): PlayedPlan => PlayedPlan.begun([low('1')], QUIET).work('1')

  test('waits for its retry time, and the delay doubles', () => {
    const plan = gating().failEffect(key)
    expect([plan.keys(), plan.owed().wakeAt]).toEqual([[], plan.now + 10 * SECOND])
    expect(plan.pass(10 * SECOND).keys()).toEqual([key])
    expect(plan.failEffect(key).owed().wakeAt).toBe(plan.now + 20 * SECOND)
  })

  test('blocks nothing else', () => {
    const plan = PlayedPlan.begun([low('1'), low('2')])
      .work('1')
      .failEffect(key)
    expect(plan.keys()).toEqual(['start w-shop-2-1'])
  })

  const failed = (times: number): PlayedPlan => {
    const plan = gating()
    for (let time = 1; time <= times; time++) plan.failEffect(key).pass(10 * MINUTE)
    return plan
  }

  test('is escalated after the fifth failure, and retried further', () => {
    expect(failed(4).state.inbox.size).toBe(0)
    const plan = failed(5)
    expect(plan.item()).toMatchObject({
      kind: 'escalation',
      subject: 'effect',
      about: key,
      problem: 'running the gates of task 1 keeps failing: the disk is full',
    })
    expect(plan.keys()).toContain(key)
    expect(failed(9).all('inbox.opened')).toHaveLength(1)
  })

  test('withdraws its item once a retry succeeds', () => {
    const plan = failed(5).gates('1')
    expect(plan.state.inbox.size).toBe(0)
    expect(plan.last('inbox.withdrawn').why).toBe('a retry succeeded')
  })

  test('starts over when a person retries it', () => {
    const plan = failed(4).failEffect(key)
    expect(plan.keys()).not.toContain(key)
    plan.answer('retry')
    expect([plan.keys().includes(key), plan.state.trouble.size]).toEqual([true, 0])
  })

  test('and needs a person is escalated at once, with the usual retry delay', () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET)
    plan.work('1').failEffect(key, { needsPerson: true })
    expect(plan.item()).toMatchObject({ subject: 'effect', about: key })
    expect(plan.keys()).not.toContain(key)
    expect(plan.pass(10_000).keys()).toContain(key)
  })

  test('is retried at once after a pause', () => {
    const plan = failed(5).failEffect(key).pause()
    expect(plan.resume().keys()).toContain(key)
  })

  test('is never escalated if it is only a notification', () => {
    const plan = PlayedPlan.begun(['1', '2', '3', '4'].map((id) => low(id)))
    for (const id of ['1', '2', '3']) plan.complete(id)
    const { key } = plan.effect('report_progress')
    for (let time = 1; time <= 9; time++) plan.failEffect(key)
    expect(plan.all('inbox.opened')).toEqual([])
    expect(plan.pass(10 * MINUTE).keys()).toContain(key)
  })
})

describe('progress is reported', () => {
  const many = ['1', '2', '3', '4'].map((id) => low(id))

  test('after every three tasks', () => {
    const plan = PlayedPlan.begun(many, QUIET).complete('1').complete('2')
    expect(plan.owes('report_progress')).toBe(false)
    expect(report(plan.complete('3'))).toBe('3 tasks completed')
    expect(plan.complete('4').owes('report_progress')).toBe(false)
  })

  test('after a critical task', () => {
    expect(report(PlayedPlan.begun([critical('1'), low('2')], QUIET).complete('1'))).toBe(
      'critical task 1 completed',
    )
  })

  test('after an escalation was answered', () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET).work('1', {
      end: { kind: 'blocked', reason: 'which?' },
    })
    expect(report(plan.answer('retry'))).toBe('escalation E-1 was answered')
  })

  test('not after an approval, which is no escalation', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { ...QUIET.settings, approval: 'each_task' } })
    expect(plan.work('1').gates('1').answer('approve').owes('report_progress')).toBe(false)
  })

  test('every half an hour while something is in progress', () => {
    const plan = PlayedPlan.begun(many)
    expect(plan.owed().wakeAt).toBe(plan.now + 20 * MINUTE + 10 * MINUTE)
    expect(report(plan.pass(30 * MINUTE))).toBe('30m passed')
    expect(plan.owes('report_progress')).toBe(false)
    expect(report(plan.pass(30 * MINUTE))).toBe('30m passed')
  })

  test('not by the clock while nothing is in progress', () => {
    const plan = PlayedPlan.begun([normal('1')]).work('1', { end: { kind: 'blocked', reason: 'which?' } })
    expect([plan.pass(5 * HOUR).owes('report_progress'), plan.owed().wakeAt]).toEqual([false, null])
  })

  test('not while the plan is paused, but after it', () => {
    const plan = PlayedPlan.begun(many, QUIET).pause().complete('1').complete('2').complete('3')
    expect(plan.owes('report_progress')).toBe(false)
    expect(report(plan.resume())).toBe('3 tasks completed')
  })

  test('under a new effect key each time', () => {
    const plan = PlayedPlan.begun(many).pass(30 * MINUTE)
    const first = plan.effect('report_progress').key
    report(plan)
    expect(plan.pass(30 * MINUTE).effect('report_progress').key).not.toBe(first)
  })
})

describe('pausing', () => {
  test('lets workers finish and proves their work, and starts nothing new', () => {
    const plan = PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })])
      .started('1')
      .pause()
    expect(plan.task('1').live?.step).toBe('working')
    plan.complete('1')
    expect([plan.step('1'), plan.step('2'), plan.keys()]).toEqual(['completed', 'ready', []])
    expect(plan.resume().step('2')).toBe('launching')
  })

  test('defers the next move of failed tasks', () => {
    const plan = PlayedPlan.begun([low('1')])
      .started('1')
      .pause()
      .work('1')
      .gates('1', { failed: ['unit'] })
    expect([plan.step('1'), plan.owed().decision]).toEqual(['deciding', null])
    expect(plan.resume().last('task.dispatched').reason).toBe('fix')
  })

  test('at once condemns every worker, and stops it for that reason', () => {
    const plan = PlayedPlan.begun([low('1'), low('2')])
      .started('1')
      .pause('stop workers')
    expect(plan.all('worker.condemned').map(({ task, cause }) => [task, cause])).toEqual([
      ['1', 'paused'],
      ['2', 'paused'],
    ])
    expect(plan.effect('stop_worker', '1').cause).toBe('paused')
  })

  test('opens no new items until it is over', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { approval: 'each_task' } })
      .started('1')
      .pause()
    plan.work('1').gates('1')
    expect([plan.step('1'), plan.state.inbox.size]).toEqual(['awaiting_person', 0])
    expect(plan.resume().item().kind).toBe('approval')
  })
})

describe('cancelling', () => {
  test('stops every worker, saves its work, and then does nothing more', () => {
    const plan = PlayedPlan.begun([low('1'), normal('2')])
      .started('2')
      .cancel()
    expect(plan.effect('stop_worker', '2').cause).toBe('cancelled')
    plan.ended('2', { end: { kind: 'stopped', cause: 'cancelled' } }).collected('2')
    expect(plan.pass(24 * HOUR).owed()).toEqual({ decision: null, effects: [], wakeAt: null })
    expect(plan.step('1')).toBe('ready')
  })

  test('stops reviewers too', () => {
    const plan = PlayedPlan.begun([normal('1')])
      .work('1')
      .gates('1')
      .started('1')
      .cancel()
    expect(plan.effect('stop_worker', '1')).toMatchObject({ role: 'reviewer', cause: 'cancelled' })
    plan.ended('1', { end: { kind: 'stopped', cause: 'cancelled' } })
    expect(plan.pass(HOUR).owed().effects).toEqual([])
  })

  test.each(['gating', 'committing'])('leaves a task that is %s as it is', (step) => {
    const plan = PlayedPlan.begun([low('1')]).work('1')
    if (step === 'committing') plan.gates('1')
    expect(plan.cancel().owed().effects).toEqual([])
    expect(plan.step('1')).toBe(step)
  })
})
