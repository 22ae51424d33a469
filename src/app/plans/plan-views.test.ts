import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { DEFAULT_SETTINGS } from '../../config/default-settings.ts'
import * as views from '../../protocol/plan-views.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { planBudget, planGraph, planTasks, planTimeline, type TasksWanted } from './plan-views.ts'

let testing: TestHost
let plan: HostedPlan

/** a is escalated, c waits for it, and b is worked on. */
beforeAll(async () => {
  testing = await new TestHost({
    worker: ({ worker }) => (worker.includes('-b-') ? { workMs: null } : {}),
    gates: { outcome: (gate) => (gate === 'unit' ? 'failed' : 'passed') },
  }).open()
  const tasks = [low('a', { title: 'Add carts' }), low('b'), low('c', { dependsOn: ['a', 'b'] })]
  plan = (await testing.register(tasks, { settings: {} })).plan
  await testing.until(plan, ({ state }) => state.inbox.size > 0 && state.tasks.get('b')?.step === 'working')
})
afterAll(() => testing.dispose())

const tasks = (wanted: TasksWanted) => {
  const answer = planTasks(plan, wanted, Date.now())
  expect(views.planTasksAnswer.parse(answer)).toEqual(answer)
  return { ids: answer.tasks.map(({ id }) => id), next: answer.next, total: answer.total }
}

describe('the tasks of a plan', () => {
  test('are answered whole without a limit', () => {
    expect(tasks({})).toEqual({ ids: ['a', 'b', 'c'], next: null, total: 3 })
  })

  test('are answered a page at a time, and the last page says so', () => {
    expect(tasks({ limit: 2 })).toEqual({ ids: ['a', 'b'], next: 'b', total: 3 })
    expect(tasks({ limit: 2, cursor: 'b' })).toEqual({ ids: ['c'], next: null, total: 3 })
    expect(tasks({ limit: 3 }).next).toBeNull()
    expect(tasks({ cursor: 'c' })).toEqual({ ids: [], next: null, total: 3 })
  })

  test('can be narrowed to a status or to a text in any case', () => {
    expect(tasks({ status: 'pending' })).toEqual({ ids: ['c'], next: null, total: 1 })
    expect(tasks({ text: 'CARTS' })).toEqual({ ids: ['a'], next: null, total: 1 })
    expect(tasks({ text: 'Do (' }).ids).toEqual([])
    expect(tasks({ text: 'do', limit: 1 })).toEqual({ ids: ['b'], next: 'b', total: 2 })
    expect(tasks({ text: 'do', limit: 1, cursor: 'b' })).toEqual({ ids: ['c'], next: null, total: 2 })
  })

  test('refuse a cursor that is no task of the plan', () => {
    expect(() => tasks({ cursor: 'z' })).toThrow('cursor: plan shop has no task z')
  })
})

test('the graph has each task with its dependencies, its worker and the item that asks about it', () => {
  const graph = { ...planGraph(testing.host, plan), seq: 1 }
  expect(views.graphAnswer.parse(graph)).toEqual(graph)
  const [a, b, c] = graph.tasks
  expect(a).toMatchObject({ id: 'a', stage: 'escalated', worker: null, item: 'E-1', blocked_by: [] })
  expect(b).toMatchObject({ stage: 'working', worker: { id: 'w-shop-b-1', health: 'healthy' }, item: null })
  expect(c).toMatchObject({ stage: 'pending', depends_on: ['a', 'b'], blocked_by: ['a', 'b'] })
  expect(graph.left_out).toBe(0)
})

test('the timeline of a running plan ends now, and reads on where it was', async () => {
  const first = await planTimeline(testing.host, plan)
  expect(views.timelineAnswer.parse(first)).toEqual(first)
  expect(first.rows.map(({ task }) => task)).toEqual(['a', 'b'])
  expect(first.rows[0]?.spans.at(-1)).toMatchObject({ kind: 'person', to: null, label: 'E-1' })
  expect(first.rows[1]?.spans.at(-1)).toMatchObject({ kind: 'work', to: null, label: 'w-shop-b-1' })
  const [again, twice] = await Promise.all([
    planTimeline(testing.host, plan),
    planTimeline(testing.host, plan),
  ])
  expect(again.rows).toEqual(first.rows)
  expect(twice.rows).toEqual(first.rows)
})

test('the budget has what was used, and the limits that are set', async () => {
  expect(views.budgetAnswer.parse(await planBudget(testing.host, plan))).toMatchObject({
    plan: 'shop',
    limits: [],
    tasks: [],
  })
  const { plan: other } = await testing.register([low('b')], {
    id: 'limited',
    settings: { budgets: { plan_usd: 5, task_usd: null, plan_tokens: null, task_tokens: 9000 } },
  })
  expect((await planBudget(testing.host, other)).limits).toEqual([
    { of: 'plan_usd', limit: 5, used: 0 },
    { of: 'task_tokens', limit: 9000, used: null },
  ])
})

test("the budget of a plan shows the brain's own limit and use", async () => {
  const brain = { ...DEFAULT_SETTINGS.brain, provider: 'anthropic' as const, budget_usd: 2 }
  const { plan: thinking } = await testing.register([low('b')], { id: 'thinking', settings: { brain } })
  const usage = { tokensIn: 900, tokensOut: 100, usd: 0.5 }
  const event = {
    type: 'brain.answered',
    v: 1,
    question: 'assess_failure',
    task: null,
    by: 'anthropic',
  } as const
  await thinking.propose({ ...event, usage, requests: 2, fallback: null, cached: false })
  const budget = await planBudget(testing.host, thinking)
  expect(views.budgetAnswer.parse(budget)).toEqual(budget)
  expect(budget.limits).toEqual([{ of: 'brain_usd', limit: 2, used: 0.5 }])
  expect(budget.thinking).toMatchObject({ calls: 1, requests: 2, usage: { tokens: 1000, usd: 0.5 } })
})
