import { expect, test } from 'vitest'
import { watchBudget } from './requests.ts'

const used = (tokensIn: number) =>
  ({ tokensIn, tokensOut: 0, tokensCached: null, usd: null, model: null }) as const

test('a worker over its budget is reported once, with the update that crossed it', () => {
  const seen: unknown[] = []
  const watch = watchBudget({ agent: 'mine', budget: { tokens: 100, usd: null } }, (...over) =>
    seen.push(over),
  )
  for (const tokens of [50, 100, 120, 140]) watch(used(tokens))
  expect(seen).toEqual([['it has used 120 of 100 tokens that were left for it', used(120)]])
})

test('a job of an earlier build has no budget, and nothing ends it', () => {
  const watch = watchBudget({ agent: 'mine' }, () => expect.unreachable())
  watch(used(9e9))
})
