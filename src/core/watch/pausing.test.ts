import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import type { Message } from '../event-schemas/watch.ts'
import { deliveryEvents } from './pausing.ts'

const ABOUT = { worker: 'w-shop-1-1', task: '1', attempt: 1 }
const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }

const working = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: HOUR })], QUIET)
    .started('1')
    .lives('1')

function liveOf(plan: PlayedPlan) {
  const { live } = plan.task('1')
  if (live === null) throw new Error('there is no worker')
  return live
}

function instruct(plan: PlayedPlan, instruction?: Message['instruction']): PlayedPlan {
  const id = liveOf(plan).watch.messages + 1
  const message = { id, kind: 'instruction', text: 'words', about: `i ${id}`, by: 'ada' } as const
  const typed = instruction === undefined ? message : { ...message, instruction }
  plan.tell({ type: 'worker.told', v: 1, ...ABOUT, message: typed, why: 'by ada' })
  return plan
}

function deliver(plan: PlayedPlan): PlayedPlan {
  const live = liveOf(plan)
  const messages = live.watch.waiting.map(({ id }) => id)
  for (const event of deliveryEvents('1', live, { messages, via: 'session' })) plan.tell(event)
  return plan
}

const types = (plan: PlayedPlan): string[] =>
  [...plan.all('worker.paused'), ...plan.all('worker.resumed')].map(({ type }) => type)

describe('a pause', () => {
  test('begins when the worker has the instruction, not when it is sent', () => {
    const plan = instruct(working(), 'pause')
    expect(liveOf(plan).watch.pause).toBeNull()
    expect(liveOf(deliver(plan)).watch.pause).toMatchObject({ by: 'ada' })
  })

  test('holds the clocks of silence and of the time limit until the worker goes on', () => {
    const plan = deliver(
      instruct(
        working()
          .pass(10 * MINUTE)
          .lives('1'),
        'pause',
      ),
    )
    for (let hour = 0; hour < 5; hour++) plan.pass(HOUR)
    expect([plan.step('1'), liveOf(plan).watch.health, plan.all('inbox.opened')]).toEqual([
      'working',
      'healthy',
      [],
    ])
    deliver(instruct(plan, 'continue'))
    expect(liveOf(plan).watch.heldMs).toBe(5 * HOUR)
    for (let minute = 0; minute < 55; minute++) plan.lives('1').pass(MINUTE)
    expect(plan.step('1')).toBe('working')
    plan.lives('1').pass(MINUTE)
    expect(plan.last('worker.condemned').cause).toBe('time_limit')
  })

  test('has the supervisor hold its own clock, and let it run again', () => {
    const plan = deliver(instruct(working(), 'pause'))
    expect(plan.effect('hold_worker').isHeld).toBe(true)
    plan.tell({ type: 'worker.clock_set', v: 1, ...ABOUT, isHeld: true })
    expect(plan.keys()).not.toContain('hold w-shop-1-1 true 0')
    deliver(instruct(plan.pass(MINUTE), 'revise'))
    expect(plan.effect('hold_worker').isHeld).toBe(false)
  })

  test.each(['continue', 'revise', 'abort', 'expand_scope', 'reduce_scope', undefined] as const)(
    'ends with the next instruction: %s',
    (type) => {
      const plan = deliver(instruct(deliver(instruct(working(), 'pause')), type))
      expect([liveOf(plan).watch.pause, types(plan)]).toEqual([null, ['worker.paused', 'worker.resumed']])
    },
  )

  test('does not begin where the worker got the next instruction along with it', () => {
    expect(types(deliver(instruct(instruct(working(), 'pause'), 'continue')))).toEqual([])
  })

  test('is not begun twice', () => {
    const plan = deliver(instruct(deliver(instruct(working(), 'pause')), 'pause'))
    expect(types(plan)).toEqual(['worker.paused'])
  })

  test('moves along with the clock', () => {
    const plan = deliver(instruct(working(), 'pause'))
    const since = liveOf(plan).watch.pause?.since ?? 0
    plan.tell({ type: 'clock.jumped', v: 1, byMs: HOUR })
    expect(liveOf(plan).watch.pause?.since).toBe(since + HOUR)
  })
})
