/**
 * Tests that must fail, put behind a copy of a real test so that they live with everything it loads. A runner that does
 * not report each of them failed cannot fail, and what it calls passed proves nothing.
 */
import type { Ending, Finding } from '../../event-schemas/evidence.ts'
import { folderOf, isTestPath, nameOf } from '../../languages/paths.ts'
import type { Change } from '../change.ts'
import type { TestReport } from '../../test-reports/report.ts'
import type { RunnerName } from '../../test-reports/runner.ts'
import { blocking, note } from '../verdicts.ts'

export interface Canary {
  readonly path: string
  readonly text: string
}

/** `mark` is fresh letters and digits that begin with a letter: it names the tests, and with the `place` the file. */
export function canaryOf(seed: Canary, runner: RunnerName, mark: string, place = 0): Canary | null {
  if (!fits(seed.path, runner)) return null
  const tests = testsOf(seed, runner, mark)
  const folder = folderOf(seed.path)
  const name = nameFor(nameOf(seed.path), `${mark}${place}`)
  return { path: folder === '' ? name : `${folder}/${name}`, text: `${seed.text}\n${tests}\n` }
}

const SCRIPTS = /\.[cm]?[jt]sx?$/
const isPython = (runner: RunnerName): boolean => runner === 'pytest' || runner === 'unittest'

/** Whether a canary can be put behind it. */
export function fits(path: string, runner: RunnerName): boolean {
  const name = nameOf(path)
  if (isPython(runner)) return /^test.*\.py$|_test\.py$/.test(name) && name !== 'conftest.py'
  if (!SCRIPTS.test(name) || name.endsWith('.d.ts')) return false
  return /[._-](test|spec)\.[cm]?[jt]sx?$/.test(name) || (runner === 'node' && /^test[-_.]/.test(name))
}

/** As a runner would find it: what marks the seed as a test is kept. */
function nameFor(name: string, mark: string): string {
  if (name.endsWith('_test.py')) return `${mark}_test.py`
  if (name.endsWith('.py')) return `test_${mark}.py`
  const tail = /[._-](test|spec)\.[cm]?[jt]sx?$/.exec(name)?.[0]
  return tail === undefined ? `test-${mark}${SCRIPTS.exec(name)?.[0] ?? '.js'}` : `${mark}${tail}`
}

/** How many tests a canary has, each failing in the way its name says. */
function testsOf({ path, text }: Canary, runner: RunnerName, mark: string): string {
  switch (runner) {
    case 'node':
      return nodeTests(isModule(path, text), mark)
    case 'mocha':
      return thrown(`globalThis.it`, mark)
    case 'vitest':
      return `import { test as ${mark}t, expect as ${mark}e } from 'vitest'\n${expecting(`${mark}t`, `${mark}e`, mark)}`
    case 'jest':
      return expecting('globalThis.test', 'globalThis.expect', mark)
    case 'pytest':
      return [
        `def test_${mark}_assert():`,
        '    assert 1 == 2',
        '',
        `def test_${mark}_raise():`,
        '    raise ValueError(1)',
      ].join('\n')
    case 'unittest':
      return [
        `import unittest as ${mark}u`,
        `class ${mark}(${mark}u.TestCase):`,
        `    def test_${mark}_equal(self):`,
        '        self.assertEqual(1, 2)',
        `    def test_${mark}_true(self):`,
        '        self.assertTrue(False)',
        `    def test_${mark}_raise(self):`,
        '        raise ValueError(1)',
      ].join('\n')
  }
}

function isModule(path: string, text: string): boolean {
  if (/\.c[jt]s$/.test(path)) return false
  return /\.m[jt]s$/.test(path) || /^\s*(import\s*[\w{*'"]|export\s)/m.test(text)
}

function nodeTests(isEsm: boolean, mark: string): string {
  const [test, assert] = [`${mark}t`, `${mark}a`]
  const head = isEsm
    ? `import { test as ${test} } from 'node:test'\nimport ${assert} from 'node:assert'`
    : `const { test: ${test} } = require('node:test')\nconst ${assert} = require('node:assert')`
  const ways = {
    equal: `${assert}.equal(1, 2)`,
    strict: `${assert}.strict.equal(1, 2)`,
    strictEqual: `${assert}.strictEqual(1, 2)`,
    deep: `${assert}.deepStrictEqual({ a: 1 }, { a: 2 })`,
    ok: `${assert}.ok(false)`,
    throw: 'throw new Error(String(1))',
  }
  return [head, ...Object.entries(ways).map(([way, body]) => testLine(test, `${mark} ${way}`, body))].join(
    '\n',
  )
}

function expecting(test: string, expect: string, mark: string): string {
  const ways = {
    toBe: `${expect}(1).toBe(2)`,
    toEqual: `${expect}({ a: 1 }).toEqual({ a: 2 })`,
    toThrow: `${expect}(() => 1).toThrow()`,
    throw: 'throw new Error(String(1))',
  }
  return Object.entries(ways)
    .map(([way, body]) => testLine(test, `${mark} ${way}`, body))
    .join('\n')
}

const thrown = (test: string, mark: string): string =>
  testLine(test, `${mark} throw`, 'throw new Error(String(1))')
const testLine = (test: string, name: string, body: string): string =>
  `;${test}('${name}', () => { ${body} });`

const WAYS: Readonly<Record<RunnerName, number>> = {
  node: 6,
  mocha: 1,
  vitest: 4,
  jest: 4,
  pytest: 2,
  unittest: 3,
}

/** What the run of a canary showed. */
export type CanarySeen =
  | { readonly kind: 'fails' }
  /** It ran and was not reported failed, or nothing was. */
  | { readonly kind: 'blind'; readonly why: string }
  /** It did not run at all, so it says nothing. */
  | { readonly kind: 'unknown'; readonly why: string }

export function canarySeen(
  run: { readonly ending: Ending; readonly report: TestReport | null },
  canary: { readonly runner: RunnerName; readonly mark: string; readonly files: number },
): CanarySeen {
  const { ending, report } = run
  if (ending.kind !== 'exited') return { kind: 'unknown', why: 'its run did not end by itself' }
  if (ending.code === 0) return { kind: 'blind', why: 'its run ended with 0' }
  const own = markedName(canary.runner, canary.mark)
  const isMarked = (name: string): boolean => name.includes(own)
  const failed = (report?.failures ?? []).filter(isMarked)
  const wanted = WAYS[canary.runner] * canary.files
  if (failed.length >= wanted) return { kind: 'fails' }
  const others = (report?.tests ?? []).filter(({ name, outcome }) => isMarked(name) && outcome !== 'failed')
  return failed.length > 0 || others.length > 0
    ? { kind: 'blind', why: `${failed.length} of ${wanted} were reported failed` }
    : { kind: 'unknown', why: 'its run names none of them' }
}

/** What only the names of its tests hold, and neither the file's nor the module's. */
export const markedName = (runner: RunnerName, mark: string): string =>
  isPython(runner) ? `test_${mark}_` : `${mark} `

export const cannotFail = (why: string): Finding =>
  blocking(`the runner cannot fail: of tests that must fail, ${why}`)
export const notShown = (why: string): Finding => note(`not shown that the runner can fail: ${why}`)

/** The tests to copy: one that was there and one that is new, those first that speak of what was changed. */
export function seedsFor(facts: {
  readonly change: Change
  readonly files: ReadonlySet<string>
  readonly isFit: (path: string) => boolean
  readonly read: (path: string) => string | null
}): readonly Canary[] {
  const { change, isFit } = facts
  const touched = new Map(change.files.map(({ path, kind }) => [path, kind]))
  const sources = [...touched.keys()].filter((path) => !isTestPath(path)).map(stem)
  const fit = [...facts.files].filter((path) => isTestPath(path) && isFit(path)).sort()
  const first = (paths: readonly string[]): readonly Canary[] => {
    const read = paths.slice(0, MOST_READ).flatMap((path) => {
      const text = facts.read(path)
      return text === null ? [] : [{ path, text }]
    })
    const speaks = read.find(({ text }) => sources.some((name) => text.includes(name)))
    const found = speaks ?? read[0]
    return found === undefined ? [] : [found]
  }
  return [
    ...first(fit.filter((path) => touched.get(path) !== 'added')),
    ...first(fit.filter((path) => touched.get(path) === 'added')),
  ]
}

const MOST_READ = 200
const stem = (path: string): string => nameOf(path).replace(/\.[^.]*$/, '')
