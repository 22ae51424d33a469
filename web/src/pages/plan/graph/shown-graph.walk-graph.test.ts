import { expect, test } from 'vitest'
import { aPlan } from './a-plan.ts'
import { layoutGraph } from './layout-graph.ts'
import { shownGraph } from './shown-graph.ts'
import { nextNode } from './shown-graph.ts'

test('arrow keys follow the dependencies, and go up and down within a rank', () => {
  const tasks = aPlan()
  const graph = shownGraph(tasks, new Set())
  const places = layoutGraph(graph)
  expect(nextNode(graph, places, 'work', 'left')).toBe('d3')
  expect(nextNode(graph, places, 'work', 'right')).toBe('later')
  expect(nextNode(graph, places, 'later', 'right')).toBeNull()
  const below = nextNode(graph, places, 'r0', 'down') ?? ''
  expect(nextNode(graph, places, below, 'up')).toBe('r0')
})
