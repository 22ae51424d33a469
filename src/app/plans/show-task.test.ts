import { afterEach, describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { taskAnswer } from '../../protocol/task-answer.ts'
import { progressOf } from './plan-status.ts'
import { showTask } from './show-task.ts'

let testing: TestHost
afterEach(() => testing.dispose())

/** A plan whose task a cannot pass its gates, and so waits for a person. */
async function escalated(id = 'shop', repository = testing.repository(id)) {
  const tasks = [low('a', { heldOut: ['sh secret.sh'] }), low('b', { dependsOn: ['a'] })]
  const { plan } = await testing.register(tasks, { id, repository })
  await testing.until(plan, ({ state }) => state.inbox.size > 0)
  return plan
}

describe('one task whole', () => {
  test('is its contract, its attempts, its gates, its decisions and its record', async () => {
    testing = await new TestHost({
      gates: { outcome: (gate) => (gate === 'unit' ? 'failed' : 'passed') },
    }).open()
    await escalated()
    const task = await showTask(testing.host, { id: 'a' })
    expect(taskAnswer.parse(task)).toEqual(task)
    expect(task).toMatchObject({ plan: 'shop', id: 'a', status: 'escalated', attempt: 3 })
    expect(task.attempts.map(({ worker, role, end }) => ({ worker, role, end }))).toEqual([
      { worker: 'w-shop-a-1', role: 'developer', end: 'done' },
      { worker: 'w-shop-a-2', role: 'fixer', end: 'done' },
      { worker: 'w-shop-a-3', role: 'fixer', end: 'done' },
    ])
    expect(task.gates.find(({ gate }) => gate === 'unit')).toMatchObject({ outcome: 'failed' })
    expect(task.decisions.length).toBeGreaterThan(0)
    expect(task.record).toMatchObject({ task_id: 'a', retry_count: 2, decision_log: task.decisions })
    expect(task.contract.held_out).toBe(1)
    expect(task.blocked_by).toEqual([])
    const { blocked_by } = await showTask(testing.host, { id: 'b' })
    expect(blocked_by).toEqual([{ id: 'a', title: 'Do a' }])
    expect(JSON.stringify(task)).not.toContain('secret.sh')
  })

  test('names the attempt that the gates ran on, while the next one is at work', async () => {
    testing = await new TestHost({
      worker: ({ worker }) => (worker === 'w-shop-a-1' ? {} : { workMs: null }),
      gates: { outcome: (gate) => (gate === 'unit' ? 'failed' : 'passed') },
    }).open()
    const { plan } = await testing.register([low('a'), low('b', { dependsOn: ['a'] })])
    await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
    expect(await showTask(testing.host, { id: 'b' })).toMatchObject({ gates: [], gated_attempt: null })
    await testing.until(plan, ({ state }) => {
      const task = state.tasks.get('a')
      return task?.attempt === 2 && task.step === 'working'
    })
    const task = await showTask(testing.host, { id: 'a' })
    expect(task).toMatchObject({ attempt: 2, gated_attempt: 1 })
    expect(task.gates.length).toBeGreaterThan(0)
  })

  test('is found by the plan where several have one of that id, and by the repository one stands in', async () => {
    testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
    await testing.register([low('a')], { id: 'shop', repository: testing.repository('shop') })
    const { plan } = await testing.register([low('a')], {
      id: 'blog',
      repository: testing.repository('blog'),
    })
    await expect(showTask(testing.host, { id: 'a' })).rejects.toMatchObject({
      code: 'conflict',
      message: '2 plans have a task a: shop/a, blog/a',
      remedy: 'Add the plan: bosun task show shop/a',
    })
    expect((await showTask(testing.host, { id: 'a', plan: 'blog' })).plan).toBe('blog')
    expect((await showTask(testing.host, { id: 'a', repository: plan.home.repository.id })).plan).toBe('blog')
    expect((await showTask(testing.host, { id: 'task-a', plan: 'shop' })).plan).toBe('shop')
    await expect(showTask(testing.host, { id: 'z' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(showTask(testing.host, { id: 'z', plan: 'shop' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('a progress report is there for every plan that is not done, whenever it is asked for', async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.active.size > 0)
  expect(progressOf(testing.host)).toEqual([
    {
      plan: 'shop',
      repo: plan.home.repository.path,
      text: expect.stringMatching(/^PROGRESS — Shop\nCompleted: 0\/1/),
    },
  ])
})
