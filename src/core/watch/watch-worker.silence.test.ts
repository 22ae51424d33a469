/** The silence ladder: from the nudge to the alert to the stop. */
import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { hears, messagesTo, PlayedPlan } from '../../../test/helpers/played-plan.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }
const working = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: 10 * HOUR })], QUIET).started('1')
const health = (plan: PlayedPlan): string | undefined => plan.task('1').live?.watch.health

describe('a worker that falls silent after it had lived', () => {
  const silent = (ms: number): PlayedPlan => working().pass(MINUTE).lives('1').pass(ms)

  test('is spoken to after five minutes, and not before', () => {
    expect(messagesTo(silent(5 * MINUTE - 1))).toEqual([])
    const { message, why } = silent(5 * MINUTE).last('worker.told')
    expect(message.kind).toBe('nudge')
    expect(why).toBe(
      'quiet for 5m, which counts as late after 15m: no output for 5m, CPU idle, no file changed, no tool running, no check-in',
    )
  })

  test('counts as stalled, and a person is alerted, one minute after a nudge that it has had no effect', () => {
    const plan = hears(silent(5 * MINUTE)).pass(MINUTE - 1)
    expect([health(plan), plan.all('inbox.opened')]).toEqual(['healthy', []])
    plan.pass(1)
    expect(health(plan)).toBe('stalled')
    const { item } = plan.last('inbox.opened')
    expect(item).toMatchObject({ subject: 'worker', about: 'w-shop-1-1', blocking: false })
    expect(item.problem).toContain('; a nudge had no effect')
    expect(item.options.map(({ key }) => key)).toEqual(['extend', 'nudge', 'restart', 'kill'])
  })

  test('counts as stalled after 20 min where no nudge could be delivered, and a person is alerted at 22', () => {
    const plan = silent(5 * MINUTE).pass(15 * MINUTE - 1)
    expect(health(plan)).toBe('late')
    plan.pass(1)
    expect([health(plan), plan.all('inbox.opened')]).toEqual(['stalled', []])
    expect(plan.last('worker.judged').why).toContain('; a nudge could not be delivered yet')
    plan.pass(2 * MINUTE - 1)
    expect(plan.all('inbox.opened')).toEqual([])
    expect(plan.pass(1).last('inbox.opened').item.problem).toContain('no output for 22m')
  })

  test('is reminded at 15 min, its turn is started again at 25, and it is replaced at 30 with what it had done', () => {
    const plan = silent(5 * MINUTE)
    const sentAt: Record<string, number> = {}
    for (let minute = 5; minute < 30; minute++) {
      for (const about of messagesTo(plan)) sentAt[about] ??= minute
      expect(plan.step('1')).toBe('working')
      plan.pass(MINUTE)
    }
    expect(sentAt).toEqual({ nudge: 5, reminder: 15, restart: 25 })
    expect(plan.all('worker.told').at(-1)?.message).toMatchObject({ kind: 'restart' })
    expect(plan.last('worker.condemned')).toMatchObject({ cause: 'stalled' })
    expect(plan.all('inbox.opened')).toHaveLength(1)
    expect(plan.last('inbox.withdrawn').why).toContain('stopped')
  })

  test('keeps running where a person answered, and the steps begin again from the answer', () => {
    const plan = silent(5 * MINUTE)
      .pass(17 * MINUTE)
      .answer('nudge', { feedback: 'go on' })
    plan.pass(24 * MINUTE)
    expect([plan.step('1'), messagesTo(plan).includes('restart')]).toEqual(['working', false])
  })

  test('is escalated before it is stopped, even if both are due at once', () => {
    const plan = silent(HOUR).pass(MINUTE)
    const types = plan.events.map(({ type }) => type)
    expect(types.indexOf('inbox.opened')).toBeLessThan(types.indexOf('worker.condemned'))
    expect(plan.step('1')).toBe('stopping')
  })

  test('is healthy again with any sign of life, and the alert is withdrawn', () => {
    const plan = hears(silent(5 * MINUTE))
      .pass(2 * MINUTE)
      .lives('1', 'cpu')
    expect(health(plan)).toBe('healthy')
    expect(plan.state.inbox.size).toBe(0)
    expect(plan.pass(5 * MINUTE).all('worker.told')).toHaveLength(2)
  })

  test('shows life by a check-in as well', () => {
    const plan = silent(4 * MINUTE).checkin('1')
    expect(messagesTo(plan.pass(5 * MINUTE - 1))).toEqual([])
  })
})

test('a worker that shows life at the very moment of a nudge has answered it', () => {
  const plan = working()
    .lives('1')
    .pass(5 * MINUTE)
  expect(messagesTo(plan)).toEqual(['nudge'])
  plan.lives('1').pass(5 * MINUTE)
  expect([health(plan), messagesTo(plan)]).toEqual(['healthy', ['nudge', 'nudge']])
})

describe('a worker without any sign of life', () => {
  test('is late after 15 min, escalated at 20, stalled at 30 and killed at 40 as a zombie', () => {
    const plan = working()
    const at: Record<string, number> = {}
    for (let minute = 1; minute <= 40; minute++) {
      plan.pass(MINUTE)
      for (const { health } of plan.all('worker.judged')) at[health] ??= minute
      if (plan.all('inbox.opened').length > 0) at['escalated'] ??= minute
      if (plan.all('worker.condemned').length > 0) at['killed'] ??= minute
    }
    expect(at).toEqual({ late: 15, escalated: 20, stalled: 30, zombie: 40, killed: 40 })
    expect(plan.all('inbox.opened')).toHaveLength(1)
    expect(messagesTo(plan)).toEqual(['nudge', 'reminder'])
    expect(plan.last('worker.condemned')).toMatchObject({ cause: 'zombie' })
    expect(plan.last('worker.condemned').why).toContain('No check-ins received')
  })

  test('is escalated after 6 min where a nudge that it was given had no effect', () => {
    const plan = hears(working().pass(5 * MINUTE)).pass(MINUTE)
    expect([health(plan), plan.all('inbox.opened').length]).toEqual(['stalled', 1])
  })

  test('is neither killed nor reported for a first answer of its model after 8 min', () => {
    const plan = working()
    for (let minute = 0; minute < 8; minute++) plan.pass(MINUTE)
    plan.lives('1').pass(MINUTE)
    expect([plan.all('inbox.opened'), plan.all('worker.condemned'), plan.all('worker.judged')]).toEqual([
      [],
      [],
      [],
    ])
    expect(health(plan)).toBe('healthy')
  })
})
