import { describe, expect, test } from 'vitest'
import {
  amountsIn,
  atLeast,
  costOf,
  latest,
  spentAtEnd,
  estimate,
  isWorthNoting,
  minus,
  NO_COSTS,
  NO_LIMIT,
  overrun,
  plus,
  raised,
  rejectRaise,
  spentOf,
  formatSpent,
  withCost,
} from './spending.ts'

const used = (tokens: number, usd = 0) => ({ tokens, usd })

describe('usage', () => {
  test('is summed, and never goes below nothing', () => {
    expect(plus(used(1, 2), used(3, 4))).toEqual(used(4, 6))
    expect(minus(used(1, 5), used(3, 4))).toEqual(used(0, 1))
  })

  test('is the highest reported amount, input and output together', () => {
    expect(atLeast(used(10, 0.5), used(5, 2))).toEqual(used(10, 2))
    expect(spentOf({ tokensIn: 10, tokensOut: 5, usd: null })).toMatchObject(used(15))
    expect(spentOf(undefined)).toEqual(used(0))
  })

  test('keeps how its tokens divide, and which of them are estimated or have no price', () => {
    const counted = spentOf({ tokensIn: 10, tokensOut: 5, tokensCached: 4, usd: 0.5 })
    const estimated = spentOf({ tokensIn: 3, tokensOut: 1, usd: null, isEstimated: true })
    expect(plus(counted, estimated)).toEqual({
      tokens: 19,
      usd: 0.5,
      parts: { in: 13, out: 6, cached: 4, estimated: 4, unpriced: 4 },
    })
    expect(minus(plus(counted, estimated), estimated)).toEqual(counted)
  })

  test('is not lowered by a later report, except where a count replaces an estimate', () => {
    const estimated = spentOf({ tokensIn: 90, tokensOut: 10, usd: null, isEstimated: true })
    const counted = spentOf({ tokensIn: 40, tokensOut: 10, usd: null })
    expect(latest(estimated, counted)).toEqual(counted)
    expect(latest(counted, estimated)).toEqual(estimated)
    expect(latest(counted, used(20))).toEqual(counted)
  })

  test('of a rough estimate gives way to what the worker reports', () => {
    const usage = { tokensIn: 900, tokensOut: 100, usd: null, isEstimated: true }
    const report = { usage: { tokensIn: 10, tokensOut: 5, usd: null } }
    expect(spentAtEnd({ report, usage }).tokens).toBe(15)
    expect(spentAtEnd({ report: null, usage }).tokens).toBe(1000)
    expect(spentAtEnd({ report, usage: { ...usage, isEstimated: false } }).tokens).toBe(1000)
  })

  test('has an unknown cost where no token has a price, and a known one where each has', () => {
    expect(costOf(spentOf({ tokensIn: 10, tokensOut: 5, usd: null }))).toBeNull()
    expect(costOf(spentOf({ tokensIn: 10, tokensOut: 5, usd: 0 }))).toBe(0)
    expect(costOf(used(10, 2))).toBe(2)
    expect(costOf(used(0))).toBeNull()
  })

  test('is formatted as text', () => {
    expect(formatSpent(used(34_000, 1.2))).toBe('$1.20 and 34,000 tokens')
    expect(formatSpent(used(0))).toBe('an unknown amount')
    const estimated = spentOf({ tokensIn: 900, tokensOut: 100, usd: null, isEstimated: true })
    expect(formatSpent(estimated)).toBe('1,000 tokens (estimated)')
    const both = plus(estimated, spentOf({ tokensIn: 10, tokensOut: 5, usd: 1 }))
    expect(formatSpent(both)).toBe(
      '$1.00 and 1,015 tokens (partly estimated; the price of 1,000 of them is unknown)',
    )
  })
})

describe('a limit', () => {
  const by = (spent: ReturnType<typeof used>) => ({ spent, expected: spent })

  test('is exceeded by more than it allows, not by exactly that', () => {
    expect(overrun(used(100), { tokens: 100, usd: null })).toBeNull()
    expect(overrun(used(101), { tokens: 100, usd: null })).toBe('101 of 100 tokens')
    expect(overrun(used(0, 3), { tokens: null, usd: 2.5 })).toBe('$3.00 of $2.50')
    expect(overrun(used(1e9, 1e9), NO_LIMIT)).toBeNull()
  })

  test('is raised to the named amount, else by half', () => {
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
  ])('%j is parsed without guessing an amount', (text, amounts) => {
    expect(amountsIn(text)).toEqual(amounts)
  })

  test('is not raised below the amount already used, nor where there is none', () => {
    const plan = { limit: { tokens: null, usd: 2 }, total: used(0, 2.5) }
    expect(rejectRaise(plan, 'usd=2.50')).toBe('$2.50 is not more than the $2.50 already used')
    expect(rejectRaise(plan, 'tokens=5')).toBe('the plan has no limit in tokens')
    expect(rejectRaise(plan, 'usd=many')).toBe('cannot parse the amount')
    expect(rejectRaise(plan, 'usd=3')).toBeNull()
    expect(rejectRaise(plan, 'go on')).toBeNull()
  })

  test('is never set below what is spent already', () => {
    expect(raised({ tokens: null, usd: 2 }, by(used(0, 5)), 'usd 1')).toEqual({ usd: 5, tokens: null })
  })
})

describe('while a worker runs, its usage is recorded', () => {
  const of = (tokens: number) => [
    { limit: { tokens: 1000, usd: null }, used: used(tokens) },
    { limit: NO_LIMIT, used: used(0) },
  ]

  test('in steps of a twentieth of a limit', () => {
    expect(isWorthNoting(used(0), used(49), of(0))).toBe(false)
    expect(isWorthNoting(used(0), used(50), of(0))).toBe(true)
    expect(isWorthNoting(used(0), used(1e9, 1e9), [{ limit: NO_LIMIT, used: used(0) }])).toBe(false)
  })

  test('in smaller steps close to the limit, and at once when it is crossed', () => {
    expect(isWorthNoting(used(900), used(919), of(900))).toBe(false)
    expect(isWorthNoting(used(900), used(920), of(900))).toBe(true)
    expect(isWorthNoting(used(999), used(1001), of(999))).toBe(true)
    expect(isWorthNoting(used(0), used(2), of(999))).toBe(true)
  })

  test('where a count replaces an estimate', () => {
    const usage = { tokensIn: 500, tokensOut: 0, usd: null }
    const estimated = spentOf({ ...usage, tokensIn: 600, isEstimated: true })
    expect(isWorthNoting(estimated, spentOf(usage), of(600))).toBe(true)
  })
})

describe('the estimate of one more attempt', () => {
  test('is zero before an attempt has reported', () => {
    expect(estimate(NO_COSTS, 'low')).toEqual(used(0))
  })

  test('is the median of its tier, and of all tiers where its own has no reports', () => {
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
