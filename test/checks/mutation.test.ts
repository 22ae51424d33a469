import { expect, test } from 'vitest'
import { aBench, aSpec, BASE, WORK } from './gate-bench.ts'

const critical = aSpec({
  tier: 'critical',
  files: { create: ['src/price.mjs'], modify: [], delete: [] },
  testsToAdd: ['test/price.test.mjs'],
})
const PRICE = `export function price(count, each) {
  if (count > 10) {
    return count * each - 5
  }
  return count * each
}
`
const testing = (...lines: readonly string[]) => `import assert from 'node:assert'
import { test } from 'node:test'
import { price } from '../src/price.mjs'
${lines.join('\n')}
`
const GOOD = testing(
  "test('takes off five', () => assert.equal(price(20, 2), 35))",
  "test('multiplies', () => assert.equal(price(2, 3), 6))",
)
const EMPTY = testing("test('is there', () => assert.equal(typeof price(2, 3), 'number'))")
const treesWith = (test: string) => ({
  base: BASE,
  tree: { ...WORK, 'src/price.mjs': PRICE, 'test/price.test.mjs': test },
})

test('tests that detect the mutants pass, and the summary counts them', async () => {
  const { outcome, summary } = await aBench(treesWith(GOOD)).gate('tests_to_add', { spec: critical })
  expect([outcome, summary]).toEqual(['passed', expect.stringContaining('the tests detected 4 of 4 mutants')])
})

test('tests without assertions fail, with every undetected mutant', async () => {
  const { outcome, evidence } = await aBench(treesWith(EMPTY)).gate('tests_to_add', { spec: critical })
  expect(outcome).toBe('failed')
  expect(evidence.findings.filter(({ weight }) => weight === 'blocks')).toEqual(
    expect.arrayContaining([expect.objectContaining({ file: 'src/price.mjs', line: 2 })]),
  )
})

test('other tasks are spared, unless the settings say so', async () => {
  const spec = { ...critical, tier: 'normal' } as const
  expect(await aBench(treesWith(EMPTY)).gate('tests_to_add', { spec })).toMatchObject({ outcome: 'passed' })
  const all = aBench(treesWith(EMPTY), { mutation: { of: 'all', limitMs: 60_000 } })
  expect(await all.gate('tests_to_add', { spec })).toMatchObject({ outcome: 'failed' })
})

test('mutants that ran out of time do not count', async () => {
  const bench = aBench(treesWith(EMPTY), { mutation: { of: 'all', limitMs: 1 } })
  expect(await bench.gate('tests_to_add', { spec: critical })).toMatchObject({ outcome: 'passed' })
})
