import { describe, expect, test } from 'vitest'
import {
  amountsIn,
  atLeast,
  estimate,
  isWorthNoting,
  minus,
  NO_COSTS,
  NO_LIMIT,
  overrun,
  plus,
  raised,
  raiseMisfit,
  spentOf,
  spentWords,
  withCost,
} from './spending.ts'

const used = (tokens: number, usd = 0) => ({ tokens, usd })

describe('what was spent', () => {
  test('is summed, and never goes below nothing', () => {
    expect(plus(used(1, 2), used(3, 4))).toEqual(used(4, 6))
    expect(minus(used(1, 5), used(3, 4))).toEqual(used(0, 1))
  })

  test('is what a worker told at most, in and out together', () => {
    expect(atLeast(used(10, 0.5), used(5, 2))).toEqual(used(10, 2))
    expect(spentOf({ tokensIn: 10, tokensOut: 5, usd: null })).toEqual(used(15))
    expect(spentOf(undefined)).toEqual(used(0))
  })

  test('is told in words', () => {
    expect(spentWords(used(34_000, 1.2))).toBe('$1.20 and 34,000 tokens')
    expect(spentWords(used(0))).toBe('nothing that was told')
  })
})

describe('a limit', () => {
  const by = (spent: ReturnType<typeof used>) => ({ spent, expected: spent })

  test('is passed by more than it allows, not by as much', () => {
    expect(overrun(used(100), { tokens: 100, usd: null })).toBeNull()
    expect(overrun(used(101), { tokens: 100, usd: null })).toBe('101 of 100 tokens')
    expect(overrun(used(0, 3), { tokens: null, usd: 2.5 })).toBe('$3.00 of $2.50')
    expect(overrun(used(1e9, 1e9), NO_LIMIT)).toBeNull()
  })

  test('is raised to what the person says, else by half', () => {
    const limit = { tokens: 1000, usd: 2 }
    expect(raised(limit, by(used(0)), 'usd=20 tokens=5,000')).toEqual({ usd: 20, tokens: 5000 })
    expect(raised(limit, by(used(0)), 'go on')).toEqual({ usd: 3, tokens: 1500 })
    expect(raised(limit, by(used(4000, 1)), '')).toEqual({ usd: 3, tokens: 6000 })
    expect(raised({ tokens: null, usd: 2 }, by(used(0)), 'tokens=5')).toEqual({ usd: 3, tokens: null })
  })

  test.each([
    ['usd=20 tokens=5,000', { usd: 20, tokens: 5000 }],
    ['tokens: 2_000_000, please', { usd: null, tokens: 2_000_000 }],
    ['USD $7.50.', { usd: 7.5, tokens: null }],
    ['tokens are cheap', { usd: null, tokens: null }],
    ['', { usd: null, tokens: null }],
    ['usd=lots', null],
    ['usd=2O', null],
    ['usd=1e3', null],
    ['20', null],
    ['$20', null],
  ])('%j names what it names, and no amount is guessed', (words, amounts) => {
    expect(amountsIn(words)).toEqual(amounts)
  })

  test('is not raised by what is no more than is used, or where there is none', () => {
    const plan = { limit: { tokens: null, usd: 2 }, total: used(0, 2.5) }
    expect(raiseMisfit(plan, 'usd=2.50')).toBe('$2.50 is no more than $2.50, which is used already')
    expect(raiseMisfit(plan, 'tokens=5')).toBe('the plan has no limit in tokens')
    expect(raiseMisfit(plan, 'usd=many')).toBe('the amount cannot be read')
    expect(raiseMisfit(plan, 'usd=3')).toBeNull()
    expect(raiseMisfit(plan, 'go on')).toBeNull()
  })

  test('is never set below what is spent already', () => {
    expect(raised({ tokens: null, usd: 2 }, by(used(0, 5)), 'usd 1')).toEqual({ usd: 5, tokens: null })
  })
})

test('while a worker runs, only what moves a twentieth of a limit is written down', () => {
  const limits = [{ tokens: 1000, usd: null }, NO_LIMIT]
  expect(isWorthNoting(used(0), used(49), limits)).toBe(false)
  expect(isWorthNoting(used(0), used(50), limits)).toBe(true)
  expect(isWorthNoting(used(0), used(1e9, 1e9), [NO_LIMIT])).toBe(false)
})

describe('the estimate of one more attempt', () => {
  test('is unknown before an attempt has told', () => {
    expect(estimate(NO_COSTS, 'low')).toEqual(used(0))
  })

  test('is the median of its tier, and of all tiers where its own has told nothing', () => {
    const costs = [used(10, 1), used(1000, 9), used(30, 2)].reduce(
      (known, cost) => withCost(known, 'normal', cost),
      NO_COSTS,
    )
    expect(estimate(costs, 'normal')).toEqual(used(30, 2))
    expect(estimate(withCost(costs, 'low', used(4)), 'low')).toEqual(used(4))
    expect(estimate(costs, 'low')).toEqual(used(30, 2))
    expect(estimate(withCost(withCost(NO_COSTS, 'low', used(2)), 'low', used(4)), 'low')).toEqual(used(3))
  })
})
