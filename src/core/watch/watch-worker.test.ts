import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import type { Message } from '../event-schemas/watch.ts'
import { rendered } from '../events/activity.ts'
import { activityOf } from '../events/rendering.ts'
import { defaultPlanSettings } from '../settings/plan-settings.ts'
import { hears, messagesTo, PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { watchRules } from './rules.ts'

const SECOND = 1000
const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }
const working = (budgetMs = 10 * HOUR): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: budgetMs })], QUIET).started('1')
const WATCH = watchRules(defaultPlanSettings())
const health = (plan: PlayedPlan): string | undefined => plan.task('1').live?.watch.health

test('a worker that showed life before this daemon started is restarted after its silence and is not a zombie', () => {
  const plan = working()
    .observe('1', { hasLived: true })
    .pass(5 * MINUTE)
    .pass(MINUTE)
    .pass(24 * MINUTE)
  expect(plan.last('worker.condemned')).toMatchObject({ cause: 'stalled' })
})

describe('a tool call in flight', () => {
  const building = (since: number): PlayedPlan => {
    const plan = working()
    return plan.observe('1', { tools: new Map([['b', { name: 'npm run build', since: plan.now + since }]]) })
  }

  test('stops the silence clock for two hours, and brings a warning after 30 min', () => {
    const plan = building(0).pass(30 * MINUTE)
    expect(messagesTo(plan)).toEqual(['tool b'])
    plan.pass(90 * MINUTE)
    expect([health(plan), messagesTo(plan)]).toEqual(['healthy', ['tool b']])
  })

  test('counts no longer after that, and the silence clock starts', () => {
    const plan = building(0).pass(2 * HOUR)
    expect(messagesTo(plan.pass(5 * MINUTE))).toEqual(['tool b', 'nudge'])
    expect(plan.pass(24 * MINUTE).step('1')).toBe('working')
    expect(plan.pass(MINUTE).last('worker.condemned').why).toContain('npm run build running for 2h 30m')
  })
})

describe('a claim of a worker', () => {
  test('of the same percentage for half an hour is no progress: the worker is nudged and a person alerted', () => {
    const plan = working()
    for (let minute = 0; minute <= 30; minute += 3) plan.checkin('1').pass(minute < 30 ? 3 * MINUTE : 0)
    expect(messagesTo(plan)).toEqual(['progress 40'])
    expect(plan.last('worker.judged')).toMatchObject({
      health: 'stalled',
      why: 'no progress: at 40 % for 30m',
    })
    expect(plan.item().subject).toBe('worker')
    for (let minute = 0; minute < 120; minute += 3) plan.checkin('1').pass(3 * MINUTE)
    expect([plan.step('1'), plan.all('inbox.opened').length]).toEqual(['working', 1])
    expect(health(plan.checkin('1', { percent: 45 }))).toBe('healthy')
    expect(plan.state.inbox.size).toBe(0)
  })

  test('that it is blocked is escalated at once', () => {
    const plan = working().checkin('1', { status: 'blocked', issues: ['no schema'] })
    expect(plan.item().problem).toContain('it says that it is blocked: no schema')
  })

  test('of completion followed by silence stops it, and its work goes to the gates', () => {
    const plan = working().checkin('1', { status: 'completed', percent: 100 })
    plan.pass(30 * SECOND - 1)
    expect(plan.step('1')).toBe('working')
    expect(plan.pass(1).last('worker.condemned').cause).toBe('finished')
    plan.ended('1', { end: { kind: 'stopped', cause: 'finished' } }).collected('1')
    expect([plan.step('1'), plan.task('1').counters.restarts]).toEqual(['gating', 0])
  })

  test('is not needed when its report is there: it is stopped a while after its last sign of life', () => {
    const plan = working()
    plan
      .observe('1', { reportedAt: plan.now })
      .pass(20 * SECOND)
      .lives('1')
      .pass(30 * SECOND - 1)
    expect(plan.step('1')).toBe('working')
    expect(plan.pass(1).last('worker.condemned').cause).toBe('finished')
  })

  test.each([
    [true, 'lost', 'deciding'],
    [false, 'blocked', 'escalated'],
  ])('of failure stops it, and says whether a retry makes sense: %s', (canRetry, kind, step) => {
    const failure = { reason: 'the API is gone', canRetry }
    const plan = working()
      .checkin('1', { status: 'failed', failure })
      .pass(30 * SECOND)
    const { cause } = plan.last('worker.condemned')
    plan.ended('1', { end: { kind: 'stopped', cause }, report: null }).collected('1')
    expect(plan.task('1').cause).toMatchObject({ kind, reason: expect.stringContaining('the API is gone') })
    expect(plan.step('1')).toBe(step)
  })

  test('of progress is handed to its successor as a checkpoint', () => {
    const plan = working().checkin('1', { percent: 60, step: 'tests', nextStep: 'docs' })
    plan.pass(5 * MINUTE).pass(25 * MINUTE)
    plan
      .ended('1', { end: { kind: 'stopped', cause: 'stalled' }, report: null })
      .collected('1')
      .pass(MINUTE)
    const { context } = plan.effect('start_worker')
    expect(context).toMatchObject({ checkpoint: '60 %; tests; next: docs', isLastTry: false })
  })
})

describe('a time limit', () => {
  const busy = (minutes: number, plan = working(HOUR)): PlayedPlan => {
    for (let minute = 0; minute < minutes; minute++) plan.lives('1').pass(MINUTE)
    return plan
  }

  test('brings warnings at 50, 75 and 90 percent, once each, and stops the worker at 110', () => {
    const plan = busy(65)
    expect(messagesTo(plan)).toEqual(['limit 50 of 3600000', 'limit 75 of 3600000', 'limit 90 of 3600000'])
    expect(plan.last('worker.judged').health).toBe('timeout_warning')
    expect(plan.item().problem).toContain('it has used its 1h and will be stopped at 1h 6m')
    expect(busy(1, plan).last('worker.condemned').cause).toBe('time_limit')
  })

  test('is escalated before it stops the worker, whatever was escalated and answered before', () => {
    const plan = working(HOUR)
    const stuck = (minutes: number): void => {
      for (let minute = 0; minute < minutes; minute += 3) plan.checkin('1').pass(3 * MINUTE)
    }
    stuck(33)
    expect(plan.item().problem).toContain('no progress: at 40 %')
    plan.answer('nudge')
    stuck(30)
    expect(plan.item().problem).toContain('it has used its 1h')
    stuck(3)
    expect(plan.last('worker.condemned').cause).toBe('time_limit')
  })

  test('can be extended by a person, and the supervisor gets the new limit first', () => {
    const plan = busy(61).answer('extend', { feedback: '45 min' })
    const { limitMs, extraMs } = plan.effect('extend_worker')
    expect([limitMs, extraMs]).toEqual([105 * MINUTE, 45 * MINUTE])
    const about = { worker: 'w-shop-1-1', task: '1', attempt: 1 }
    plan.tell({ type: 'worker.extended', v: 1, ...about, extraMs, why: 'asked' })
    expect(busy(54, plan).step('1')).toBe('working')
    expect(busy(1, plan).last('worker.condemned').cause).toBe('time_limit')
  })
})

describe('a message to a worker', () => {
  const texts = (plan: PlayedPlan): string[] => plan.all('worker.told').map(({ message }) => message.text)

  test('names how long it has before it is replaced, and never 0 s, however short its times are', () => {
    const settings = { ...QUIET.settings, stalledMs: 2000, watch: { ...WATCH, silenceMs: 400 } }
    const plan = PlayedPlan.begun([low('1', { timeBudgetMs: HOUR })], { settings }).started('1')
    plan.pass(100).lives('1')
    for (let tenth = 0; tenth < 40 && plan.step('1') === 'working'; tenth++) plan.pass(100)
    expect(plan.last('worker.condemned').cause).toBe('stalled')
    expect(texts(plan).join('\n')).toContain('you will be replaced in 1s')
    expect(texts(plan).join('\n')).not.toMatch(/\b0s/)
  })

  test('says which part of its time limit is used, and what is left', () => {
    const plan = working(HOUR)
    for (let minute = 0; minute < 30; minute++) plan.lives('1').pass(MINUTE)
    expect(texts(plan)).toEqual([
      '50 % of your time limit is used: 30m of 1h left. If you need more, ask for it and say why.',
    ])
  })

  test('says that the limit is used up where it comes late, and when it ends', () => {
    const plan = working(HOUR).lives('1')
    plan.pass(61 * MINUTE).lives('1')
    expect(texts(plan).at(-1)).toBe(
      'Your time limit of 1h is used up: you will be replaced in 5m. If you need more, ask for it and say why.',
    )
  })
})

describe('an alerted person', () => {
  const alerted = (): PlayedPlan =>
    hears(
      working()
        .lives('1')
        .pass(5 * MINUTE),
    ).pass(MINUTE)

  test('can have it restarted at once, which costs no attempt', () => {
    const plan = alerted().answer('restart')
    expect(plan.effect('stop_worker').cause).toBe('restarted')
    plan.ended('1', { end: { kind: 'stopped', cause: 'restarted' }, report: null }).collected('1')
    expect([plan.step('1'), plan.task('1').counters.restarts]).toEqual(['launching', 0])
  })

  test('can kill it', () => {
    expect(alerted().answer('kill').effect('stop_worker').cause).toBe('killed')
  })

  test('can message it, and its silence clock starts again', () => {
    const plan = alerted().answer('nudge', { feedback: 'use the other schema' })
    const { waiting } = plan.task('1').live?.watch ?? { waiting: [] }
    expect(waiting.at(-1)).toMatchObject({ text: 'use the other schema', by: 'ada' })
    plan.pass(24 * MINUTE)
    expect(plan.step('1')).toBe('working')
  })
})

test('every message to a worker is owed in order until it received it', () => {
  const plan = working()
    .lives('1')
    .pass(5 * MINUTE)
    .pass(10 * MINUTE)
  const told = (): readonly number[] =>
    plan.owed().effects.flatMap((effect) => (effect.kind === 'tell_worker' ? [effect.message.id] : []))
  expect(told()).toEqual([1, 2])
  const about = { worker: 'w-shop-1-1', task: '1', attempt: 1 }
  plan.tell({ type: 'worker.heard', v: 1, ...about, messages: [1], via: 'checkin' })
  expect(told()).toEqual([2])
})

test('a nudge that waits for the next turn stays owed beside what comes after it', () => {
  const plan = working().lives('1')
  const about = { worker: 'w-shop-1-1', task: '1', attempt: 1 }
  const send = (id: number, kind: Message['kind']): void => {
    const message = { id, kind, text: 'x', about: kind, by: 'ann' }
    plan.tell({ type: 'worker.told', v: 1, ...about, message, why: 'x' })
  }
  send(1, 'nudge')
  const [nudge] = plan.keys()
  send(2, 'instruction')
  plan.tell({ type: 'time.granted', v: 1, ...about, minutes: 30, by: 'ann' })
  // What is no longer owed is taken back from the agent.
  expect(plan.keys()).toEqual(expect.arrayContaining([nudge, 'tell w-shop-1-1 2']))
  expect(plan.keys().filter((key) => key.startsWith('tell '))).toHaveLength(3)
})

test('in monitor mode every intervention is noted once instead of done', () => {
  const { watch } = defaultPlanSettings()
  const plan = PlayedPlan.begun([low('1', { timeBudgetMs: 10 * HOUR })], {
    settings: { ...QUIET.settings, watch: { ...watch, mode: 'monitor' } },
  }).started('1')
  plan.lives('1')
  for (let minute = 0; minute < 60; minute++) plan.pass(MINUTE)
  const would = plan.all('watch.would').map(({ what }) => what)
  expect(would).toEqual(['nudge', 'remind', 'escalate', 'restart', 'restart'])
  expect([plan.step('1'), plan.all('worker.told'), plan.all('inbox.opened')]).toEqual(['working', [], []])
})

test('a worker that repeats the same call is stopped', () => {
  const plan = working().observe('1', { repeated: { key: 'k', call: 'bash npm test', times: 8 } })
  expect(plan.last('worker.condemned').cause).toBe('looping')
})

describe('a worker that was paused with its supervisor for an hour', () => {
  const paused = (): PlayedPlan => {
    const plan = liveFor(working(60 * MINUTE), 20)
    plan.now += HOUR
    return plan.observe('1', { pausedMs: HOUR, resumedAt: plan.now })
  }
  const liveFor = (plan: PlayedPlan, minutes: number): PlayedPlan => {
    for (let minute = 0; minute < minutes; minute++) plan.pass(MINUTE).lives('1')
    return plan
  }

  test('is neither warned nor stopped for the pause, and its silence counts from its end', () => {
    const plan = paused().pass(4 * MINUTE)
    expect([messagesTo(plan), plan.all('worker.condemned'), plan.all('inbox.opened')]).toEqual([[], [], []])
    expect(plan.owed().wakeAt).toBe(plan.now + MINUTE)
  })

  test('is warned, escalated and stopped when it has used its own time', () => {
    const plan = liveFor(paused(), 45)
    expect(messagesTo(plan)).toEqual([50, 75, 90].map((percent) => `limit ${percent} of ${HOUR}`))
    expect(plan.step('1')).toBe('working')
    liveFor(plan, 1)
    expect(plan.step('1')).toBe('stopping')
    expect(plan.last('worker.condemned').cause).toBe('time_limit')
  })
})

test('a worker that had reported before a pause gets the full time to exit after it', () => {
  const plan = working(60 * MINUTE).pass(MINUTE)
  plan.observe('1', { reportedAt: plan.now })
  plan.now += HOUR
  plan.observe('1', { pausedMs: HOUR, resumedAt: plan.now }).pass(29 * SECOND)
  expect(plan.step('1')).toBe('working')
  plan.pass(SECOND)
  expect(plan.last('worker.condemned').cause).toBe('finished')
})

describe('a worker that never checks in', () => {
  const missed = (plan: PlayedPlan): number => plan.all('checkin.missed').length

  test('is noted once after `first_checkin`, without consequences while it shows life', () => {
    const plan = working()
    for (let minute = 1; minute <= 60; minute++) plan.pass(MINUTE).lives('1')
    expect(plan.last('checkin.missed')).toMatchObject({ worker: 'w-shop-1-1' })
    expect(plan.last('checkin.missed').why).toBe('none within 5m; output 1m ago')
    expect([missed(plan), messagesTo(plan), plan.step('1'), health(plan)]).toEqual([
      1,
      [],
      'working',
      'healthy',
    ])
  })

  test('is noted exactly at that time', () => {
    const plan = working()
      .pass(4 * MINUTE)
      .lives('1')
    expect(plan.owed().wakeAt).toBe(plan.now + MINUTE)
    expect(missed(plan.pass(MINUTE - 1))).toBe(0)
    expect(missed(plan.pass(1))).toBe(1)
  })

  test('is noted after the configured time', () => {
    const { watch } = defaultPlanSettings()
    const settings = { ...QUIET.settings, watch: { ...watch, firstCheckinMs: MINUTE } }
    const plan = PlayedPlan.begun([low('1')], { settings }).started('1')
    expect([missed(plan.pass(MINUTE - 1)), missed(plan.pass(1))]).toEqual([0, 1])
  })

  test('is noted in the activity log as missing_checkin', () => {
    const plan = working().pass(5 * MINUTE)
    const [line] = activityOf(rendered({ version: 9, event: plan.last('checkin.missed') }))
    expect(line).toMatchObject({ event: 'missing_checkin', worker: 'w-shop-1-1', task: '1' })
  })

  test('is not noted once it has checked in, even without a token', () => {
    expect(missed(working().pass(MINUTE).checkin('1').pass(HOUR))).toBe(0)
    const plan = working().pass(MINUTE)
    expect(missed(plan.observe('1', { contactAt: plan.now }).pass(10 * MINUTE))).toBe(0)
  })
})
