import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heap } from './order.ts'

const drained = (heap: Heap<number>): number[] => {
  const out: number[] = []
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) out.push(item)
  return out
}

test('a heap returns its items, least first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const heap = new Heap<number>((a, b) => a < b)
      for (const number of numbers) heap.push(number)
      expect(heap.size).toBe(numbers.length)
      expect(heap.peek()).toBe(numbers.length === 0 ? undefined : numbers.toSorted((a, b) => a - b)[0])
      expect(drained(heap)).toEqual(numbers.toSorted((a, b) => a - b))
    }),
  )
})

test('a heap keeps its order when items are pushed and popped in turns', () => {
  const step = fc.option(fc.integer({ min: 0, max: 20 }), { nil: 'pop' as const })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const heap = new Heap<number>((a, b) => a < b)
      const list: number[] = []
      for (const one of steps) {
        if (one === 'pop') expect(heap.pop()).toBe(list.shift())
        else {
          heap.push(one)
          list.push(one)
          list.sort((a, b) => a - b)
        }
        expect(heap.peek()).toBe(list[0])
      }
    }),
  )
})

test('a new heap is empty', () => {
  const heap = new Heap<number>((a, b) => a < b)
  expect([heap.size, heap.peek(), heap.pop()]).toEqual([0, undefined, undefined])
})
