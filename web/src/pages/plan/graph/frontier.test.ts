import { expect, test } from 'vitest'
import { aTask } from '../tasks/a-task.ts'
import { aPlan } from './a-plan.ts'
import { frontierOf, openingViewport } from './frontier.ts'

test('the graph opens at its natural size on the most urgent task', () => {
  const tasks = [...aPlan(), aTask({ id: 'stuck', status: 'escalated' })]
  expect(frontierOf(tasks).slice(0, 2)).toEqual(['stuck', 'work'])
  const places = { stuck: { x: 5000, y: 9000 }, work: { x: 0, y: 0 }, r0: { x: 0, y: 90_000 } }
  const pane = { width: 900, height: 600 }
  const { x, y, zoom } = openingViewport(places, frontierOf(tasks), pane)
  expect([5000 + x, 9000 + y, zoom]).toEqual([32, 72, 1])
  const crowd = { ...places, work: { x: 300, y: 90_100 }, r1: { x: 100, y: 90_200 } }
  const { x: left, y: top } = openingViewport(crowd, frontierOf(tasks), pane)
  expect([left, 90_000 + top]).toEqual([32, 72])
})

test('a graph that fits is shown whole', () => {
  const places = { a: { x: 0, y: 0 }, b: { x: 300, y: 0 } }
  const { x, y } = openingViewport(places, ['b'], { width: 900, height: 600 })
  expect({ x, y }).toEqual({ x: 184, y: 288 })
  const wide = { a: { x: 0, y: 0 }, b: { x: 700, y: 0 } }
  const { x: left, zoom } = openingViewport(wide, ['b'], { width: 900, height: 600 })
  expect([left, zoom.toFixed(2)]).toEqual([32, '0.90'])
})
