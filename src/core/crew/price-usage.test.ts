import { expect, test } from 'vitest'
import { priceUsage } from './price-usage.ts'

const usage = { tokensIn: 1_000_000, tokensOut: 100_000, tokensCached: 400_000, usd: null }
const prices = {
  'gpt-6': { input: 2, output: 10, cached: 0.5 },
  codex: { input: 1, output: 1 },
}

test.each([
  ['the price of its model', { ...usage, model: 'gpt-6' }, 'codex', 1.2 + 0.2 + 1],
  ['the price of its agent where the model has none', { ...usage, model: 'other' }, 'codex', 1.1],
  ['nothing known without a price', usage, 'claude', null],
  ['nothing known for names of objects', { ...usage, model: 'constructor' }, null, null],
  ['what the agent reports', { ...usage, usd: 7, model: 'gpt-6' }, 'codex', 7],
  ['the price where the agent reports zero for tokens', { ...usage, usd: 0, model: 'gpt-6' }, 'codex', 2.4],
  ['zero for nothing', { tokensIn: 0, tokensOut: 0, usd: 0 }, 'claude', 0],
] as const)('tokens cost %s', (_rule, used, agent, usd) => {
  const cost = priceUsage(used, { prices, agent }).usd
  if (usd === null) expect(cost).toBeNull()
  else expect(cost).toBeCloseTo(usd, 9)
})

test('without prices the cost of unpriced tokens is unknown', () => {
  expect(priceUsage({ ...usage, usd: 0 }, { prices: undefined, agent: 'opencode' }).usd).toBeNull()
})
