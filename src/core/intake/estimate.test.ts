import { expect, test } from 'vitest'
import { estimateOf, NO_HISTORY } from './estimate.ts'

test('without history the estimate is a range that is marked as a guess and grows with the scope', () => {
  const [small, large] = (['small', 'large'] as const).map((scope) =>
    estimateOf({ workflow: scope === 'small' ? 'direct' : 'planned', scope }, NO_HISTORY),
  )
  expect(small).toMatchObject({ tasks: { least: 1, most: 1 }, basis: 'guess' })
  expect(large?.timeMs.most).toBeGreaterThan(small?.timeMs.most ?? Infinity)
})

test('with history the estimate comes from what a worker took on average', () => {
  const history = { workers: 10, workMs: 600_000, tokens: 1_000_000, firstPass: 1 }
  expect(estimateOf({ workflow: 'direct', scope: 'small' }, history)).toEqual({
    tasks: { least: 1, most: 1 },
    workers: { least: 1, most: 2 },
    timeMs: { least: 30_000, most: 180_000 },
    tokens: { least: 50_000, most: 300_000 },
    basis: 'history',
  })
  expect(estimateOf({ workflow: 'direct', scope: 'small' }, { ...history, tokens: 0 }).tokens).toBeNull()
})

test('a crew that often needs another attempt is estimated with more workers', () => {
  const of = (firstPass: number) =>
    estimateOf({ workflow: 'fix', scope: 'small' }, { workers: 10, workMs: 1, tokens: 1, firstPass }).workers
      .most
  expect(of(0)).toBeGreaterThan(of(1))
})
