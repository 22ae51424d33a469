import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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

test('any set of ids is found, in the order it was added, and nothing else is', () => {
  const ids = fc.uniqueArray(fc.oneof(fc.string(), fc.stringMatching(/^[AB]-\d{1,4}$/)), { maxLength: 200 })
  fc.assert(
    fc.property(ids, fc.string(), (known, other) => {
      const all = cards(known)
      const index = indexOf(all)
      for (const card of all) expect(index.get(card.spec.id)).toBe(card)
      expect([...index.values()]).toEqual(all)
      expect([...index.keys()]).toEqual(known)
      expect(index.size).toBe(all.length)
      expect(index.has(other)).toBe(known.includes(other))
    }),
  )
})

test('no two tasks have the same id', () => {
  expect(() => indexOf(cards(['1', '2', '1']))).toThrow('there are two tasks 1')
})

describe('ids whose hashes are the same', () => {
  // One more in a place is what SPREAD more are in the next one.
  const [one, other] = ['A\u{3ea}', 'B\u{1}'] as const

  test('are told apart', () => {
    const [first, second] = cards([one, other])
    const index = indexOf([first, second].filter((card) => card !== undefined))
    expect(index.get(one)).toBe(first)
    expect(index.get(other)).toBe(second)
  })

  test('are not taken for each other when only one is there', () => {
    expect(indexOf(cards([one])).has(other)).toBe(false)
  })
})

test('a plan of many tasks finds each of them', () => {
  const all = cards(Array.from({ length: 20_000 }, (_, place) => `T-${place}`))
  const index = indexOf(all)
  expect(all.every((card) => index.get(card.spec.id) === card)).toBe(true)
  expect(index.has('T-20000')).toBe(false)
})
