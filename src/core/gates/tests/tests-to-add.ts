/** Gate 2: the tests that the contract requires exist, pass, and fail on the base. */
import type { Finding, RunEvidence, Counts } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import { formatBefore, type TestJudgement } from './judge-tests.ts'
import {
  neutralName,
  testKey,
  leafOf,
  type TestReport,
  type ReportedTest,
} from '../../test-reports/report.ts'
import { blocking, forReview, note, verdict, worst } from '../verdicts.ts'
import { counted, firstFew } from '../../../lib/text/counted.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import { isScript } from '../../languages/languages.ts'
import { isTestPath } from '../../languages/paths.ts'
import { beyond, type Change } from '../change.ts'
import { isFileOf } from './lost-tests.ts'

/** The result of running the new tests on the base. */
export type RedOnBase =
  /** `green` are the tests that pass there as well, by name; `inside` new ones that stand in sources and cannot run there. */
  | { readonly kind: 'red'; readonly green: readonly string[]; readonly inside?: readonly string[] }
  /** `files` are those without a test that fails there; `lacks` what the criteria call and the base does not have. */
  | { readonly kind: 'green'; readonly files: readonly string[]; readonly lacks?: readonly string[] }
  /** Unchanged since an earlier round, which showed them red. */
  | { readonly kind: 'shown_earlier' }
  /** Could not be shown. */
  | { readonly kind: 'unknown'; readonly why: string }

/** New test files, run on the base. */
export interface FileOnBase {
  readonly files: readonly string[]
  readonly isRed: boolean
  /** Tests that pass on the work and on the base, by name. */
  readonly green: readonly string[]
  /** Tests that only the work reports, where the file is a source that holds its own tests. */
  readonly inside?: readonly string[]
}

/** Every file that the plan names needs a test that fails on the base; where it names none, one of them does. */
export function shownOnBase(seen: readonly FileOnBase[], needs: 'each' | 'one' = 'each'): RedOnBase {
  const green = seen.filter(({ isRed }) => !isRed)
  if (needs === 'each' ? green.length > 0 : green.length === seen.length)
    return { kind: 'green', files: green.flatMap(({ files }) => files) }
  const inside = seen.flatMap((one) => one.inside ?? [])
  return { kind: 'red', green: seen.flatMap((one) => one.green), ...(inside.length === 0 ? {} : { inside }) }
}

export const passedIn = (report: TestReport | null): readonly string[] =>
  (report?.tests ?? []).filter(({ outcome }) => outcome === 'passed').map(testKey)

/** Tests that pass on the base and with the work; there may be very many. */
export function passedInBoth(base: TestReport | null, withWork: readonly string[]): readonly string[] {
  const known = new Set(withWork)
  return passedIn(base).filter((name) => known.has(name))
}

/** Whether a red run on the base has a failure that the work ended; one without a name may be. */
export function failsWithout(base: TestReport | null, failing: readonly string[]): boolean {
  const names = base?.failures ?? []
  return names.length < Math.max(1, base?.counts.failed ?? 0) || names.some((name) => !failing.includes(name))
}

const MOST_NAMED = 5

/** Names beyond those of the base: as many as there are more of, where they differ in numbers only. */
export function newNames(base: readonly string[], work: readonly string[]): readonly string[] {
  const [known, before] = [new Set(base), Map.groupBy(new Set(base), neutralName)]
  return [...Map.groupBy(new Set(work), neutralName)].flatMap(([name, now]) => {
    const more = now.length - (before.get(name)?.length ?? 0)
    return more <= 0 ? [] : now.filter((one) => !known.has(one)).slice(-more)
  })
}

/** The tests that a plan names; where it wants red ones and names none, those that the work adds or changes: `one` has to be red. */
export function testsMeant(
  { redOnBase, testsToAdd }: Pick<TaskSpec, 'redOnBase' | 'testsToAdd'>,
  change: Change,
) {
  if (redOnBase !== true || testsToAdd.length > 0) return { testsToAdd, needs: 'each' } as const
  const tests = change.files.filter(({ kind, path }) => kind !== 'deleted' && isTestPath(path))
  return { testsToAdd: tests.map(({ path }) => path), needs: 'one' } as const
}

export interface TestsToAddFacts {
  readonly paths: readonly string[]
  readonly missing: readonly string[]
  /** One per command that runs them; empty if no command can. */
  readonly judgements: readonly TestJudgement[]
  readonly runs: readonly RunEvidence[]
  readonly base: RedOnBase
  /** Files that the plan only lists as files to modify, so they may get no new test. */
  readonly extended?: readonly string[]
  /** Whether the task promises behaviour that the base lacks; null where its criteria only name calls. */
  readonly promises: boolean | null
  /** Whether the plan itself says so. */
  readonly isAsked?: boolean
  /** Whether anything but tests changed: tests of existing code are green at once. */
  readonly changesSources: boolean
}

/** A repair that no test shows is read. */
const NO_TEST = 'no test was added or changed, although one is to fail on the base'

export function testsToAdd(facts: TestsToAddFacts): Verdict {
  const { paths, missing, judgements } = facts
  const runs = [...facts.runs]
  if (paths.length === 0) {
    const isLacking = facts.isAsked === true && facts.changesSources
    const why = isLacking ? NO_TEST : 'the plan asks for no new tests'
    return verdict('tests_to_add', 'not_applicable', why, { findings: isLacking ? [forReview(why)] : [] })
  }
  if (missing.length > 0) {
    const findings = missing.map((path) => blocking('should have been added but is missing', path))
    return verdict('tests_to_add', 'failed', `missing: ${missing.join(', ')}`, { findings, runs })
  }
  if (judgements.length === 0) {
    return verdict('tests_to_add', 'inconclusive', 'no command found that runs the new tests', { runs })
  }
  const outcome = worst(judgements.map((one) => one.outcome))
  const own = judgements.flatMap(({ findings }) => findings)
  if (outcome !== 'passed') {
    const bad = judgements.find((one) => one.outcome === outcome)
    return verdict('tests_to_add', outcome, bad?.summary ?? 'the new tests do not pass', {
      findings: own,
      runs,
    })
  }
  const base = onBase(facts)
  const failedBefore = [...new Set(judgements.flatMap((one) => one.failedBefore ?? []))]
  const summary = `${counted(paths.length, 'test file')} present and passing${formatBefore(failedBefore)}`
  return verdict('tests_to_add', base.weight === 'blocks' ? 'failed' : 'passed', `${summary}; ${base.text}`, {
    findings: [...own, base, ...(base.weight === 'blocks' ? whyRed(facts) : [])],
    runs,
    failedBefore,
  })
}

/** Why they have to be red, where the plan itself does not say so. */
function whyRed({ base, promises, isAsked = false }: TestsToAddFacts): readonly Finding[] {
  if (isAsked) return []
  const lacks = promises === null && base.kind === 'green' ? (base.lacks ?? []) : []
  const what = lacks.length === 0 ? 'have an example' : `call what the base lacks (${lacks.join(', ')})`
  return [note(`its criteria ${what}; set red_on_base: false in the plan if it changes no behaviour`)]
}

function onBase(facts: TestsToAddFacts): Finding {
  const { base, changesSources, paths, extended = [], promises, isAsked = false } = facts
  switch (base.kind) {
    case 'red': {
      const { green, inside = [] } = base
      // A file that the plan extends holds mostly tests that were there.
      const which = green.length > MOST_NAMED ? counted(green.length, 'test') : firstFew(green, MOST_NAMED)
      const except = green.length === 0 ? '' : `, except ${which} (green there too)`
      const own =
        inside.length === 0 ? '' : `; new in the sources and not on the base: ${firstFew(inside, MOST_NAMED)}`
      return note(`red on the base${except}${own}`)
    }
    case 'green': {
      if (!changesSources && !isAsked) return note('green on the base, because only tests changed')
      const some = isAsked ? base.files : base.files.filter((path) => !extended.includes(path))
      if (some.length === 0) {
        return note(`${base.files.join(', ')}: green on the base too (inferred from the files to modify)`)
      }
      const which = some.length < paths.length ? `${some.join(', ')}: ` : ''
      const lacks = base.lacks ?? []
      if (promises ?? lacks.length > 0)
        return blocking(`${which}green on the base too, so they prove nothing about this change`)
      return forReview(`${which}green on the base too; the task promises no behaviour that the base lacks`)
    }
    case 'shown_earlier':
      return note('unchanged since an earlier round, which showed them red')
    case 'unknown':
      return (isAsked ? forReview : note)(`not shown to be red on the base: ${base.why}`)
  }
}

/** A call, with what is between its brackets: `slugify('A b')`. */
const CALL = /(?<![\w$])([A-Za-z_$][\w$]*)\(([^()\n]{0,200})\)/g
/** A text, a number, a list or an object. */
const LITERAL = /["'`[{]|(?<![\w#.])\d/

export type PromisingSpec = Pick<TaskSpec, 'acceptanceCriteria' | 'redOnBase' | 'role' | 'type'>

/**
 * Whether a task promises behaviour that the base lacks, so that its new tests have to fail there. A refactoring, a faster way
 * or more coverage promises none. By the plan, or by the form of the contract; prose is not judged. Null where it depends on
 * what the base has (see `calledNames`).
 */
export function promisesBehaviour(spec: PromisingSpec): boolean | null {
  const { acceptanceCriteria, redOnBase, role, type } = spec
  if (redOnBase !== undefined) return redOnBase
  return type === 'bug_fix' || role === 'fixer' || acceptanceCriteria.some(hasExample) || null
}

const hasExample = (criterion: string): boolean =>
  [...criterion.matchAll(CALL)].some(([, , given = '']) => LITERAL.test(given))

/** What the criteria call: `discounted(cents, percent)`. A base without it lacks the behaviour. */
export function calledNames({ acceptanceCriteria }: PromisingSpec): readonly string[] {
  const calls = acceptanceCriteria.flatMap((criterion) => [...criterion.matchAll(CALL)])
  return [...new Set(calls.map(([, name = '']) => name))]
}

/** A named test file, and whether the task adds it. */
interface NamedFile {
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

/**
 * Checks that each named test file has a test that passed, and none that is skipped, pending or todo. Null if the tests of the
 * named files ran and passed.
 */
export function judgeNamedTests(facts: NamedTestsFacts): TestJudgement | null {
  const { report } = facts
  // Node's runner reports a script without tests as one passed test named after the file, which does not count. Other
  // runners, such as those of shell scripts, report each file that way.
  const isFile = ({ name, outcome }: ReportedTest): boolean =>
    outcome === 'passed' &&
    facts.files.some(({ path }) => isScript(path) && (name === path || name.endsWith(`/${path}`)))
  const tests = report.tests?.filter((test) => !isFile(test)) ?? null
  const own = tests === null ? null : namedTests(facts, tests)
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
  const fresh = beyond(all, known, outcomeKey)
  const added = files.filter(({ isNew }) => isNew)
  // A test whose name changes from run to run is not in it either: there have to be more, or some that the new files name.
  const isMore = fresh.length > beyond(known, all, outcomeKey).length
  const isTheirs = (test: ReportedTest): boolean =>
    hasPassed(test) && (isMore || added.some(({ text }) => text?.includes(leafOf(test.name)) === true))
  return { tests: fresh, silent: fresh.some(isTheirs) ? [] : added.map(({ path }) => path) }
}

const hasPassed = ({ outcome }: ReportedTest): boolean => outcome === 'passed'

const isOf = ({ file }: ReportedTest, path: string): boolean => file !== null && isFileOf(file, path)

/** Tests that did not run although they ran on the base, or are new. */
function idleTests(facts: NamedTestsFacts, tests: readonly ReportedTest[]): readonly ReportedTest[] {
  const idle = tests.filter(isIdle)
  const known = knownTests(facts)
  return known === null ? idle : beyond(idle, known, outcomeKey)
}

const isIdle = ({ outcome }: ReportedTest): boolean => outcome === 'skipped' || outcome === 'todo'
const knownTests = ({ base }: NamedTestsFacts): readonly ReportedTest[] | null => base?.tests ?? null

const outcomeKey = (test: ReportedTest): string => `${test.outcome} ${testKey(test)}`

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
