import { describe, expect, test } from 'vitest'
import { aBench, aSpec, BASE, OLD_TEST, SLUG, SLUG_TEST, WORK } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'

const HOLLOW = "import { test } from 'node:test'\ntest('looks good', () => undefined)\n"

describe('new tests on the base', () => {
  test('have to be red file by file: a hollow one does not hide behind a good one', async () => {
    const spec = aSpec({ testsToAdd: ['test/slug.test.mjs', 'test/more.test.mjs'] })
    const bench = aBench({ base: BASE, tree: { ...WORK, 'test/more.test.mjs': HOLLOW } })
    const { outcome, summary } = await bench.gate('tests_to_add', { spec })
    expect([outcome, summary]).toEqual([
      'failed',
      '2 test files there and passing; test/more.test.mjs: green on the base too, so they prove nothing about this change',
    ])
  })

  test('that are green there are named beside those that are red', async () => {
    const base = { ...BASE, 'src/slug.mjs': 'export const slugify = (text) => text\n' }
    const both = `${SLUG_TEST}test('is a text', () => assert.equal(typeof slugify('a'), 'string'))\n`
    const bench = aBench({ base, tree: { ...WORK, 'test/slug.test.mjs': both } })
    const { outcome, summary } = await bench.gate('tests_to_add')
    expect([outcome, summary]).toEqual([
      'passed',
      '1 test file there and passing; red on the base, but for is a text, green there too',
    ])
  })
})

describe('tests of a task that is done again after an edit of the plan', () => {
  const WAS: Tree = { ...WORK, 'src/slug.mjs': `// as it was\n${SLUG}` }
  const standing = (...tests: string[]) => ({
    earlierWork: { asksTheSame: true, files: ['src/slug.mjs', 'test/slug.test.mjs'], tests },
  })

  test('pass where they are there since before, whether the work is changed or not', async () => {
    const said = standing('test/slug.test.mjs')
    const words = '1 test file there and passing; there since before it was done again'
    for (const base of [WORK, WAS]) {
      const { outcome, summary } = await aBench({ base, tree: WORK }).gate('tests_to_add', said)
      expect([outcome, summary]).toEqual(['passed', words])
    }
    expect((await aBench({ base: WAS, tree: WORK }).gate('tests_to_add')).outcome).toBe('failed')
  })

  test('fail where they no longer pass, or are gone', async () => {
    const broken = { ...WORK, 'src/slug.mjs': 'export const slugify = (text) => text\n' }
    const said = standing('test/slug.test.mjs')
    expect((await aBench({ base: broken, tree: broken }).gate('tests_to_add', said)).outcome).toBe('failed')
    expect((await aBench({ base: BASE, tree: BASE }).gate('tests_to_add', said)).outcome).toBe('failed')
  })

  test('have to be red on the base where they are new or changed', async () => {
    const spec = aSpec({ testsToAdd: ['test/slug.test.mjs', 'test/more.test.mjs'] })
    const tree = { ...WORK, 'test/more.test.mjs': HOLLOW }
    const more = await aBench({ base: WAS, tree }).gate('tests_to_add', {
      spec,
      ...standing('test/slug.test.mjs'),
    })
    expect([more.outcome, more.summary]).toEqual(['failed', expect.stringContaining('green on the base too')])
    const touched = { ...WORK, 'test/slug.test.mjs': `${SLUG_TEST}// touched\n` }
    const said = standing('test/slug.test.mjs')
    expect((await aBench({ base: WAS, tree: touched }).gate('tests_to_add', said)).outcome).toBe('failed')
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
