import { expect, test } from 'vitest'
import { aPlan } from './a-plan.ts'
import { layoutGraph, NODE_WIDTH } from './layout-graph.ts'
import { foldableTasks, shownGraph } from './shown-graph.ts'

test('a layout goes from left to right and no node covers another', () => {
  const tasks = aPlan()
  const places = layoutGraph(shownGraph(tasks, foldableTasks(tasks)))
  expect((places['work']?.x ?? 0) - (places['done:0']?.x ?? 0)).toBeGreaterThan(NODE_WIDTH)
  expect((places['later']?.x ?? 0) - (places['work']?.x ?? 0)).toBeGreaterThan(NODE_WIDTH)
  expect(new Set(Object.values(places).map(({ x, y }) => `${x} ${y}`)).size).toBe(33)
})
