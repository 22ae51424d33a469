import { expect, test } from 'vitest'
import { aTask } from '../tasks/a-task.ts'
import { aPlan } from './a-plan.ts'
import { foldableTasks, shownGraph } from './shown-graph.ts'

test('completed tasks are folded into a group with an arrow to what can go on', () => {
  const tasks = aPlan()
  const { nodes, edges } = shownGraph(tasks, foldableTasks(tasks))
  expect(nodes[0]).toEqual({ kind: 'done', id: 'done:0', tasks: ['d1', 'd2', 'd3'] })
  expect(nodes).toHaveLength(33)
  expect(edges).toEqual([
    { from: 'done:0', to: 'work' },
    { from: 'work', to: 'later' },
  ])
})

test('a small plan is drawn whole, and a completed task behind an open one is never folded', () => {
  const small = aPlan().slice(0, 5)
  expect(foldableTasks(small).size).toBe(0)
  const odd = [...aPlan(), aTask({ id: 'odd', status: 'completed', depends_on: ['work'] })]
  expect([...foldableTasks(odd)]).toEqual(['d1', 'd2', 'd3'])
})
