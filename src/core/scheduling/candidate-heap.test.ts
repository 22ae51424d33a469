import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CandidateHeap } from './candidate-heap.ts'

test('gives back what it was given by the first number, then by the second', () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 20 })))
  fc.assert(
    fc.property(pairs, (given) => {
      const heap = new CandidateHeap<readonly [number, number]>()
      for (const pair of given) heap.push(pair, ...pair)
      const taken: (readonly [number, number])[] = []
      for (let next = heap.peek(); next !== undefined; next = heap.peek()) {
        taken.push(next)
        heap.pop()
      }
      expect(taken).toEqual(given.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
    }),
  )
})

test('an empty heap has nothing to give, and popping it does nothing', () => {
  const heap = new CandidateHeap<string>()
  heap.pop()
  expect(heap.peek()).toBeUndefined()
})
