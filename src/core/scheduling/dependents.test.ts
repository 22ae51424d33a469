import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Dependents } from './dependents.ts'

interface Card {
  readonly rank: number
}

interface Linked {
  readonly cards: readonly Card[]
  readonly dependents: Dependents<Card>
}

/** Cards by rank, each with the ranks it needs, which come before it. */
function linked(needs: readonly (readonly number[])[]): Linked {
  const cards = needs.map((_, rank) => ({ rank }))
  const dependents = new Dependents<Card>()
  for (const card of cards) dependents.add(card)
  for (const [rank, needed] of needs.entries()) {
    for (const one of needed) {
      dependents.link(at(cards, one), at(cards, rank))
      dependents.wait(at(cards, rank))
    }
  }
  return { cards, dependents }
}

function at(cards: readonly Card[], rank: number): Card {
  const card = cards[rank]
  if (card === undefined) throw new Error(`there is no card ${rank}`)
  return card
}

const ranksOf = (cards: readonly Card[]): number[] => cards.map(({ rank }) => rank)

function freedBy({ cards, dependents }: Linked, rank: number): number[] {
  const freed: number[] = []
  dependents.settle(at(cards, rank), (card) => freed.push(card.rank))
  return freed
}

test('the dependents of a task are listed in the order they were linked', () => {
  const { cards, dependents } = linked([[], [0], [], [0, 2], [0]])
  expect(ranksOf(dependents.of(at(cards, 0)))).toEqual([1, 3, 4])
  expect(ranksOf(dependents.of(at(cards, 1)))).toEqual([])
})

describe('a task is free', () => {
  test('when its last dependency is completed, and not before', () => {
    const plan = linked([[], [], [0, 1]])
    expect(freedBy(plan, 1)).toEqual([])
    expect(plan.dependents.unmet(at(plan.cards, 2))).toBe(1)
    expect(freedBy(plan, 0)).toEqual([2])
  })

  test('even if its dependencies were completed before it was added', () => {
    const plan = linked([[]])
    freedBy(plan, 0)
    const later = { rank: 1 }
    plan.dependents.add(later)
    plan.dependents.link(at(plan.cards, 0), later)
    expect(plan.dependents.unmet(later)).toBe(0)
    expect(ranksOf(plan.dependents.of(at(plan.cards, 0)))).toEqual([1])
  })
})

test('every task becomes free once, after all its dependencies, in any order', () => {
  const needs = fc
    .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 30 })
    .map((rows) => rows.map((row, rank) => (rank === 0 ? [] : [...new Set(row.map((one) => one % rank))])))
  fc.assert(
    fc.property(needs, (rows) => {
      const plan = linked(rows)
      const open = ranksOf(plan.cards).filter((rank) => rows[rank]?.length === 0)
      const done = new Set<number>()
      for (let rank = open.pop(); rank !== undefined; rank = open.pop()) {
        expect(rows[rank]?.every((one) => done.has(one)) && !done.has(rank)).toBe(true)
        done.add(rank)
        open.push(...freedBy(plan, rank))
      }
      expect(done.size).toBe(rows.length)
    }),
  )
})
