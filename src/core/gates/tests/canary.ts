/**
 * Canaries: tests that must fail, appended to a copy of a real test so that they load everything it loads. If the runner does
 * not report each of them as failed, its passes prove nothing.
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

/** `mark` is a new identifier; it names the tests and, with `place`, the file. */
export function canaryOf(template: Canary, runner: RunnerName, mark: string, place = 0): Canary | null {
  if (!fits(template.path, runner)) return null
  const tests = testsOf(template, runner, mark)
  const folder = folderOf(template.path)
  const name = nameFor(nameOf(template.path), `${mark}${place}`)
  return { path: folder === '' ? name : `${folder}/${name}`, text: `${template.text}\n${tests}\n` }
}

const SCRIPTS = /\.[cm]?[jt]sx?$/
const isPython = (runner: RunnerName): boolean => runner === 'pytest' || runner === 'unittest'

/** Whether a canary can be appended to a copy of it. */
export function fits(path: string, runner: RunnerName): boolean {
  const name = nameOf(path)
  if (isPython(runner)) return /^test.*\.py$|_test\.py$/.test(name) && name !== 'conftest.py'
  if (!SCRIPTS.test(name) || name.endsWith('.d.ts')) return false
  return /[._-](test|spec)\.[cm]?[jt]sx?$/.test(name) || (runner === 'node' && /^test[-_.]/.test(name))
}

/** Keeps the part of the template's name by which the runner finds tests. */
function nameFor(name: string, mark: string): string {
  if (name.endsWith('_test.py')) return `${mark}_test.py`
  if (name.endsWith('.py')) return `test_${mark}.py`
  const tail = /[._-](test|spec)\.[cm]?[jt]sx?$/.exec(name)?.[0]
  return tail === undefined ? `test-${mark}${SCRIPTS.exec(name)?.[0] ?? '.js'}` : `${mark}${tail}`
}

/** The tests of a canary, each failing in the way its name says. */
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

/** The result of a canary run. */
export type CanarySeen =
  | { readonly kind: 'fails' }
  /** It ran, but not all its tests were reported as failed. */
  | { readonly kind: 'blind'; readonly why: string }
  /** It did not run. */
  | { readonly kind: 'unknown'; readonly why: string }

export function canarySeen(
  run: { readonly ending: Ending; readonly report: TestReport | null },
  canary: { readonly runner: RunnerName; readonly mark: string; readonly files: number },
): CanarySeen {
  const { ending, report } = run
  if (ending.kind !== 'exited') return { kind: 'unknown', why: 'the run with canary tests did not exit' }
  if (ending.code === 0) return { kind: 'blind', why: 'the run with tests that must fail exited with 0' }
  const own = markedName(canary.runner, canary.mark)
  const isMarked = (name: string): boolean => name.includes(own)
  const failed = (report?.failures ?? []).filter(isMarked)
  const wanted = WAYS[canary.runner] * canary.files
  if (failed.length >= wanted) return { kind: 'fails' }
  const others = (report?.tests ?? []).filter(({ name, outcome }) => isMarked(name) && outcome !== 'failed')
  return failed.length > 0 || others.length > 0
    ? { kind: 'blind', why: `${failed.length} of ${wanted} tests that must fail were reported as failed` }
    : { kind: 'unknown', why: 'the run reports none of the canary tests' }
}

/** Occurs only in the names of its tests, not in those of the file or module. */
export const markedName = (runner: RunnerName, mark: string): string =>
  isPython(runner) ? `test_${mark}_` : `${mark} `

export const cannotFail = (why: string): Finding => blocking(`the test runner cannot fail: ${why}`)
export const notShown = (why: string): Finding => note(`could not show that the test runner can fail: ${why}`)

/** The tests to copy: an existing and a new one, preferring those that mention changed files. */
export function templatesFor(facts: {
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
    const related = read.find(({ text }) => sources.some((name) => text.includes(name)))
    const found = related ?? read[0]
    return found === undefined ? [] : [found]
  }
  return [
    ...first(fit.filter((path) => touched.get(path) !== 'added')),
    ...first(fit.filter((path) => touched.get(path) === 'added')),
  ]
}

const MOST_READ = 200
const stem = (path: string): string => nameOf(path).replace(/\.[^.]*$/, '')
