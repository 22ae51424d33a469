/** What a gate proves of a suite that names no test and is judged by its exit code alone. */
import { describe, expect, test } from 'vitest'
import { aBench, aSpec } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'

const SUM = 'exports.sum = (a, b) => a + b\n'
const TEST =
  "const assert = require('node:assert')\nconst { sum } = require('./sum.js')\nassert.equal(sum(1, 2), 3)\n"
const BASE: Tree = { 'sum.js': SUM, 'test.js': TEST }
const suite = { command: 'node test.js', report: 'exit' }
const bench = (work: Tree, base: Tree = BASE, more: object = suite) =>
  aBench({ base, tree: { ...base, ...work } }, { environment: { test: more as typeof suite } })
const spec = aSpec({
  acceptanceCriteria: ['The sum is documented.'],
  files: { create: [], modify: ['sum.js'], delete: [] },
  testsToAdd: [],
})
const HONEST = `/** Adds. */\n${SUM}`

describe('a suite that is judged by its exit code alone', () => {
  test('passes if it exits with 0 and one of its tests, broken, makes it fail', async () => {
    const { outcome, summary, evidence } = await bench({ 'sum.js': HONEST }).gate('unit', { spec })
    expect([outcome, summary]).toEqual(['passed', expect.stringContaining('judged by the exit code alone')])
    expect(evidence.runs.map(({ ending, mustFail }) => [ending, mustFail])).toEqual([
      [{ kind: 'exited', code: 0 }, undefined],
      [{ kind: 'exited', code: 1 }, true],
    ])
  })

  test.each([
    ['that ends the program with 0', `${SUM}process.exit(0)\n`],
    [
      'that ends it with 0 once an error is thrown',
      `${SUM}process.on('uncaughtException', () => process.exit(0))\n`,
    ],
    ['under which every assertion holds', `require('node:assert').equal = () => {}\n${SUM}`],
  ])('refuses work %s', async (_, cheat) => {
    const { outcome, summary } = await bench({ 'sum.js': cheat }).gate('unit', { spec })
    expect([outcome, summary]).toEqual(['failed', expect.stringContaining('the test runner cannot fail')])
  })

  test('is inconclusive if no test makes it fail, on the base either', async () => {
    const deaf = { command: 'node test.js || true', report: 'exit' }
    const { outcome, summary } = await bench({ 'sum.js': HONEST }, BASE, deaf).gate('unit', { spec })
    expect([outcome, summary]).toEqual([
      'inconclusive',
      expect.stringContaining('a failing test does not make it fail'),
    ])
  })

  test('is shown to fail by another file where the first is not run', async () => {
    const base = { ...BASE, 'test/a-fixture.js': '// sum is mentioned, and nothing runs this\n' }
    const { outcome } = await bench({ 'sum.js': HONEST }, base).gate('unit', { spec })
    expect(outcome).toBe('passed')
  })

  const extended = `${TEST}assert.equal(sum(1, 2, 3), 6)\n`
  const work = { 'sum.js': 'exports.sum = (...all) => all.reduce((a, b) => a + b)\n', 'test.js': extended }
  const grows = aSpec({
    acceptanceCriteria: ['sum(1, 2, 3) is 6'],
    files: { create: [], modify: ['sum.js', 'test.js'], delete: [] },
    testsToAdd: ['test.js'],
  })

  test('shows new tests to be red on the base by the exit code', async () => {
    const { outcome, summary } = await bench(work).gate('tests_to_add', { spec: grows })
    expect([outcome, summary]).toEqual(['passed', expect.stringContaining('red on the base')])
  })

  test('new tests that are green on the base prove no promised behaviour, and are a finding where none is promised', async () => {
    const idle = { ...work, 'test.js': `${TEST}assert.equal(sum(2, 2), 4)\n` }
    const promised = await bench(idle).gate('tests_to_add', { spec: { ...grows, redOnBase: true } })
    expect([promised.outcome, promised.summary]).toEqual([
      'failed',
      expect.stringContaining('green on the base'),
    ])
    const free = await bench(idle).gate('tests_to_add', { spec: { ...grows, redOnBase: false } })
    expect([free.outcome, free.summary]).toEqual(['passed', expect.stringContaining('green on the base')])
  })
})
