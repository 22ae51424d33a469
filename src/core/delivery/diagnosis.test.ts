import { describe, expect, test } from 'vitest'
import { anIntegrationTest } from '../../../test/helpers/plan-builder.ts'
import { diagnosisOf, sightingOf, type Search } from './diagnosis.ts'

const energy = {
  ...anIntegrationTest('it-1', 'core', ['1', '2']),
  reference: { energy: { value: 1, abs: 0.1 } },
}
const at = (outcome: 'passed' | 'failed' | 'inconclusive', value: number | null) => ({
  outcome,
  output: `energy is ${value}`,
  values: { energy: value },
})

describe('one run of a test', () => {
  test.each([
    ['good', at('passed', 1)],
    ['off', at('failed', 2)],
    ['broken', at('failed', null)],
    ['unknown', at('inconclusive', null)],
  ] as const)('%s', (sighting, result) => {
    expect(sightingOf(energy, result)).toBe(sighting)
  })

  test('a test without references is good or broken, never off', () => {
    expect(sightingOf({ reference: {} }, { outcome: 'failed', values: {} })).toBe('broken')
  })
})

describe('a diagnosis', () => {
  const points = [
    { task: null, sha: 'a'.repeat(40), tree: 't0' },
    { task: '1', sha: 'b'.repeat(40), tree: 't1' },
    { task: '2', sha: 'c'.repeat(40), tree: 't2' },
  ]
  const search = (...probes: [number, ReturnType<typeof at>][]): Search => ({
    test: energy,
    points,
    probes: new Map(probes),
  })

  test('names the task that moved the value, and the value before and after', () => {
    const found = diagnosisOf(search([2, at('failed', 2)], [1, at('passed', 1)]), { kind: 'found', first: 2 })
    expect(found).toMatchObject({
      test: 'it-1',
      culprit: '2',
      words: 'passes at task 1 (bbbbbbbbbbbb) and fails since task 2 (cccccccccccc): energy 1 → 2',
    })
    expect(found.probes.map(({ task }) => task)).toEqual(['1', '2'])
  })

  test('names no task where the test passed nowhere', () => {
    const found = diagnosisOf(search([0, at('failed', null)], [2, at('failed', 2)]), {
      kind: 'never_good',
      first: 2,
    })
    expect(found.culprit).toBeNull()
    expect(found.words).toBe(
      'passes at none of the 2 probed commits; first out of tolerance at task 2 (cccccccccccc): energy is 2',
    )
  })

  test('reports a flaky test', () => {
    const found = diagnosisOf(search([2, at('passed', 1)]), { kind: 'passes_now' })
    expect(found).toMatchObject({ culprit: null, words: 'passed when run again: the test is flaky' })
  })
})
