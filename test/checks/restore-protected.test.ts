import { describe, expect, test } from 'vitest'
import { aBench, aSpec, BASE, NODE_TEST, SLUG_TEST, WORK } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'

/** A base whose only rule is that sums add up, and work that breaks it and hides it. */
const SUM_TEST = `import assert from 'node:assert'
import { test } from 'node:test'
import { sum } from '../src/sum.mjs'
test('adds', () => assert.equal(sum(1, 2), 3))
`
const HOLLOW = "import { test } from 'node:test'\ntest('adds', () => undefined)\n"
const manifest = (script: string, more: object = {}) =>
  JSON.stringify({ name: 'sums', scripts: { test: script }, ...more })
const base: Tree = {
  ...BASE,
  'package.json': manifest(NODE_TEST.join(' ')),
  'src/sum.mjs': 'export const sum = (a, b) => a + b\n',
  'test/sum.test.mjs': SUM_TEST,
}
const good: Tree = { ...base, 'src/slug.mjs': WORK['src/slug.mjs'] ?? '', 'test/slug.test.mjs': SLUG_TEST }
const broken: Tree = { ...good, 'src/sum.mjs': 'export const sum = () => 4\n' }
const npm = { environment: { test: undefined } }

describe('tests of the base', () => {
  test('are run as they were, whatever the work made of them', async () => {
    const bench = aBench({ base, tree: { ...broken, 'test/sum.test.mjs': HOLLOW } })
    const { outcome, evidence } = await bench.gate('unit')
    expect(outcome).toBe('failed')
    expect(evidence.findings.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['fails: adds', 'was restored from the base for this run']),
    )
  })

  test('that pass only as they were do not make the changed ones pass', async () => {
    const { summary, outcome } = await aBench({ base, tree: { ...good, 'test/sum.test.mjs': HOLLOW } }).gate(
      'unit',
    )
    expect(outcome).toBe('failed')
    expect(summary).toBe('4 of 4 tests passed, but only with test/sum.test.mjs restored from the base')
  })

  test('are there again where the work removed their folder or put something else there', async () => {
    const { 'test/sum.test.mjs': _, 'test/old.test.mjs': __, 'test/slug.test.mjs': ___, ...rest } = broken
    const bench = aBench({ base, tree: { ...rest, test: 'not a folder\n' } })
    const { evidence } = await bench.gate('unit')
    expect(evidence.findings.map(({ text }) => text)).toContain('fails: adds')
  })

  test('are the changed ones where the contract names them', async () => {
    const spec = aSpec({
      files: { create: ['src/slug.mjs'], modify: ['src/sum.mjs', 'test/sum.test.mjs'], delete: [] },
    })
    const changed = SUM_TEST.replace('sum(1, 2), 3', 'sum(1, 2), 4')
    const bench = aBench({ base, tree: { ...broken, 'test/sum.test.mjs': changed } })
    expect(await bench.gate('unit', { spec })).toMatchObject({ outcome: 'passed' })
  })
})

describe('the command', () => {
  test('means what it meant on the base', async () => {
    for (const script of ['exit 0', "printf 'TAP version 13\\nok 1 - adds\\n1..1\\n'"]) {
      const bench = aBench({ base, tree: { ...broken, 'package.json': manifest(script) } }, npm)
      const { outcome, evidence } = await bench.gate('unit')
      expect(outcome).toBe('failed')
      expect(evidence.findings.map(({ text }) => text)).toContain('fails: adds')
    }
  })

  test('keeps what else the work wrote into its manifest', async () => {
    const needs = { imports: { '#slug': './src/slug.mjs' } }
    const tree = {
      ...good,
      'package.json': manifest('exit 0', needs),
      'test/slug.test.mjs': SLUG_TEST.replace('../src/slug.mjs', '#slug'),
    }
    const { summary } = await aBench({ base, tree }, npm).gate('unit')
    expect(summary).toBe('4 of 4 tests passed, but only with package.json restored from the base')
  })

  test('is not brought by the work, unless the contract lets it', async () => {
    const bare = { 'package.json': '{}', 'src/index.mjs': '' }
    const bench = aBench({ base: bare, tree: { ...bare, 'package.json': manifest('exit 0') } }, npm)
    expect(await bench.gate('unit')).toMatchObject({ outcome: 'not_applicable' })
    const spec = aSpec({ files: { create: [], modify: ['package.json'], delete: [] } })
    expect(await bench.gate('unit', { spec })).toMatchObject({
      outcome: 'inconclusive',
      evidence: { runs: [{ command: 'npm test' }] },
    })
  })

  test('of the work is taken where a project begins', async () => {
    const tree = { ...good }
    const bench = aBench({ base: {}, tree }, npm)
    expect(await bench.gate('unit')).toMatchObject({ outcome: 'passed', summary: '4 of 4 tests passed' })
  })

  test('hears no settings the work brings along', async () => {
    const tree = { ...broken, '.npmrc': 'script-shell=/bin/true\n' }
    const { outcome, evidence } = await aBench({ base, tree }, npm).gate('unit')
    expect(outcome).toBe('failed')
    expect(evidence.findings.map(({ text }) => text)).toContain('fails: adds')
  })
})

test('honest work is run as it is', async () => {
  const { outcome, evidence } = await aBench({ base, tree: good }, npm).gate('unit')
  expect([outcome, evidence.findings]).toEqual(['passed', []])
})
