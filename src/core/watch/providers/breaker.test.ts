import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE, normal } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { NOT_STARTED } from '../../delivery/not-started.ts'
import { outcomeOf } from '../../decide/outcome.ts'
import { standing } from '../../decide/standing.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR, maxParallelAgents: 3 } }
const TWENTY = Array.from({ length: 20 }, (_, place) => `${place + 1}`)
const died = (reason = 'it exited with code 1; last output: no such model') =>
  ({ end: { kind: 'failed', reason }, report: null }) as const
const sent = (plan: PlayedPlan): number => plan.all('task.dispatched').length
const opened = () => {
  const plan = PlayedPlan.begun(
    TWENTY.map((id) => low(id)),
    QUIET,
  )
  return plan.work('1', died()).work('2', died()).work('3', died())
}
const atWork = (plan: PlayedPlan): string =>
  [...plan.state.active].find(({ live }) => live !== null)?.spec.id ?? 'none'

test('three tasks that fail with the same error open one question, and no further worker starts', () => {
  const plan = opened().pass(4 * MINUTE)
  expect([sent(plan), plan.state.inbox.size]).toEqual([3, 1])
  expect(plan.item()).toMatchObject({ subject: 'breaker', blocking: true, task: null })
  expect(plan.item().problem).toContain('3 times, tasks 1, 2, 3')
  expect(plan.item().problem).toContain('no such model')
  expect(standing(plan.state).state).toBe('waiting')
  expect(outcomeOf(plan.state, plan.now)).toBe('needs_person')
})

test('an agent that always dies makes three attempts before the one question, and no second one', () => {
  const plan = opened()
  for (let hour = 0; hour < 24; hour++) {
    plan.pass(HOUR)
    while (atWork(plan) !== 'none') plan.work(atWork(plan), died())
  }
  expect(plan.all('inbox.opened')).toHaveLength(1)
  expect(plan.state.counts.escalated).toBe(0)
})

test('where tasks run one after the other, the question about the first is taken back for the one about all', () => {
  const plan = PlayedPlan.begun(
    ['1', '2', '3'].map((id) => normal(id)),
    QUIET,
  )
  plan.work('1', died()).pass(MINUTE).work('1', died()).pass(MINUTE).work('1', died())
  expect(plan.item()).toMatchObject({ subject: 'task', task: '1' })
  plan.work('2', died())
  expect(sent(plan)).toBe(4)
  expect([...plan.state.inbox.values()].map(({ item }) => item.subject)).toEqual(['breaker'])
  expect(plan.step('1')).toBe('ready')
})

test('different errors, or a success in between, are not a common cause', () => {
  const tasks = ['1', '2', '3', '4'].map((id) => low(id))
  const mixed = PlayedPlan.begun(tasks, QUIET).work('1', died()).work('2', died('it ran out of memory'))
  expect(mixed.work('3', died()).state.breaker).toBeNull()
  const four = { settings: { ...QUIET.settings, maxParallelAgents: 4 } }
  const between = PlayedPlan.begun(tasks, four).work('1', died()).work('2', died()).ended('3')
  expect(between.collected('3').work('4', died()).state.breaker).toBeNull()
})

test('a stop by Bosun does not count as a failure', () => {
  const plan = PlayedPlan.begun(
    ['1', '2', '3'].map((id) => low(id)),
    QUIET,
  )
  for (const id of ['1', '2', '3'])
    plan.work(id, { end: { kind: 'stopped', cause: 'stalled' }, report: null })
  expect(plan.state.breaker).toBeNull()
})

describe('a probe', () => {
  test('after 5, 10, 20 … min, without using up attempts', () => {
    const plan = opened()
    const times: number[] = []
    for (let minute = 1; minute <= 200; minute++) {
      plan.pass(MINUTE)
      if (atWork(plan) === 'none') continue
      times.push(minute)
      plan.work(atWork(plan), died())
    }
    expect(times).toEqual([5, 15, 35, 75, 135, 195])
    expect(plan.task('1').counters.restarts).toBe(0)
  })

  test('that succeeds closes the breaker and withdraws the question', () => {
    const plan = opened().pass(5 * MINUTE)
    plan.ended(atWork(plan))
    expect([plan.state.inbox.size, plan.state.breaker]).toEqual([0, null])
    plan.pass(MINUTE)
    expect([...plan.state.active].filter(({ live }) => live !== null)).toHaveLength(3)
  })
})

test('a person\u2019s retry closes it and gives the tasks all their tries back', () => {
  const tasks = ['1', '2', '3'].map((id) => low(id))
  const plan = PlayedPlan.begun(tasks, QUIET).work('1', died('alone')).pass(MINUTE)
  plan.work('1', died()).work('2', died()).work('3', died())
  expect(plan.task('1').counters.restarts).toBe(1)
  plan.answer('retry').pass(MINUTE)
  expect(plan.state.breaker).toBeNull()
  expect(
    plan
      .all('task.dispatched')
      .slice(-3)
      .map(({ reason }) => reason),
  ).toEqual(['restart', 'restart', 'restart'])
  expect(plan.task('1').counters.restarts).toBe(1)
})

test('an agent that cannot be started is still reported as such', () => {
  const tasks = ['1', '2', '3'].map((id) => low(id))
  const plan = PlayedPlan.begun(tasks, QUIET)
  for (const id of ['1', '2', '3']) plan.work(id, died(`${NOT_STARTED}no such file`))
  expect(outcomeOf(plan.state, plan.now)).toBe('no_agent')
})

test('reviewers that fail with the same error open it as well', () => {
  const tasks = ['1', '2', '3'].map((id) => low(id))
  const settings = { ...QUIET.settings, parallelTiers: ['low', 'normal'] as ('low' | 'normal')[] }
  const plan = PlayedPlan.begun(
    tasks.map((task) => ({ ...task, tier: 'normal' })),
    { settings },
  )
  for (const id of ['1', '2', '3']) plan.work(id).gates(id)
  for (const id of ['1', '2', '3']) plan.started(id).ended(id, died())
  expect([...plan.state.inbox.values()].map(({ item }) => item.subject)).toEqual(['breaker'])
  expect(plan.pass(4 * MINUTE).task('1').live).toBeNull()
})
