import { expect, test } from 'vitest'
import { brainLine, budgetLine, budgetUsed } from './plan-lines.ts'

const usage = {
  tokens: 1_900_000,
  tokens_in: 1_800_000,
  tokens_out: 100_000,
  tokens_cached: 0,
  usd: 3.4,
  tokens_estimated: 0,
  tokens_unpriced: 0,
}
const budget = { plan: 'cart', usage, limits: [], thinking: null, tasks: [] }
const limit = { of: 'plan_usd', limit: 20, used: 3.4 } as const

test('tokens come first, and money only where a price is known', () => {
  expect(budgetLine(budget)).toBe('1.9M tokens · $3.40')
  expect(budgetLine({ ...budget, limits: [limit] })).toBe('1.9M tokens · $3.40 of $20.00')
  expect(budgetLine({ ...budget, usage: { ...usage, usd: null } })).toBe('1.9M tokens')
  expect(budgetLine({ ...budget, usage: { ...usage, usd: 0 } })).not.toContain('$0.00')
  expect(budgetLine({ ...budget, usage: { ...usage, tokens: 0, usd: null } })).toBeNull()
  expect(budgetUsed({ ...budget, limits: [limit] })).toBeCloseTo(0.17)
})

test('the brain has a line of its own where it was asked or has a limit', () => {
  const thinking = { calls: 3, requests: 4, fallbacks: 0, usage: { ...usage, tokens: 12_000, usd: 0.4 } }
  expect(brainLine(budget)).toBeNull()
  expect(brainLine({ ...budget, thinking })).toBe('brain: 12k tokens · $0.40')
  const limits = [{ of: 'brain_usd', limit: 2, used: 0.4 } as const]
  expect(brainLine({ ...budget, thinking, limits })).toBe('brain: 12k tokens · $0.40 of $2.00')
  expect(brainLine({ ...budget, limits })).toBe('brain: nothing of $2.00')
})
