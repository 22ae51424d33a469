import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TaskIndex } from './task-index.ts'

interface Card {
  readonly spec: { readonly id: string }
}

const cards = (ids: readonly string[]): Card[] => ids.map((id) => ({ spec: { id } }))

function indexOf(all: readonly Card[]): TaskIndex<Card> {
  const index = new TaskIndex<Card>()
  for (const card of all) index.add(card)
  return index
}

test('tasks are listed in the order they were added', () => {
  const all = cards(['b', 'a', '10', '9'])
  const index = indexOf(all)
  expect([...index.values()]).toEqual(all)
  expect([...index.keys()]).toEqual(['b', 'a', '10', '9'])
  expect(index.size).toBe(4)
})

test('a lookup finds the requested task, whichever one is cached', () => {
  const id = fc.constantFrom('1', '2', '3', '4')
  fc.assert(
    fc.property(fc.array(fc.record({ expected: fc.option(id), asked: id })), (looks) => {
      const index = indexOf(cards(['1', '2', '3']))
      for (const { expected, asked } of looks) {
        const likely = [...index.values()].find(({ spec }) => spec.id === expected)
        if (likely !== undefined) index.expect(likely)
        expect(index.get(asked)?.spec.id).toBe(asked === '4' ? undefined : asked)
      }
    }),
  )
})

test('two tasks with the same id are rejected', () => {
  expect(() => indexOf(cards(['1', '2', '1']))).toThrow('duplicate task id 1')
})
