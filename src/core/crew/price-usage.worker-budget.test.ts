import { expect, test } from 'vitest'
import { overBudget } from './price-usage.ts'

const usage = (tokensIn: number, usd: number | null = null) => ({ tokensIn, tokensOut: 0, usd })
const prices = { mine: { input: 10, output: 20 } }

test.each([
  ['the tokens that are left', usage(100), { tokens: 100, usd: null }, null],
  ['a token more', usage(101), { tokens: 100, usd: null }, '101 of 100 tokens'],
  ['any token where none is left', usage(1), { tokens: 0, usd: null }, '1 of 0 tokens'],
  ['money that the agent reports', usage(1, 1), { tokens: null, usd: 0.95 }, '$1.00 of $0.95'],
  ['money by the prices', usage(200_000), { tokens: null, usd: 1.5, prices }, '$2.00 of $1.50'],
  ['tokens without a price', usage(200_000), { tokens: null, usd: 1.5 }, null],
  ['anything without a limit', usage(9e9, 9e9), { tokens: null, usd: null }, null],
])('a budget is exceeded by more than is left: %s', (_, used, budget, expected) => {
  expect(overBudget(used, budget, 'mine')).toBe(expected)
})
