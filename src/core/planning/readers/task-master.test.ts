import { expect, test } from 'vitest'
import { parseJsonText } from '../../../lib/files/yaml-text.ts'
import { readTaskMasterPlan } from './task-master.ts'

const read = (value: unknown) => readTaskMasterPlan('t.json', parseJsonText(JSON.stringify(value, null, 2)))
const task = (fields: object) => ({ id: 1, title: 'A', status: 'pending', ...fields })

test('Task Master plans may be a plain, a tagged or a bare list of tasks', () => {
  expect(read({ tasks: [task({})] }).tasks).toMatchObject([{ id: '1', title: 'A' }])
  expect(read({ master: { tasks: [task({})] } }).tasks).toHaveLength(1)
  expect(read([task({})]).tasks).toHaveLength(1)
})

test('with several tags master is read, and a warning names the others', () => {
  const plan = read({ other: { tasks: [] }, master: { tasks: [task({ title: 'M' })] } })
  expect(plan.tasks).toMatchObject([{ title: 'M' }])
  expect(plan.problems).toMatchObject([{ severity: 'warning', message: expect.stringContaining('"other"') }])
})

test('dependencies on subtasks are dependencies on their task', () => {
  const plan = read({ tasks: [task({}), task({ id: 2, dependencies: [1, '1.2', '2.1'] })] })
  expect(plan.tasks[1]?.dependsOn).toMatchObject({ ids: ['1'] })
})

test('subtasks are steps, and their texts are in the description', () => {
  const [one] = read({
    tasks: [task({ subtasks: [{ id: 1, title: 'S', details: 'how' }] })],
  }).tasks
  expect(one).toMatchObject({ steps: [{ title: 'S' }], description: '- S\n  how' })
})

test('the test strategy becomes the criterion, and its commands are run', () => {
  const [one] = read({ tasks: [task({ testStrategy: 'Run `npm test` → PASS' })] }).tasks
  expect(one?.acceptanceCriteria).toEqual(['Run `npm test` → PASS'])
  expect(one?.steps[0]?.runs).toMatchObject([{ command: 'npm test', expects: 'pass' }])
})

test('cancelled tasks are left out, also as dependencies', () => {
  const plan = read({
    tasks: [
      task({ status: 'done' }),
      task({ id: 3, status: 'cancelled' }),
      task({ id: 4, dependencies: [3] }),
    ],
  })
  expect(plan.tasks.map(({ id }) => id)).toEqual(['1', '4'])
  expect(plan.tasks[1]?.dependsOn?.ids).toEqual([])
})

test('mistakes in a Task Master plan are reported with their line', () => {
  expect(read({ tasks: [{ title: 'A' }, { id: 2 }] }).problems).toMatchObject([
    { severity: 'error', line: 3, message: 'a task has no id' },
    { severity: 'error', line: 6, message: 'a task has no title' },
  ])
  expect(read({ items: [] }).problems).toMatchObject([{ message: 'no list of tasks in this JSON' }])
  expect(readTaskMasterPlan('t.json', parseJsonText('{\n"tasks": [}')).problems).toMatchObject([
    { severity: 'error', line: 2 },
  ])
})
