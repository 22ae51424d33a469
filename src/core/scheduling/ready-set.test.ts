import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TIERS, type Tier } from '../planning/plan.ts'
import { AreaLocks } from './area-locks.ts'
import {
  goesBefore,
  inPlanOrder,
  longestChainFirst,
  ReadySet,
  type Order,
  type Candidate,
} from './ready-set.ts'

interface Card extends Candidate {
  tier: Tier
}

const card = (rank: number, fields: Partial<Card> = {}): Card => ({
  tier: 'low',
  area: `area-${rank}`,
  rank,
  chain: 1,
  isQueued: false,
  ...fields,
})

function setOf(...cards: Card[]): { ready: ReadySet<Card>; locks: AreaLocks } {
  const locks = new AreaLocks()
  const ready = new ReadySet<Card>(inPlanOrder, locks)
  for (const one of cards) ready.add(one)
  return { ready, locks }
}

test('the best is the first in plan order', () => {
  const first = card(1)
  const { ready } = setOf(card(3), first, card(2))
  expect(ready.best('low')).toBe(first)
})

test('the best of one tier does not depend on the others', () => {
  const normal = card(9, { tier: 'normal' })
  const { ready } = setOf(card(1), normal)
  expect(ready.best('normal')).toBe(normal)
  expect(ready.best('critical')).toBeUndefined()
})

test('with the longest chain first, plan order decides between equals', () => {
  const cards = [card(1, { chain: 5 }), card(2, { chain: 9 }), card(3, { chain: 9 })]
  const ready = new ReadySet<Card>(longestChainFirst, new AreaLocks())
  for (const one of cards) ready.add(one)
  expect(ready.best('low')).toBe(cards[1])
})

test('a task whose area is locked is skipped, and is the best again once it is free', () => {
  const first = card(1, { area: 'src/api' })
  const second = card(2, { area: 'src/web' })
  const { ready, locks } = setOf(first, second)
  locks.take(locks.find('src'))
  expect(ready.best('low')).toBeUndefined()
  locks.free(locks.find('src'))
  ready.freed(locks.find('src'))
  locks.take(locks.find('src/api/auth'))
  expect(ready.best('low')).toBe(second)
  locks.free(locks.find('src/api/auth'))
  ready.freed(locks.find('src/api/auth'))
  expect(ready.best('low')).toBe(first)
})

test('the count of a tier includes tasks whose areas are locked', () => {
  const { ready, locks } = setOf(card(1, { area: 'a' }), card(2, { area: 'a' }))
  locks.take(locks.find('a'))
  expect([ready.best('low'), ready.count('low'), ready.count('normal'), ready.size]).toEqual([
    undefined,
    2,
    0,
    2,
  ])
})

test('adding or removing twice counts once', () => {
  const one = card(1)
  const { ready } = setOf(one, one)
  expect(ready.size).toBe(1)
  ready.remove(one)
  ready.remove(one)
  expect([ready.size, ready.count('low'), ready.best('low'), one.isQueued]).toEqual([0, 0, undefined, false])
})

/** The same set as a plain list with linear search. */
class NaiveSet {
  readonly members = new Set<Card>()
  readonly taken: string[] = []
  readonly before: Order

  constructor(before: Order) {
    this.before = before
  }

  best(tier: Tier): Card | undefined {
    return [...this.members]
      .filter((one) => one.tier === tier && !this.taken.some((area) => overlap(area, one.area)))
      .reduce<Card | undefined>(
        (best, one) => (best === undefined || goesBefore(this.before, one, best) ? one : best),
        undefined,
      )
  }
}

const overlap = (a: string, b: string): boolean =>
  a === b || a === '.' || b === '.' || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

const AREAS = ['.', 'a', 'a/b', 'a/b/c', 'b', 'b/a']
const CARDS = 8

type Step =
  | { readonly kind: 'add' | 'remove'; readonly card: number }
  | { readonly kind: 'tier'; readonly card: number; readonly tier: Tier }
  | { readonly kind: 'take' | 'free'; readonly area: string }
  | { readonly kind: 'look'; readonly tier: Tier }

const place = fc.nat({ max: CARDS - 1 })
const tier = fc.constantFrom(...TIERS)
const area = fc.constantFrom(...AREAS)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'remove' as const), card: place }),
  fc.record({ kind: fc.constant('tier' as const), card: place, tier }),
  fc.record({ kind: fc.constantFrom('take' as const, 'free' as const), area }),
  fc.record({ kind: fc.constant('look' as const), tier }),
)
const someCards = fc.array(fc.record({ area, chain: fc.integer({ min: 1, max: 3 }), tier }), {
  minLength: CARDS,
  maxLength: CARDS,
})

describe.each([
  ['in plan order', inPlanOrder],
  ['with the longest chain first', longestChainFirst],
])('%s', (_, before) => {
  test('any sequence of changes leaves the same best as a linear search', () => {
    fc.assert(
      fc.property(someCards, fc.array(anyStep, { maxLength: 80 }), (drawn, steps) => {
        const cards = drawn.map((one, rank) => card(rank, one))
        const locks = new AreaLocks()
        const ready = new ReadySet<Card>(before, locks)
        const naive = new NaiveSet(before)
        for (const step of steps) {
          play(step, { cards, locks, ready, naive })
          // A lookup moves entries inside, so it must not follow every step.
          if (step.kind === 'look') expect(ready.best(step.tier)).toBe(naive.best(step.tier))
        }
        for (const one of TIERS) expect(ready.best(one)).toBe(naive.best(one))
        expect(new Set(cards.filter((one) => one.isQueued))).toEqual(naive.members)
      }),
      { numRuns: 400 },
    )
  })
})

interface Both {
  readonly cards: readonly Card[]
  readonly locks: AreaLocks
  readonly ready: ReadySet<Card>
  readonly naive: NaiveSet
}

function play(step: Step, { cards, locks, ready, naive }: Both): void {
  switch (step.kind) {
    case 'add':
    case 'remove': {
      const one = cards[step.card]
      if (one === undefined) return
      ready[step.kind](one)
      naive.members[step.kind === 'add' ? 'add' : 'delete'](one)
      return
    }
    case 'tier': {
      const one = cards[step.card]
      if (one === undefined) return
      const isMember = one.isQueued
      ready.remove(one)
      one.tier = step.tier
      if (isMember) ready.add(one)
      return
    }
    case 'take':
      locks.take(locks.find(step.area))
      naive.taken.push(step.area)
      return
    case 'free': {
      const at = naive.taken.indexOf(step.area)
      if (at < 0) return
      naive.taken.splice(at, 1)
      locks.free(locks.find(step.area))
      ready.freed(locks.find(step.area))
      return
    }
    case 'look':
  }
}
