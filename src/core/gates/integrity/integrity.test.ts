import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aChange, type BeforeAfter } from '../../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { integrity } from './integrity.ts'

const NO_TREES = { before: () => null, after: () => null }
const PARSER = await loadTestParser()

function judged(files: Readonly<Record<string, BeforeAfter>>, modify: string[] = [], remove: string[] = []) {
  const change = aChange(files)
  return integrity({
    change,
    trees: PARSER.ofChange(change),
    spec: { files: { create: [], modify, delete: remove }, testsToAdd: [], inferred: [] },
    gateScripts: [],
  })
}

describe('tripwires decide the verdict', () => {
  test('one that blocks fails it, with the place and the line that shows it', () => {
    const { outcome, summary, evidence } = judged({
      'src/a.js': ['a()\n', 'a()\nif (process.env.VITEST) b()\n'],
    })
    expect(outcome).toBe('failed')
    expect(summary).toBe(
      'src/a.js checks whether it is being tested: if (process.env.VITEST) b() [watches-for-tests]',
    )
    expect(evidence.findings).toMatchObject([{ weight: 'blocks', file: 'src/a.js', line: 2 }])
  })

  test('one that only notes passes, and says how much there is to look at', () => {
    const { outcome, summary, evidence } = judged({
      'src/a.js': ['a()\n', 'a()\nconst isCi = process.env.CI\n'],
    })
    expect([outcome, summary]).toEqual(['passed', 'no protected file changed; 1 for review'])
    expect(evidence.findings).toMatchObject([{ weight: 'review', line: 2 }])
  })

  test('a test that the contract names may be changed, and not weakened', () => {
    const path = 'test/a.test.js'
    const before = "it('x', () => {\n  expect(f()).toBe(1)\n})\n"
    const extended = `${before}it('y', () => {\n  expect(f(2)).toBe(2)\n})\n`
    expect(judged({ [path]: [before, extended] }, [path]).outcome).toBe('passed')
    expect(judged({ [path]: [before, before.replace('it(', 'it.skip(')] }, [path]).outcome).toBe('failed')
    expect(judged({ [path]: [before, before.replace('toBe(1)', 'toBeDefined()')] }, [path]).outcome).toBe(
      'failed',
    )
  })

  test('tests of files that the contract deletes may be removed', () => {
    const test1 = "it('x', () => expect(f()).toBe(1))\n"
    const files = {
      'src/f.js': ['export const f = () => 1\n', null],
      'test/all.test.js': [
        `${test1}it('y', () => expect(g()).toBe(1))\n`,
        "it('y', () => expect(g()).toBe(1))\n",
      ],
    } as const
    expect(judged(files, ['test/all.test.js'], ['src/f.js']).outcome).toBe('passed')
    expect(judged({ 'test/all.test.js': files['test/all.test.js'] }, ['test/all.test.js']).outcome).toBe(
      'failed',
    )
  })

  test('a test that moved to another file is as it was', () => {
    const body = "it('x', () => {\n  expect(f()).toBe(1)\n})\n"
    const files = {
      'test/a.test.js': [`first()\n${body}`, 'first()\n'],
      'test/b.test.js': [null, body],
    } as const
    expect(judged(files, ['test/a.test.js']).outcome).toBe('passed')
  })

  test('programs that tests read as input may hold anything', () => {
    expect(
      judged({ 'test/fixtures/cheat.test.js': [null, "it.only('x', () => process.exit(0))\n"] }).outcome,
    ).toBe('passed')
  })

  test('unreadable code does not pass', () => {
    const [file] = aChange({ 'src/a.js': ['a\n', 'b\n'] }).files
    if (file === undefined) throw new Error('nothing changed')
    const hidden = { ...file, added: [], removed: [], lines: null, isBinary: true }
    const spec = { files: { create: [], modify: [], delete: [] }, testsToAdd: [], inferred: [] }
    const one = (path: string) =>
      integrity({
        change: { base: 'b', files: [{ ...hidden, path }] },
        trees: NO_TREES,
        spec,
        gateScripts: [],
      })
    expect(one('src/a.js').outcome).toBe('failed')
    expect(one('docs/a.png').outcome).toBe('passed')
  })
})

describe('code that the parser stumbles over', () => {
  const outcomeOf = (path: string, text: string) => judged({ [path]: ['', text] }, [path])

  test('is inconclusive where the error is in a call that tripwires look for', () => {
    expect(outcomeOf('src/a.js', 'process.exit(code 0)\n')).toMatchObject({
      outcome: 'inconclusive',
      summary: 'src/a.js:1 has a call that could not be parsed: process.exit()',
    })
    expect(outcomeOf('test/a.test.js', "it.skip('x' () => {})\n").outcome).not.toBe('passed')
  })

  test('is judged where the error is in another statement', () => {
    expect(outcomeOf('src/a.js', 'const = 3\nrun()\n').outcome).toBe('passed')
    expect(outcomeOf('src/a.js', 'const = 3\nprocess.exit(0)\n').outcome).toBe('failed')
    expect(outcomeOf('src/a.js', 'let x = @@;\nfunction f() { process.exit(1) }\n').outcome).toBe('passed')
  })

  test('is inconclusive where the parser could not read the file at all', () => {
    const change = aChange({ 'src/a.js': [null, 'run()\n'] })
    const spec = { files: { create: ['src/a.js'], modify: [], delete: [] }, testsToAdd: [], inferred: [] }
    const trees = { before: () => null, after: () => ({ unread: 'timed_out' }) as const }
    expect(integrity({ change, trees, spec, gateScripts: [] })).toMatchObject({
      outcome: 'inconclusive',
      summary: 'src/a.js could not be parsed: the parser took too long',
    })
  })
})

test('a change too large to be looked through is not passed', () => {
  const lines = Array.from({ length: 50_001 }, (_, at) => `call(${at})`)
  const added = lines.map((text, at) => ({ line: at + 1, text }))
  const file = { path: 'src/a.js', kind: 'added', added, removed: [], lines, isBinary: false } as const
  const spec = { files: { create: ['src/a.js'], modify: [], delete: [] }, testsToAdd: [], inferred: [] }
  const one = (path: string) =>
    integrity({ change: { base: 'b', files: [{ ...file, path }] }, trees: NO_TREES, spec, gateScripts: [] })
      .outcome
  expect(['src/a.js', 'docs/table.csv', 'package-lock.json', 'data/all.json'].map(one)).toEqual([
    'failed',
    'passed',
    'passed',
    'passed',
  ])
})

test('every change gets a verdict, and prose never fails', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'it.skip("x")',
      'process.exit(0)',
      '# noqa',
      '/* eslint-disable */',
      'try {',
      '} catch {}',
      '`',
      "'",
    ),
  )
  const text = fc.array(line, { maxLength: 12 }).map((lines) => `${lines.join('\n')}\n`)
  const side = fc.option(text, { nil: null })
  const path = fc.constantFrom(
    'src/a.js',
    'a.test.ts',
    'test_a.py',
    'a_test.go',
    'src/a.rs',
    'run.sh',
    'package.json',
  )
  fc.assert(
    fc.property(path, side, side, (name, before, after) => {
      expect(['passed', 'failed', 'inconclusive']).toContain(judged({ [name]: [before, after] }).outcome)
      expect(judged({ 'docs/guide.md': [before, after] }).outcome).toBe('passed')
    }),
  )
})
