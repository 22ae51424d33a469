import { expect, test } from 'vitest'
import type { UsageRow } from '../../../src/protocol/answers.ts'
import { usageText } from './format.ts'

const usage = (fields: Partial<UsageRow>): UsageRow => ({
  tokens: 412_000,
  tokens_in: 400_000,
  tokens_out: 12_000,
  tokens_cached: 0,
  usd: null,
  tokens_estimated: 0,
  tokens_unpriced: 0,
  ...fields,
})

test('tokens come first, and money only where a price is known', () => {
  expect(usageText(usage({}))).toBe('412k tokens')
  expect(usageText(usage({ usd: 0 }))).toBe('412k tokens')
  expect(usageText(usage({ usd: 1.2 }))).toBe('412k tokens, $1.20')
  expect(usageText(usage({ usd: 1.2, tokens_unpriced: 5 }))).toBe('412k tokens, $1.20 for a part of them')
})
