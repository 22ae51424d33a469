import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCycles, longestChain, topologicalOrder, type Graph } from './order.ts'

const acyclic = fc
  .array(fc.array(fc.nat()), { maxLength: 30 })
  .map((rows): Graph =>
    rows.map((needs, place) => needs.flatMap((need) => (place === 0 ? [] : [need % place]))),
  )

const anyGraph = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 12 })
  .map((rows): Graph => rows.map((needs) => needs.map((need) => need % rows.length)))

describe('order', () => {
  it('is plan order where nothing depends on anything', () => {
    expect(topologicalOrder([[], [], []])).toEqual([0, 1, 2])
  })

  it('takes the first of the ready tasks', () => {
    expect(topologicalOrder([[2], [], []])).toEqual([1, 2, 0])
  })

  it('has every task once, after those it depends on', () => {
    fc.assert(
      fc.property(acyclic, (graph) => {
        const order = topologicalOrder(graph)
        expect(order.toSorted((a, b) => a - b)).toEqual(graph.map((_, place) => place))
        const position = new Map(order.map((place, at) => [place, at]))
        for (const [place, needs] of graph.entries()) {
          for (const need of needs) expect(position.get(need)).toBeLessThan(position.get(place) ?? -1)
        }
      }),
    )
  })

  it('leaves out tasks exactly when there is a cycle', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        expect(topologicalOrder(graph).length < graph.length).toBe(findCycles(graph).length > 0)
      }),
    )
  })

  it('is found for 100,000 tasks in one chain', () => {
    const chain: Graph = Array.from({ length: 100_000 }, (_, place) => (place === 0 ? [] : [place - 1]))
    expect(topologicalOrder(chain)).toHaveLength(100_000)
    expect(longestChain(chain)).toBe(100_000)
    expect(findCycles(chain)).toEqual([])
  })
})

describe('cycles', () => {
  it('start at their first task in the plan', () => {
    expect(findCycles([[], [2], [3], [1]])).toEqual([[1, 2, 3]])
  })

  it('are reported one by one, a task that needs itself among them', () => {
    expect(findCycles([[1], [0], [2], [4], [3]])).toEqual([[0, 1], [2], [3, 4]])
  })

  it('are reported separately where they share a task', () => {
    expect(findCycles([[1, 2], [0], [0]])).toEqual([
      [0, 1],
      [0, 2],
    ])
  })

  it('are real: each step is a dependency, and each starts at its smallest place', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        for (const cycle of findCycles(graph)) {
          for (const [at, place] of cycle.entries()) {
            expect(graph[place]).toContain(cycle[(at + 1) % cycle.length])
          }
        }
      }),
    )
  })

  it('of 100,000 tasks is found', () => {
    const ring: Graph = Array.from({ length: 100_000 }, (_, place) => [(place + 1) % 100_000])
    expect(findCycles(ring)[0]).toHaveLength(100_000)
  })
})
