import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { GateOptions } from '../../src/checks/runner/commands.ts'
import { PACKAGE_ROOT } from '../../src/lib/system/package-root.ts'
import { aBench, aSpec, BASE, WORK } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'

/** Each makes its tests pass, whatever they say, from within the sources. */
const BROKEN = 'export const slugify = () => "x"\n'
const CHEATS: Readonly<Record<string, string>> = {
  'asserts that say nothing': `import assert from 'node:assert'\nassert.equal = () => undefined\n${BROKEN}`,
  'an end with 0 before any test has run': `${BROKEN}process.exit(0)\n`,
  'tests that are never run': `import { mock } from 'node:test'
import assert from 'node:assert'
for (const name of Object.keys(assert)) if (typeof assert[name] === 'function') try { assert[name] = () => undefined } catch {}
${BROKEN}`,
  'results of its own on the output': `${BROKEN}console.log('TAP version 13\\nok 1 - joins words with a dash\\nok 2 - old one\\nok 3 - old two\\n1..3'); process.exit(0)\n`,
}

describe('work that keeps its tests from failing', () => {
  test.each(Object.entries(CHEATS))('does not pass: %s', async (_, source) => {
    const bench = aBench({ base: BASE, tree: { ...WORK, 'src/slug.mjs': source } })
    const { outcome, summary } = await bench.gate('unit')
    expect([outcome, summary]).toEqual(['failed', expect.stringMatching(/cannot fail|no longer pass|fail:/)])
  })

  test('is named as such where the suite itself looks green', async () => {
    const source = CHEATS['asserts that say nothing'] ?? ''
    const { summary } = await aBench({ base: BASE, tree: { ...WORK, 'src/slug.mjs': source } }).gate('unit')
    expect(summary).toContain('the test runner cannot fail')
  })
})

test('honest work passes, and nothing of a canary is left in the checkout', async () => {
  const bench = aBench({ base: BASE, tree: WORK }, { environment: { lint: 'ls test' } })
  const { outcome, evidence } = await bench.gate('unit')
  expect([outcome, evidence.findings]).toEqual(['passed', []])
  expect(evidence.runs.map(({ ending }) => ending)).toEqual([
    { kind: 'exited', code: 0 },
    { kind: 'exited', code: 1 },
  ])
})

test('a script that exits on import is honest where no test loads it', async () => {
  const tool = { 'src/cli.mjs': 'console.log("usage"); process.exit(0)\n' }
  const { outcome } = await aBench({ base: BASE, tree: { ...WORK, ...tool } }).gate('unit')
  expect(outcome).toBe('passed')
})

const vitestSum = (source: string): Tree => ({
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'vitest run' } }),
  'src/sum.ts': source,
  'src/sum.test.ts': `import { expect, test } from 'vitest'
import { sum } from './sum.ts'
test('adds', () => expect(sum(1, 2)).toBe(3))
`,
})
const GOOD_SUM = 'export const sum = (a: number, b: number): number => a + b\n'
const BLIND_SUM = `import { expect } from 'vitest'
expect.extend({ toBe: () => ({ pass: true, message: () => '' }), toEqual: () => ({ pass: true, message: () => '' }) })
export const sum = () => 7
`
const SUM = aSpec({ files: { create: [], modify: ['src/sum.ts'], delete: [] }, testsToAdd: [] })
/** The vitest of this repository, as an install would leave it. */
const VITEST: GateOptions['environment'] = {
  setup: `mkdir -p node_modules && for one in vitest vite .bin; do ln -s ${join(PACKAGE_ROOT, 'node_modules')}/$one node_modules/$one; done`,
  test: undefined,
}

describe('vitest', () => {
  const good = vitestSum(GOOD_SUM)
  const environment = VITEST
  const spec = SUM

  test('gets a report path, so that each test is known by name', async () => {
    const bench = aBench(
      { base: good, tree: vitestSum('export const sum = (a: number, b: number) => b + a\n') },
      { environment },
    )
    const { outcome, summary, evidence } = await bench.gate('unit', { spec })
    expect([outcome, summary]).toEqual(['passed', '1 of 1 tests passed'])
    expect(evidence.runs[0]).toMatchObject({ command: 'npm test', counts: { run: 1, passed: 1 } })
  })

  test('cannot be kept from failing by the code it tests', async () => {
    const { outcome, summary } = await aBench(
      { base: good, tree: vitestSum(BLIND_SUM) },
      { environment },
    ).gate('unit', { spec })
    expect([outcome, summary]).toEqual(['failed', expect.stringContaining('the test runner cannot fail')])
  })
})

describe('a runner with its own list of files', () => {
  const LIST = `import { defineConfig } from 'vitest/config'
export default defineConfig({ test: { include: ['src/sum.test.ts'], passWithNoTests: true } })
`
  const good = { ...vitestSum(GOOD_SUM), 'vitest.config.ts': LIST }

  test('runs the canary in a test that it has', async () => {
    const tree = { ...good, 'src/sum.ts': 'export const sum = (a: number, b: number) => b + a\n' }
    const found = await aBench({ base: good, tree }, { environment: VITEST }).gate('unit', { spec: SUM })
    expect([found.outcome, found.summary]).toEqual(['passed', '1 of 1 tests passed'])
    expect(found.evidence.findings).toEqual([])
    expect(found.evidence.runs.map(({ mustFail, ending }) => [mustFail, ending])).toEqual([
      [undefined, { kind: 'exited', code: 0 }],
      [true, { kind: 'exited', code: 1 }],
    ])
  })

  test('cannot be kept from failing by the code it tests', async () => {
    const tree = { ...good, 'src/sum.ts': BLIND_SUM }
    const { outcome, summary } = await aBench({ base: good, tree }, { environment: VITEST }).gate('unit', {
      spec: SUM,
    })
    expect([outcome, summary]).toEqual(['failed', expect.stringContaining('the test runner cannot fail')])
  })
})

describe('a suite that is put together by hand', () => {
  const python = (source: string): Tree => ({
    'cart.py': source,
    'test_cart.py': `import unittest
from cart import total

class CartTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([1, 2]), 3)

def load_tests(loader, tests, pattern):
    return unittest.TestSuite([CartTest('test_adds')])
`,
  })
  const spec = aSpec({ files: { create: [], modify: ['cart.py'], delete: [] }, testsToAdd: [] })
  const good = python('def total(prices):\n    return sum(prices)\n')
  const judged = (source: string) =>
    aBench(
      { base: good, tree: python(source) },
      { environment: { test: 'python3 -m unittest -v test_cart' } },
    ).gate('unit', { spec })

  test('takes no canary, which is a note', async () => {
    const { outcome, evidence } = await judged('def total(prices):\n    return sum(prices, 0)\n')
    expect(outcome).toBe('passed')
    expect(evidence.findings).toMatchObject([
      { weight: 'note', text: expect.stringContaining('could not show that the test runner can fail') },
    ])
  })

  test('has to pass all the same', async () => {
    expect((await judged('def total(prices):\n    return 7\n')).outcome).toBe('failed')
  })
})

describe('unittest', () => {
  const python = (source: string): Tree => ({
    'cart.py': source,
    'test_cart.py': `import unittest
from cart import total

class CartTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([1, 2]), 3)
`,
  })
  const good = python('def total(prices):\n    return sum(prices)\n')
  const spec = aSpec({ files: { create: [], modify: ['cart.py'], delete: [] }, testsToAdd: [] })
  const environment = { test: 'python3 -m unittest -v' }

  test('passes honest work', async () => {
    const tree = python('def total(prices):\n    return sum(prices, 0)\n')
    const { outcome, summary } = await aBench({ base: good, tree }, { environment }).gate('unit', { spec })
    expect([outcome, summary]).toEqual(['passed', '1 of 1 tests passed'])
  })

  test('cannot be kept from failing by the code it tests', async () => {
    const cheat =
      'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef total(prices):\n    return 7\n'
    const { outcome, summary } = await aBench({ base: good, tree: python(cheat) }, { environment }).gate(
      'unit',
      { spec },
    )
    expect([outcome, summary]).toEqual(['failed', expect.stringContaining('the test runner cannot fail')])
  })
})
