import { expect, test } from 'vitest'
import { SCOPES } from '../choice/choose-agent.ts'
import { estimateOf, NO_HISTORY } from './estimate.ts'
import { WORKFLOW_NAMES } from './workflows.ts'

test('without history the estimate is a range that is marked as a guess and grows with the scope', () => {
  const [small, large] = (['small', 'large'] as const).map((scope) =>
    estimateOf({ workflow: scope === 'small' ? 'direct' : 'planned', scope }, NO_HISTORY),
  )
  expect(small).toMatchObject({ tasks: { least: 1, most: 1 }, basis: 'guess' })
  expect(large?.time_ms.most).toBeGreaterThan(small?.time_ms.most ?? Infinity)
})

test('what is not known is left out, and a guess is narrow enough to be of use', () => {
  for (const workflow of WORKFLOW_NAMES) {
    for (const scope of SCOPES) {
      const { tasks, time_ms, tokens } = estimateOf({ workflow, scope }, NO_HISTORY)
      expect(tokens).toBeNull()
      expect(tasks.most / tasks.least).toBeLessThanOrEqual(2)
      expect(time_ms.most / time_ms.least).toBeLessThanOrEqual(5)
    }
  }
})

test('a spec may come to as few tasks as it has requirements', () => {
  const work = { workflow: 'planned', scope: 'large', requirements: 3 } as const
  expect(estimateOf(work, NO_HISTORY).tasks).toEqual({ least: 3, most: 12 })
})

test('with history the estimate comes from what a worker took on average', () => {
  const history = { workers: 10, workMs: 600_000, tokens: 1_000_000, firstPass: 1 }
  expect(estimateOf({ workflow: 'direct', scope: 'small' }, history)).toEqual({
    tasks: { least: 1, most: 1 },
    workers: { least: 1, most: 2 },
    time_ms: { least: 45_000, most: 150_000 },
    tokens: { least: 75_000, most: 250_000 },
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
