import { expect, test } from 'vitest'
import { aTask } from './a-task.ts'
import { columnOf, columnsOf, isStuck } from './columns.ts'

const stalled = { id: 'w-1', health: 'stalled', reason: 'no output for 16m' }

test('every stage of a task is in one column of the board', () => {
  const stages = {
    pending: 'waiting',
    ready: 'ready',
    launching: 'working',
    working: 'working',
    stopping: 'working',
    collecting: 'working',
    deciding: 'working',
    taken_over: 'attention',
    gating: 'gates',
    reviewing: 'review',
    committing: 'review',
    awaiting_person: 'attention',
    completed: 'done',
    failed: 'attention',
    escalated: 'attention',
  }
  for (const [stage, column] of Object.entries(stages)) {
    const isStatus = ['pending', 'ready', 'completed', 'failed', 'escalated'].includes(stage)
    const status = isStatus ? (stage as 'ready') : 'in_progress'
    expect(columnOf(aTask({ id: '1', stage, status })), stage).toBe(column)
  }
})

test('a task that waits for a person needs attention whatever its stage, and its worker keeps its own health', () => {
  expect(columnOf(aTask({ id: '1', status: 'in_progress', item: 'q-1' }))).toBe('attention')
  const task = aTask({ id: '2', status: 'in_progress', worker: stalled })
  expect([columnOf(task), isStuck(task)]).toEqual(['working', true])
})

test('the board has all columns, the stuck task first and the newest done task first', () => {
  const columns = columnsOf([
    aTask({ id: 'old', status: 'in_progress', tier: 'low', since: '2026-11-16T08:00:00.000Z' }),
    aTask({ id: 'critical', status: 'in_progress', tier: 'critical' }),
    aTask({ id: 'stalled', status: 'in_progress', tier: 'low', worker: stalled }),
    aTask({ id: 'first', status: 'completed', since: '2026-11-16T08:00:00.000Z' }),
    aTask({ id: 'last', status: 'completed', since: '2026-11-16T09:00:00.000Z' }),
  ])
  const ids = Object.fromEntries(columns.map(({ id, tasks }) => [id, tasks.map((task) => task.id)]))
  expect(ids).toEqual({
    attention: [],
    working: ['stalled', 'critical', 'old'],
    gates: [],
    review: [],
    ready: [],
    waiting: [],
    done: ['last', 'first'],
  })
})

test('tasks that are alike are in the order of their numbers', () => {
  const ready = columnsOf(['10', '9', '100', '2'].map((id) => aTask({ id }))).find(({ id }) => id === 'ready')
  expect(ready?.tasks.map(({ id }) => id)).toEqual(['2', '9', '10', '100'])
})
