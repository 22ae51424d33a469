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

  test('counts as stalled after 20 min where no nudge could be delivered, and not before', () => {
    const plan = silent(5 * MINUTE).pass(15 * MINUTE - 1)
    expect([health(plan), plan.all('inbox.opened')]).toEqual(['late', []])
    plan.pass(1)
    expect(health(plan)).toBe('stalled')
    expect(plan.last('inbox.opened').item.problem).toContain('; a nudge could not be delivered yet')
  })

  test('is reminded at 15 min, spoken to again at 25, and stopped at 26 with what it had done', () => {
    const plan = silent(5 * MINUTE)
    for (let minute = 5; minute < 26; minute++) {
      expect(plan.step('1')).toBe('working')
      plan.pass(MINUTE)
    }
    expect(messagesTo(plan)).toEqual(['nudge', 'reminder', 'last nudge'])
    expect(plan.last('worker.condemned')).toMatchObject({ cause: 'stalled' })
    expect(plan.all('inbox.opened')).toHaveLength(1)
    expect(plan.last('inbox.withdrawn').why).toContain('stopped')
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
  test('is nudged and escalated like any other, and killed after 40 min as a zombie', () => {
    const plan = working().pass(5 * MINUTE)
    expect(messagesTo(plan)).toEqual(['nudge'])
    expect(plan.pass(MINUTE).all('inbox.opened')).toEqual([])
    expect(plan.pass(14 * MINUTE).all('inbox.opened')).toHaveLength(1)
    plan.pass(20 * MINUTE - 1)
    expect(plan.step('1')).toBe('working')
    plan.pass(1)
    expect(plan.last('worker.condemned')).toMatchObject({ cause: 'zombie' })
    expect(plan.last('worker.condemned').why).toContain('No check-ins received')
    expect(plan.all('worker.judged').map((event) => event.health)).toEqual(['stalled', 'zombie'])
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
