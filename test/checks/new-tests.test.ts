import { describe, expect, test } from 'vitest'
import { aBench, aSpec, BASE, NODE_TEST, OLD_TEST, SLUG, SLUG_TEST, WORK } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'

const HOLLOW = "import { test } from 'node:test'\ntest('looks good', () => undefined)\n"

describe('new tests on the base', () => {
  test('have to be red file by file: a hollow one does not hide behind a good one', async () => {
    const spec = aSpec({ testsToAdd: ['test/slug.test.mjs', 'test/more.test.mjs'] })
    const bench = aBench({ base: BASE, tree: { ...WORK, 'test/more.test.mjs': HOLLOW } })
    const { outcome, summary } = await bench.gate('tests_to_add', { spec })
    expect([outcome, summary]).toEqual([
      'failed',
      '2 test files present and passing; test/more.test.mjs: green on the base too, so they prove nothing about this change',
    ])
  })

  test('that are green there are named beside those that are red', async () => {
    const base = { ...BASE, 'src/slug.mjs': 'export const slugify = (text) => text\n' }
    const both = `${SLUG_TEST}test('is a text', () => assert.equal(typeof slugify('a'), 'string'))\n`
    const bench = aBench({ base, tree: { ...WORK, 'test/slug.test.mjs': both } })
    const { outcome, summary } = await bench.gate('tests_to_add')
    expect([outcome, summary]).toEqual([
      'passed',
      '1 test file present and passing; red on the base, except is a text (green there too)',
    ])
  })
})

describe('a test of the named file that failed before', () => {
  const OLD_RED =
    "import { test } from 'node:test'\nimport assert from 'node:assert'\ntest('old red', () => assert.fail())\n"
  const base = { ...BASE, 'test/slug.test.mjs': OLD_RED }
  const judged = async (text: string) => {
    const spec = aSpec({ redOnBase: true })
    const bench = aBench({ base, tree: { ...WORK, 'test/slug.test.mjs': text } })
    return bench.gate('tests_to_add', { spec, baselineFailing: ['old red'] })
  }

  test('does not fail the work beside a new one', async () => {
    const { outcome, summary } = await judged(`${SLUG_TEST}test('old red', () => assert.fail())\n`)
    expect([outcome, summary]).toEqual([
      'passed',
      '1 test file present and passing; 1 failed before and still does; red on the base',
    ])
  })

  test('does not make the others red on the base', async () => {
    const { outcome, summary } = await judged(`${OLD_RED}test('looks good', () => undefined)\n`)
    expect([outcome, summary]).toEqual(['failed', expect.stringContaining('green on the base too')])
  })
})

describe('the tests of the named files themselves', () => {
  const SKIPPED = SLUG_TEST.replace("test('", "test.skip('")
  const MORE = `${SLUG_TEST}test.skip('takes nothing', () => assert.equal(slugify(''), 'x'))\n`

  test('are not replaced by other tests of the suite that pass', async () => {
    // No command is known here that runs the named file alone.
    const suite = { environment: { test: ['sh', '-c', `${process.execPath} --test --test-reporter=tap`] } }
    const left = aBench({ base: BASE, tree: { ...WORK, 'test/slug.test.mjs': SKIPPED } }, suite)
    const { outcome, summary } = await left.gate('tests_to_add')
    expect([outcome, summary]).toEqual(['failed', 'no test of test/slug.test.mjs ran and passed'])
    expect((await aBench({ base: BASE, tree: WORK }, suite).gate('tests_to_add')).outcome).toBe('passed')
  })

  test('are not replaced by other tests that a command of the contract names beside them', async () => {
    const command = `${process.execPath} --test --test-reporter=tap test/old.test.mjs test/slug.test.mjs`
    const spec = aSpec({ testsToRun: [command] })
    const left = aBench({ base: BASE, tree: { ...WORK, 'test/slug.test.mjs': SKIPPED } })
    const { outcome, summary } = await left.gate('tests_to_add', { spec })
    expect([outcome, summary]).toEqual(['failed', 'no test of test/slug.test.mjs ran and passed'])
    expect((await aBench({ base: BASE, tree: WORK }).gate('tests_to_add', { spec })).outcome).toBe('passed')
  })

  test('are all run: one that is skipped or todo fails beside one that passes', async () => {
    for (const text of [MORE, MORE.replace('test.skip', 'test.todo')]) {
      const bench = aBench({ base: BASE, tree: { ...WORK, 'test/slug.test.mjs': text } })
      const { outcome, summary } = await bench.gate('tests_to_add')
      expect([outcome, summary]).toEqual([
        'failed',
        expect.stringMatching(/not every test of the named files ran: (skipped|todo): takes nothing/),
      ])
    }
  })

  test('are run file by file: one that runs does not hide one that is skipped whole', async () => {
    const spec = aSpec({ testsToAdd: ['test/slug.test.mjs', 'test/more.test.mjs'] })
    const none = "import { test } from 'node:test'\nconst later = []\nfor (const name of later) test(name)\n"
    const bench = aBench({ base: BASE, tree: { ...WORK, 'test/more.test.mjs': none } })
    const { outcome, summary } = await bench.gate('tests_to_add', { spec })
    expect([outcome, summary]).toEqual(['failed', 'no test of test/more.test.mjs ran and passed'])
  })

  test('may be skipped where the base skips them as well', async () => {
    const old = `${OLD_TEST}test.skip('only elsewhere', () => undefined)\n`
    const base = {
      ...BASE,
      'src/slug.mjs': 'export const slugify = (text) => text\n',
      'test/old.test.mjs': old,
    }
    const grown = `import assert from 'node:assert'\nimport { slugify } from '../src/slug.mjs'\n${old}test('joins', () => assert.equal(slugify('A b'), 'a-b'))\n`
    const tree = { ...WORK, 'test/old.test.mjs': grown }
    const spec = aSpec({ testsToAdd: ['test/old.test.mjs'] })
    expect((await aBench({ base, tree }).gate('tests_to_add', { spec })).outcome).toBe('passed')
  })
})

describe('test files that were only inferred from the files to modify', () => {
  const WAS: Tree = { ...WORK, 'src/slug.mjs': `// as it was\n${SLUG}` }
  const refactor = (spec: Partial<ReturnType<typeof aSpec>>) => ({
    spec: aSpec({
      files: { create: [], modify: ['src/slug.mjs', 'test/slug.test.mjs'], delete: [] },
      ...spec,
    }),
  })

  test('do not block a refactoring for being green on the base', async () => {
    const inferred = refactor({ inferred: ['tests_to_add'], inferredTests: ['test/slug.test.mjs'] })
    const { outcome, summary } = await aBench({ base: WAS, tree: WORK }).gate('tests_to_add', inferred)
    expect([outcome, summary]).toEqual([
      'passed',
      '1 test file present and passing; test/slug.test.mjs: green on the base too (inferred from the files to modify)',
    ])
    expect((await aBench({ base: WAS, tree: WORK }).gate('tests_to_add', refactor({}))).outcome).toBe(
      'failed',
    )
  })

  test('do not excuse a test file that the plan names', async () => {
    const tree = { ...WORK, 'test/more.test.mjs': HOLLOW }
    const spec = aSpec({
      files: { create: ['test/more.test.mjs'], modify: ['src/slug.mjs', 'test/slug.test.mjs'], delete: [] },
      testsToAdd: ['test/slug.test.mjs', 'test/more.test.mjs'],
      inferred: ['tests_to_add'],
      inferredTests: ['test/slug.test.mjs'],
    })
    const { outcome, summary } = await aBench({ base: WAS, tree }).gate('tests_to_add', { spec })
    expect([outcome, summary]).toEqual(['failed', expect.stringContaining('test/more.test.mjs: green')])
  })
})

describe('tests that are green on the base', () => {
  const WAS: Tree = { ...BASE, 'src/slug.mjs': `// as it was\n${SLUG}` }
  const gate = (spec: Partial<ReturnType<typeof aSpec>>, base: Tree = WAS) =>
    aBench({ base, tree: WORK }).gate('tests_to_add', { spec: aSpec(spec) })

  test('are for review where the task promises no behaviour: a refactoring, or more coverage', async () => {
    const { outcome, summary } = await gate({ acceptanceCriteria: ['slugify is simpler'] })
    expect([outcome, summary]).toEqual([
      'passed',
      '1 test file present and passing; green on the base too; the task promises no behaviour that the base lacks',
    ])
    expect((await gate({ redOnBase: false })).outcome).toBe('passed')
  })

  test('fail where the contract has an example, or the plan wants them red', async () => {
    const acceptanceCriteria = ['slugify is simpler']
    expect((await gate({})).outcome).toBe('failed')
    expect((await gate({ acceptanceCriteria, redOnBase: true })).outcome).toBe('failed')
  })

  test('fail where the plan wants them red and names none, so that those that the work adds count', async () => {
    const spec = aSpec({ testsToAdd: [], redOnBase: true })
    const judged = async (text: string) =>
      (
        await aBench({ base: BASE, tree: { ...WORK, 'test/slug.test.mjs': text } }).gate('tests_to_add', {
          spec,
        })
      ).outcome
    expect([await judged(SLUG_TEST), await judged(HOLLOW)]).toEqual(['passed', 'failed'])
  })

  test('count where they extend a file of the base, and one of the changed files is enough', async () => {
    const spec = aSpec({ testsToAdd: [], redOnBase: true, inferred: ['tests_to_add'] })
    const judged = async (tests: Readonly<Record<string, string>>) => {
      const base = { ...BASE, 'test/slug.test.mjs': HOLLOW, 'test/other.test.mjs': HOLLOW }
      const bench = aBench({ base, tree: { ...base, ...WORK, ...tests } })
      return (await bench.gate('tests_to_add', { spec })).outcome
    }
    const more = `${HOLLOW}test('more', () => undefined)\n`
    const extended = SLUG_TEST.replace("test('joins", "test('looks good', () => undefined)\ntest('joins")
    expect(await judged({ 'test/slug.test.mjs': extended, 'test/other.test.mjs': more })).toBe('passed')
    expect(await judged({ 'test/slug.test.mjs': more })).toBe('failed')
  })

  test('fail where a criterion calls what only the work has', async () => {
    const acceptanceCriteria = ['slugify(text) joins words']
    const tree = { ...WORK, 'test/slug.test.mjs': HOLLOW }
    const bench = aBench({ base: BASE, tree })
    const found = await bench.gate('tests_to_add', { spec: aSpec({ acceptanceCriteria }) })
    expect(found.outcome).toBe('failed')
    expect((await gate({ acceptanceCriteria })).outcome).toBe('passed')
  })
})

describe('a source that holds its own tests', () => {
  // As with cargo, all sources are run, and no name of a file is reported.
  const run = "for (const path of require('fs').readdirSync('src')) require('./src/' + path)"
  const environment = { test: [...NODE_TEST, 'all.cjs'] }
  const SUM = 'exports.sum = (...all) => all.reduce((a, b) => a + b, 0)\n'
  const own = (name: string, of: string): string =>
    `require('node:test')('${name}', () => require('node:assert').equal(${of}))\n`
  const base = { 'all.cjs': run, 'src/sum.cjs': `${SUM}${own('adds', 'exports.sum(1, 2), 3')}` }
  const spec = aSpec({
    files: { create: [], modify: ['src/sum.cjs'], delete: [] },
    testsToAdd: ['src/sum.cjs'],
  })

  test('is not laid over the base: its new tests are those that the base does not report', async () => {
    const tree = {
      ...base,
      'src/sum.cjs': `${base['src/sum.cjs']}${own('adds nothing', 'exports.sum(), 0')}`,
    }
    const { outcome, summary } = await aBench({ base, tree }, { environment }).gate('tests_to_add', { spec })
    expect([outcome, summary]).toEqual([
      'passed',
      '1 test file present and passing; red on the base; new in the sources and not on the base: adds nothing',
    ])
  })

  test('is green on the base without new ones', async () => {
    const tree = {
      ...base,
      'src/sum.cjs': base['src/sum.cjs'].replace('(a, b)', '(one, b)').replace('a + b', 'one + b'),
    }
    expect((await aBench({ base, tree }, { environment }).gate('tests_to_add', { spec })).outcome).toBe(
      'failed',
    )
  })
})

describe('tests of a task that is done again after an edit of the plan', () => {
  const WAS: Tree = { ...WORK, 'src/slug.mjs': `// as it was\n${SLUG}` }
  const earlier = (...tests: string[]) => ({
    earlierWork: { asksTheSame: true, files: ['src/slug.mjs', 'test/slug.test.mjs'], tests },
  })

  test('pass where they are there since before, whether the work is changed or not', async () => {
    const request = earlier('test/slug.test.mjs')
    const words = '1 test file present and passing; unchanged since an earlier round, which showed them red'
    for (const base of [WORK, WAS]) {
      const { outcome, summary } = await aBench({ base, tree: WORK }).gate('tests_to_add', request)
      expect([outcome, summary]).toEqual(['passed', words])
    }
    expect((await aBench({ base: WAS, tree: WORK }).gate('tests_to_add')).outcome).toBe('failed')
  })

  test('fail where they no longer pass, or are gone', async () => {
    const broken = { ...WORK, 'src/slug.mjs': 'export const slugify = (text) => text\n' }
    const request = earlier('test/slug.test.mjs')
    expect((await aBench({ base: broken, tree: broken }).gate('tests_to_add', request)).outcome).toBe(
      'failed',
    )
    expect((await aBench({ base: BASE, tree: BASE }).gate('tests_to_add', request)).outcome).toBe('failed')
  })

  test('have to be red on the base where they are new or changed', async () => {
    const spec = aSpec({ testsToAdd: ['test/slug.test.mjs', 'test/more.test.mjs'] })
    const tree = { ...WORK, 'test/more.test.mjs': HOLLOW }
    const more = await aBench({ base: WAS, tree }).gate('tests_to_add', {
      spec,
      ...earlier('test/slug.test.mjs'),
    })
    expect([more.outcome, more.summary]).toEqual(['failed', expect.stringContaining('green on the base too')])
    const touched = { ...WORK, 'test/slug.test.mjs': `${SLUG_TEST}// touched\n` }
    const request = earlier('test/slug.test.mjs')
    expect((await aBench({ base: WAS, tree: touched }).gate('tests_to_add', request)).outcome).toBe('failed')
  })
})

/** Fails or passes by whether a file was left by the run before. */
const comesAndGoes = (failsFirst: boolean) => `import assert from 'node:assert'
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { slugify } from '../src/slug.mjs'
test('comes and goes', () => {
  const again = existsSync('again.txt')
  writeFileSync('again.txt', slugify('A'))
  assert.equal(again, ${failsFirst})
})
`

describe('tests that come and go', () => {
  test('are named, and the suite is neither passed nor failed', async () => {
    const bench = aBench({ base: BASE, tree: { ...WORK, 'test/now.test.mjs': comesAndGoes(true) } })
    const { outcome, summary, evidence } = await bench.gate('unit')
    expect([outcome, summary]).toEqual(['inconclusive', expect.stringContaining('flaky: comes and goes')])
    expect(evidence.runs).toHaveLength(2)
  })

  test('fail where they are new', async () => {
    const spec = aSpec({ testsToAdd: ['test/now.test.mjs'] })
    const bench = aBench({ base: BASE, tree: { ...WORK, 'test/now.test.mjs': comesAndGoes(false) } })
    const { outcome, summary } = await bench.gate('tests_to_add', { spec })
    expect([outcome, summary]).toEqual(['failed', expect.stringContaining('flaky: the new tests passed')])
  })

  test('do not hide one that always fails', async () => {
    const red = OLD_TEST.replace("'old two', () => undefined", "'red', () => { throw new Error('no') }")
    const tree = { ...WORK, 'test/now.test.mjs': comesAndGoes(true), 'test/red.test.mjs': red }
    const { outcome, summary } = await aBench({ base: BASE, tree }).gate('unit')
    expect([outcome, summary]).toEqual(['failed', expect.stringContaining('flaky: comes and goes')])
  })
})
