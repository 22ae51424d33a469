/**
 * Canaries: tests that must fail, at the end of a real test file, so that they load everything it loads. If the runner runs them
 * and does not report each as failed, its passes prove nothing.
 */
import type { Ending, Finding } from '../../event-schemas/evidence.ts'
import { isTestPath, nameOf } from '../../languages/paths.ts'
import type { Change } from '../change.ts'
import type { TestReport } from '../../test-reports/report.ts'
import type { RunnerName } from '../../test-reports/runner.ts'
import { blocking, note } from '../verdicts.ts'

/** A test file and its text. */
export interface TestFile {
  readonly path: string
  readonly text: string
}

/** The test file with the canary's tests at its end. `mark` is a new identifier, which names them. */
export function withCanary(file: TestFile, runner: RunnerName, mark: string): TestFile {
  const { ways, head, test } = STYLES[runner]
  const tests = Object.entries(ways).map(([way, body]) => test(way, body))
  const added = [head?.(file) ?? '', ...tests].join('\n').replaceAll('MARK', mark)
  return { path: file.path, text: `${file.text}\n${added}\n` }
}

const SCRIPTS = /\.[cm]?[jt]sx?$/
const isPython = (runner: RunnerName): boolean => runner === 'pytest' || runner === 'unittest'

/** Whether the runner takes it for a test, and a canary at its end. */
export function fits(path: string, runner: RunnerName): boolean {
  const name = nameOf(path)
  if (isPython(runner)) return /^test.*\.py$|_test\.py$/.test(name) && name !== 'conftest.py'
  if (!SCRIPTS.test(name) || name.endsWith('.d.ts')) return false
  return /[._-](test|spec)\.[cm]?[jt]sx?$/.test(name) || (runner === 'node' && /^test[-_.]/.test(name))
}

/** How a canary of a runner is written. */
interface Style {
  /** By name, the bodies of tests that fail. */
  readonly ways: Readonly<Record<string, string>>
  /** What stands before the tests. */
  readonly head?: (file: TestFile) => string
  readonly test: (way: string, body: string) => string
}

const THROW = 'throw new Error(String(1))'
const RAISE = 'raise ValueError(1)'
const script =
  (test: string): Style['test'] =>
  (way, body) =>
    `;${test}('MARK ${way}', () => { ${body} });`
const expectations = (expect: string): Style['ways'] => ({
  toBe: `${expect}(1).toBe(2)`,
  toEqual: `${expect}({ a: 1 }).toEqual({ a: 2 })`,
  toThrow: `${expect}(() => 1).toThrow()`,
  throw: THROW,
})

/** `MARK` stands for the mark of a canary. */
const STYLES: Readonly<Record<RunnerName, Style>> = {
  node: {
    ways: {
      equal: 'MARKa.equal(1, 2)',
      strict: 'MARKa.strict.equal(1, 2)',
      strictEqual: 'MARKa.strictEqual(1, 2)',
      deep: 'MARKa.deepStrictEqual({ a: 1 }, { a: 2 })',
      ok: 'MARKa.ok(false)',
      throw: THROW,
    },
    head: ({ path, text }) =>
      isModule(path, text)
        ? "import { test as MARKt } from 'node:test'\nimport MARKa from 'node:assert'"
        : "const { test: MARKt } = require('node:test')\nconst MARKa = require('node:assert')",
    test: script('MARKt'),
  },
  mocha: { ways: { throw: THROW }, test: script('globalThis.it') },
  vitest: {
    ways: expectations('MARKe'),
    head: () => "import { test as MARKt, expect as MARKe } from 'vitest'",
    test: script('MARKt'),
  },
  jest: { ways: expectations('globalThis.expect'), test: script('globalThis.test') },
  pytest: {
    ways: { assert: 'assert 1 == 2', raise: RAISE },
    test: (way, body) => `def test_MARK_${way}():\n    ${body}\n`,
  },
  unittest: {
    ways: { equal: 'self.assertEqual(1, 2)', true: 'self.assertTrue(False)', raise: RAISE },
    head: () => 'import unittest as MARKu\nclass MARK(MARKu.TestCase):',
    test: (way, body) => `    def test_MARK_${way}(self):\n        ${body}`,
  },
}

function isModule(path: string, text: string): boolean {
  if (/\.c[jt]s$/.test(path)) return false
  return /\.m[jt]s$/.test(path) || /^\s*(import\s*[\w{*'"]|export\s)/m.test(text)
}

/** The result of a canary run. */
export type CanarySeen =
  | { readonly kind: 'fails' }
  /** It ran, but not all its tests were reported as failed. */
  | { readonly kind: 'blind'; readonly why: string }
  /** The runner did not collect it, or did not come to an end. */
  | { readonly kind: 'unknown'; readonly why: string }

export function canarySeen(
  run: { readonly ending: Ending; readonly report: TestReport | null },
  canary: { readonly runner: RunnerName; readonly mark: string; readonly files: number },
): CanarySeen {
  const { ending, report } = run
  if (ending.kind !== 'exited') return { kind: 'unknown', why: 'the run with canary tests did not exit' }
  const own = markedName(canary.runner, canary.mark)
  const isMarked = (name: string): boolean => name.includes(own)
  const failed = (report?.failures ?? []).filter(isMarked)
  const wanted = Object.keys(STYLES[canary.runner].ways).length * canary.files
  const others = (report?.tests ?? []).filter(({ name, outcome }) => isMarked(name) && outcome !== 'failed')
  const hasPassed = others.some(({ outcome }) => outcome === 'passed')
  if (failed.length === 0 && !hasPassed) {
    const what = others.length === 0 ? 'reports none' : 'skipped all'
    return { kind: 'unknown', why: `the run ${what} of the canary tests` }
  }
  if (ending.code === 0) return { kind: 'blind', why: 'the run with tests that must fail exited with 0' }
  if (failed.length >= wanted) return { kind: 'fails' }
  // The file may be skipped as a whole, or a part of it that the canary stands in.
  if (!hasPassed && others.length > 0) return { kind: 'unknown', why: 'the run skipped some canary tests' }
  return { kind: 'blind', why: `${failed.length} of ${wanted} tests that must fail were reported as failed` }
}

/** Occurs only in the names of its tests, not in those of the file or module. */
export const markedName = (runner: RunnerName, mark: string): string =>
  isPython(runner) ? `test_${mark}_` : `${mark} `

export const CANNOT_FAIL = 'the test runner cannot fail'
export const cannotFail = (why: string): Finding => blocking(`${CANNOT_FAIL}: ${why}`)
export const NOT_SHOWN = 'could not show that the test runner can fail'
export const notShown = (why: string): Finding => note(`${NOT_SHOWN}: ${why}`)

interface TestFiles {
  readonly change: Change
  readonly files: ReadonlySet<string>
  readonly isFit?: (path: string) => boolean
  /** Null where it cannot be read. */
  readonly read: (path: string) => string | null
}

/** The test files that get canaries: an existing and a new one, preferring those that mention changed files. */
export const filesForCanaries = (of: Required<TestFiles>): readonly TestFile[] =>
  [false, true].flatMap((isNew) => {
    const added = addedIn(of.change)
    const isFit = (path: string): boolean => added.has(path) === isNew && of.isFit(path)
    return testFilesFor({ ...of, isFit }).slice(0, 1)
  })

/** The test files of a tree: those that mention changed files first, then those that their own name calls tests; new ones last. */
export function testFilesFor({ change, files, read, isFit = () => true }: TestFiles): readonly TestFile[] {
  const sources = change.files.map(({ path }) => path).filter((path) => !isTestPath(path))
  const names = sources.map(stem)
  const added = addedIn(change)
  const rank = ({ path, text }: TestFile): number =>
    (added.has(path) ? 4 : 0) +
    (names.some((name) => text.includes(name)) ? 0 : 2) +
    (isTestPath(nameOf(path)) ? 0 : 1)
  return [...files]
    .filter((path) => isTestPath(path) && isFit(path))
    .sort()
    .slice(0, MOST_READ)
    .flatMap((path) => {
      const text = read(path)
      return text === null ? [] : [{ path, text }]
    })
    .sort((one, other) => rank(one) - rank(other))
}

const addedIn = ({ files }: Change): ReadonlySet<string> =>
  new Set(files.flatMap(({ path, kind }) => (kind === 'added' ? [path] : [])))

const MOST_READ = 200
const stem = (path: string): string => nameOf(path).replace(/\.[^.]*$/, '')
