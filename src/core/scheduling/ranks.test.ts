import { expect, test } from 'vitest'
import { anIntegrationTest, aTask, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { layersOf, rankTasks } from './ranks.ts'

const minutes = (id: string, budget: number, ...dependsOn: string[]) =>
  aTask(id, { dependsOn, timeBudgetMs: budget * MINUTE })

test('a dependency ranks before its dependents, ties in plan order', () => {
  const tasks = [minutes('c', 1, 'b'), minutes('a', 1), minutes('b', 1), minutes('d', 1)]
  expect(rankTasks(tasks).map(({ rank }) => rank)).toEqual([2, 0, 1, 3])
})

test('a chain is the duration of the longest path to the end, itself included', () => {
  const tasks = [
    minutes('a', 10),
    minutes('b', 20, 'a'),
    minutes('c', 5, 'a'),
    minutes('d', 1, 'b', 'c'),
    minutes('e', 3),
  ]
  expect(rankTasks(tasks).map(({ chain }) => chain / 60)).toEqual([31, 21, 6, 1, 3])
})

test('a dependency outside the list counts as done', () => {
  expect(rankTasks([minutes('a', 10, 'elsewhere')])).toEqual([{ rank: 0, chain: 600 }])
})

test('tasks that wait for each other cannot be ranked', () => {
  expect(() => rankTasks([minutes('a', 1, 'b'), minutes('b', 1, 'a')])).toThrow('cycle')
})

test('integration tests are grouped by their layer', () => {
  const [one, two, three] = ['it-1', 'it-2', 'it-3'].map((id) =>
    anIntegrationTest(id, id === 'it-2' ? 'workflow' : 'core', []),
  )
  const tests = [one, two, three].filter((test) => test !== undefined)
  expect([...layersOf(tests)]).toEqual([
    ['core', [one, three]],
    ['workflow', [two]],
  ])
})
