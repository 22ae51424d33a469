import { expect, test } from 'vitest'
import { shortUsage, usageText } from './format-usage.ts'

const usage = {
  tokens: 34_000,
  tokens_in: 30_000,
  tokens_out: 4000,
  tokens_cached: 20_000,
  usd: 1.2,
  tokens_estimated: 0,
  tokens_unpriced: 0,
}

test('usage is money and tokens, and how they divide', () => {
  expect(usageText(usage)).toBe('$1.20, 34,000 tokens (30,000 in, 20,000 of them cached; 4,000 out)')
  expect(shortUsage(usage)).toBe('$1.20, 34,000 tokens')
})

test('an estimate is marked, and what has no price', () => {
  expect(shortUsage({ ...usage, usd: null, tokens_estimated: 34_000 })).toBe('34,000 tokens (estimated)')
  expect(shortUsage({ ...usage, tokens_estimated: 4000, tokens_unpriced: 4000 })).toBe(
    '$1.20, 34,000 tokens (partly estimated; 4,000 without a price)',
  )
})

test('usage that is not known is named as such', () => {
  expect(shortUsage({ ...usage, tokens: 0, usd: null })).toBe('nothing known')
})

test('money is never shown as nothing', () => {
  expect(shortUsage({ ...usage, usd: 0 })).toBe('34,000 tokens')
  expect(shortUsage({ ...usage, usd: 0.004 })).toBe('under $0.01, 34,000 tokens')
})
