import { describe, expect, test } from 'vitest'
import { aReport, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { outcomeOf } from '../decide/outcome.ts'
import { standing } from '../decide/standing.ts'

const NONE = { planUsd: null, taskUsd: null, planTokens: null, taskTokens: null }
const begun = (budgets: Partial<typeof NONE> | Record<string, number>, tasks = [low('1'), low('2')]) =>
  PlayedPlan.begun(tasks, { settings: { maxParallelAgents: 1, budgets: { ...NONE, ...budgets } } })

const used = (plan: PlayedPlan, id: string, tokens: number, usd = 0): PlayedPlan => {
  const { live } = plan.task(id)
  if (live === null) throw new Error(`task ${id} has no worker`)
  const { worker, attempt } = live
  return plan.tell({ type: 'worker.used', v: 1, worker, task: id, attempt, tokens, usd })
}
const costing = (tokens: number) => ({
  report: aReport({ usage: { tokensIn: tokens, tokensOut: 0, usd: null } }),
})
/** Completes a task whose worker reports its usage. */
const complete = (plan: PlayedPlan, id: string, tokens: number): PlayedPlan =>
  plan.started(id).work(id, costing(tokens)).gates(id).commit(id)

describe('a worker that uses more than its task may', () => {
  const stopped = (): PlayedPlan => used(begun({ taskTokens: 1000 }, [low('1')]).started('1'), '1', 1001)

  test('is stopped, and not before', () => {
    const plan = used(begun({ taskTokens: 1000 }).started('1'), '1', 1000)
    expect(plan.step('1')).toBe('working')
    expect(used(plan, '1', 1001).effect('stop_worker')).toMatchObject({ cause: 'budget' })
  })

  test('is not sent again by itself: a person is asked', () => {
    const plan = stopped().ended('1', { end: { kind: 'stopped', cause: 'budget' }, report: null })
    expect(plan.collected('1').step('1')).toBe('escalated')
    const { problem, options } = plan.last('inbox.opened').item
    expect(problem).toContain('1,001 tokens')
    expect(options.map(({ key }) => key)).toEqual(['retry', 'revise', 'reject'])
    expect(plan.task('1').counters.restarts).toBe(0)
  })

  test('has as much again once a person lets it go on', () => {
    const plan = stopped().ended('1', { end: { kind: 'stopped', cause: 'budget' }, report: null })
    plan.collected('1').answer('retry')
    expect(used(plan.started('1'), '1', 900).step('1')).toBe('working')
    expect(used(plan, '1', 1100).owes('stop_worker')).toBe(true)
    expect(plan.state.spending.total.tokens).toBe(2101)
  })

  test('cannot reduce its reported usage', () => {
    expect(used(stopped(), '1', 10).state.spending.total.tokens).toBe(1001)
  })
})

describe('a worker that starts', () => {
  test.each([
    ['its task has less', { planTokens: 1500, taskTokens: 700 }, { tokens: 700, usd: null }],
    ['the plan has less', { planTokens: 1250, taskTokens: 700 }, { tokens: 650, usd: null }],
    ['both units are limited', { planTokens: 1500, taskUsd: 2, planUsd: 5 }, { tokens: 900, usd: 2 }],
  ])('may use the lesser of what its task and the plan have left: %s', (_, budgets, expected) => {
    expect(complete(begun(budgets), '1', 600).effect('start_worker', '2').budget).toEqual(expected)
  })

  test('takes the prices along, and without a limit no budget', () => {
    const prices = { mine: { input: 1, output: 2 } }
    const settings = { prices, budgets: { ...NONE, taskUsd: 3 } }
    const plan = PlayedPlan.begun([low('1')], { settings })
    expect(plan.effect('start_worker').budget).toEqual({ tokens: null, usd: 3, prices })
    expect(begun({}).effect('start_worker')).not.toHaveProperty('budget')
  })

  test('has the whole limit of its task again after a person lets it go on', () => {
    const plan = used(begun({ taskTokens: 1000 }, [low('1')]).started('1'), '1', 1001)
    plan.ended('1', { end: { kind: 'stopped', cause: 'budget' }, report: null })
    expect(plan.collected('1').answer('retry').effect('start_worker').budget?.tokens).toBe(1000)
  })
})

describe('a worker that its supervisor stopped for its budget', () => {
  const stopped = (plan: PlayedPlan, id: string, tokens: number): PlayedPlan => {
    const { worker = '', attempt = 0 } = plan.task(id).live ?? {}
    const end = { kind: 'stopped', cause: 'budget' } as const
    const usage = { tokensIn: tokens, tokensOut: 0, usd: null }
    const about = { worker, task: id, attempt, end, report: null, usage }
    return plan.tell({ type: 'worker.ended', v: 1, ...about }).collected(id)
  }

  test.each([{ taskTokens: 1000 }, { planTokens: 1000 }])('waits for a person: %o', (budgets) => {
    const plan = stopped(begun(budgets, [low('1')]).started('1'), '1', 1001)
    expect(plan.owes('start_worker')).toBe(false)
    expect(plan.all('inbox.opened')).toHaveLength(1)
    expect(outcomeOf(plan.state, plan.now)).toBe('budget')
    expect(plan.task('1').counters).toMatchObject({ restarts: 0, fixes: 0 })
  })

  test('is followed at once by another where the limit was raised meanwhile', () => {
    const tasks = [low('1'), low('2', { dependsOn: ['1'] }), low('3', { dependsOn: ['1'] })]
    const settings = { maxParallelAgents: 2, budgets: { ...NONE, planTokens: 1300 } }
    const plan = complete(PlayedPlan.begun(tasks, { settings }), '1', 600)
    expect(plan.effect('start_worker', '2').budget?.tokens).toBe(700)
    plan.started('2').answer('raise', { feedback: 'tokens=5000' })
    expect(stopped(plan, '2', 701).effect('start_worker', '2').budget?.tokens).toBe(3699)
  })
})

describe('a plan that may cost no more', () => {
  test('starts no worker and asks once when the next attempt would exceed the budget', () => {
    const plan = complete(begun({ planTokens: 1000 }), '1', 600)
    expect(plan.step('2')).toBe('ready')
    const { item } = plan.last('inbox.opened')
    expect(item).toMatchObject({ subject: 'budget', blocking: true })
    expect(item.problem).toContain('with task 2 it would come to 1,200 of 1,000 tokens')
    expect(plan.pass(3_600_000).all('inbox.opened')).toHaveLength(1)
    expect(outcomeOf(plan.state, plan.now)).toBe('budget')
    expect(standing(plan.state).state).toBe('waiting')
  })

  test('goes on when it is raised, as far as that goes', () => {
    const plan = complete(begun({ planTokens: 1000 }, [low('1'), low('2'), low('3')]), '1', 600)
    plan.answer('raise', { feedback: 'tokens=1500' })
    expect(complete(plan, '2', 600).step('3')).toBe('ready')
    expect(plan.all('inbox.opened')).toHaveLength(2)
    expect(plan.answer('unlimited').step('3')).toBe('launching')
  })

  test('stops what runs, and sends it again when it is raised, without using an attempt up', () => {
    const plan = used(begun({ planUsd: 2 }).started('1'), '1', 0, 2.5)
    expect(plan.effect('stop_worker')).toMatchObject({ cause: 'budget' })
    plan.ended('1', { end: { kind: 'stopped', cause: 'budget' }, report: null }).collected('1')
    expect(plan.step('1')).toBe('deciding')
    plan.answer('raise')
    expect([plan.step('1'), plan.task('1').counters.restarts]).toEqual(['launching', 0])
  })

  test('has no estimate before the first attempt reported its usage', () => {
    expect(begun({ planTokens: 1 }).step('1')).toBe('launching')
  })
})

test('without budgets reported usage changes nothing', () => {
  const plan = used(begun({}).started('1'), '1', 1e12, 1e6)
  expect(plan.step('1')).toBe('working')
})

describe('the same change, handed in again after it was turned down', () => {
  const again = (plan: PlayedPlan): PlayedPlan => {
    plan.started('1').ended('1')
    return plan.left('1', { tree: 'same', changed: ['a'], salvage: 'ref', patch: 'p' })
  }

  test('is looping the third time, and no further attempt is spent on it', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 5 } })
    for (const _ of [1, 2]) again(plan).gates('1', { failed: ['unit'] })
    expect(again(plan).step('1')).toBe('escalated')
    expect(plan.last('inbox.opened').item.problem).toContain('the same change was submitted 3 times')
    expect(outcomeOf(plan.state, plan.now)).toBe('gate_failed')
  })

  test('is escalated for its failing gates where the attempts are used up anyway', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 2 } })
    for (const _ of [1, 2, 3]) again(plan).gates('1', { failed: ['unit'] })
    expect(plan.last('inbox.opened').item.problem).toContain('unit tests still failing after 2 fix attempts')
  })
})
