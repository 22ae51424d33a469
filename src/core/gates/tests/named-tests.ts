/** Checks that each named test file has a test that passed, and none that is skipped, pending or todo. */
import type { Counts, Finding } from '../../event-schemas/evidence.ts'
import { isScript } from '../../languages/languages.ts'
import type { TestJudgement } from './judge-tests.ts'
import { testKey, type ReportedTest, type TestReport } from '../../test-reports/report.ts'
import { blocking, note } from '../verdicts.ts'
import { isFileOf } from './test-file.ts'

/** A named test file, and whether the task adds it. */
export interface NamedFile {
  readonly path: string
  readonly isNew: boolean
  /** Null where it cannot be read. */
  readonly text: string | null
}

/** The suite's report on the base; null where unknown. */
export interface SuiteOnBase {
  readonly tests: readonly ReportedTest[] | null
  readonly counts: Counts | null
}

export interface NamedTestsFacts {
  readonly files: readonly NamedFile[]
  /** Whether the command runs only the named files. */
  readonly isAlone: boolean
  readonly report: TestReport
  readonly base: SuiteOnBase | null
}

interface NamedTests {
  readonly tests: readonly ReportedTest[]
  /** Files without a test that passed. */
  readonly silent: readonly string[]
}

/** Null if the tests of the named files ran and passed. */
export function judgeNamedTests(facts: NamedTestsFacts): TestJudgement | null {
  const { report } = facts
  // Node's runner reports a script without tests as one passed test named after the file, which does not count. Other
  // runners, such as those of shell scripts, report each file that way.
  const isFile = ({ name, outcome }: ReportedTest): boolean =>
    outcome === 'passed' &&
    facts.files.some(({ path }) => isScript(path) && (name === path || name.endsWith(`/${path}`)))
  const own =
    report.tests === null
      ? null
      : namedTests(
          facts,
          report.tests.filter((test) => !isFile(test)),
        )
  const idle = own === null ? [] : idleTests(facts, own.tests)
  const isKnown = knownTests(facts) !== null || facts.files.every(({ isNew }) => isNew)
  const silent = own === null ? silentByCount(facts) : own.silent
  const findings: readonly Finding[] = [
    ...idle.map((test) => (isKnown ? blocking : note)(`${test.outcome}: ${testKey(test)}`)),
    ...silent.map((path) => blocking('none of its tests ran and passed', path)),
    ...(idle.length === 0 ? unnamedSkips(facts, report.tests) : []),
  ]
  const first = findings.find(({ weight }) => weight === 'blocks')
  if (first === undefined) return null
  const summary =
    silent.length > 0
      ? `no test of ${silent.join(', ')} ran and passed`
      : `not every test of the named files ran: ${first.text}`
  return { outcome: 'failed', summary, findings }
}

/** Whether the report assigns tests to files. */
export function reportsFiles(report: TestReport | null): boolean {
  return report?.tests?.some(({ file }) => file !== null) === true
}

function namedTests(facts: NamedTestsFacts, all: readonly ReportedTest[]): NamedTests {
  const { files, isAlone, report } = facts
  if (reportsFiles(report)) {
    const byFile = files.map(({ path }) => ({ path, tests: all.filter((test) => isOf(test, path)) }))
    const silent = byFile.filter(({ tests }) => !tests.some(hasPassed)).map(({ path }) => path)
    return { tests: byFile.flatMap(({ tests }) => tests), silent }
  }
  const paths = files.map(({ path }) => path)
  if (isAlone) return { tests: all, silent: all.some(hasPassed) ? [] : paths }
  const known = knownTests(facts)
  if (known === null) return { tests: all, silent: [] }
  // Without file names, every test that is not in the report of the base counts as theirs.
  const fresh = beyond(all, known)
  const added = files.filter(({ isNew }) => isNew)
  // A test whose name changes from run to run is not in it either: there have to be more, or some that the new files name.
  const isMore = fresh.length > beyond(known, all).length
  const isTheirs = (test: ReportedTest): boolean =>
    hasPassed(test) && (isMore || added.some(({ text }) => text?.includes(titleOf(test)) === true))
  return { tests: fresh, silent: fresh.some(isTheirs) ? [] : added.map(({ path }) => path) }
}

/** Without the names of its suites. */
const titleOf = ({ name }: ReportedTest): string => name.split(' > ').at(-1) ?? name

const hasPassed = ({ outcome }: ReportedTest): boolean => outcome === 'passed'

const isOf = ({ file }: ReportedTest, path: string): boolean => file !== null && isFileOf(file, path)

/** Tests that did not run although they ran on the base, or are new. */
function idleTests(facts: NamedTestsFacts, tests: readonly ReportedTest[]): readonly ReportedTest[] {
  const idle = tests.filter(isIdle)
  const known = knownTests(facts)
  return known === null ? idle : beyond(idle, known)
}

const isIdle = ({ outcome }: ReportedTest): boolean => outcome === 'skipped' || outcome === 'todo'
const knownTests = ({ base }: NamedTestsFacts): readonly ReportedTest[] | null => base?.tests ?? null

/** Tests that the base reported less often with this outcome. */
function beyond(tests: readonly ReportedTest[], base: readonly ReportedTest[]): readonly ReportedTest[] {
  const left = new Map<string, number>()
  const keyOf = (test: ReportedTest): string => `${test.outcome} ${testKey(test)}`
  for (const test of base) left.set(keyOf(test), (left.get(keyOf(test)) ?? 0) + 1)
  return tests.filter((test) => {
    const times = left.get(keyOf(test)) ?? 0
    if (times > 0) left.set(keyOf(test), times - 1)
    return times === 0
  })
}

/** Some runners count skipped tests without naming them. */
function unnamedSkips(facts: NamedTestsFacts, named: readonly ReportedTest[] | null): readonly Finding[] {
  const { skipped } = facts.report.counts
  const before = skippedBefore(facts)
  if (skipped <= (named ?? []).filter(isIdle).length || before === null || skipped <= before) return []
  return [blocking(`${skipped - before} of the tests were skipped`)]
}

/** Null if unknown. */
function skippedBefore(facts: NamedTestsFacts): number | null {
  if (facts.isAlone && facts.files.every(({ isNew }) => isNew)) return 0
  return knownTests(facts) === null ? (facts.base?.counts?.skipped ?? null) : null
}

/** Without test names, more tests than on the base have to pass. */
function silentByCount({ files, isAlone, report, base }: NamedTestsFacts): readonly string[] {
  const before = isAlone ? 0 : (base?.counts?.passed ?? null)
  if (before === null || report.counts.passed > before) return []
  return files.filter(({ isNew }) => isNew || isAlone).map(({ path }) => path)
}
