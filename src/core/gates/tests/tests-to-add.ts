/** Gate 2: the tests the contract asks for are there, pass, and would have failed before the work. */
import type { Finding, RunEvidence } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { TestJudgement } from './judge-tests.ts'
import { testKey, type TestReport } from '../../test-reports/report.ts'
import { blocking, note, verdict, worst } from '../verdicts.ts'
import { counted } from '../../../lib/text/counted.ts'

/** What running the new tests on the old code showed. */
export type RedOnBase =
  | {
      readonly kind: 'red'
      /** Single tests that pass there as well, by name. */
      readonly green?: readonly string[]
    }
  | {
      readonly kind: 'green'
      /** Files without one test that fails there, where others have one. */
      readonly files?: readonly string[]
    }
  /** There since before the task was done again, and as they were: they were shown then. */
  | { readonly kind: 'standing' }
  /** Could not be shown, and why. */
  | { readonly kind: 'unknown'; readonly why: string }

/** New test files on the old code. */
export interface FileOnBase {
  readonly files: readonly string[]
  readonly isRed: boolean
  /** Tests that pass on the work and there, by name. */
  readonly green: readonly string[]
}

/** A hollow file does not hide behind a good one. */
export function shownOnBase(seen: readonly FileOnBase[]): RedOnBase {
  const green = seen.filter(({ isRed }) => !isRed)
  if (green.length > 0) return { kind: 'green', files: green.flatMap(({ files }) => files) }
  return { kind: 'red', green: seen.flatMap((one) => one.green) }
}

export const passedIn = (report: TestReport | null): readonly string[] =>
  (report?.tests ?? []).filter(({ outcome }) => outcome === 'passed').map(testKey)

/** Tests that pass on the base as well as with the work. A suite may have very many of them. */
export function passedInBoth(base: TestReport | null, withWork: readonly string[]): readonly string[] {
  const known = new Set(withWork)
  return passedIn(base).filter((name) => known.has(name))
}

export interface TestsToAddFacts {
  readonly paths: readonly string[]
  readonly missing: readonly string[]
  /** One for each command that runs them; empty where nothing can run them. */
  readonly judgements: readonly TestJudgement[]
  readonly runs: readonly RunEvidence[]
  readonly base: RedOnBase
  /** Those that the plan only lists among the files to modify: it does not say that they get a new test. */
  readonly extended?: readonly string[]
  /** Whether anything but tests was changed: tests for code that is there already are green at once. */
  readonly changesSources: boolean
}

export function testsToAdd(facts: TestsToAddFacts): Verdict {
  const { paths, missing, judgements } = facts
  const runs = [...facts.runs]
  if (paths.length === 0) return verdict('tests_to_add', 'not_applicable', 'the plan asks for no new tests')
  if (missing.length > 0) {
    const findings = missing.map((path) => blocking('was to be added and is not there', path))
    return verdict('tests_to_add', 'failed', `not there: ${missing.join(', ')}`, { findings, runs })
  }
  if (judgements.length === 0) {
    return verdict('tests_to_add', 'inconclusive', 'no command is known that runs the new tests', { runs })
  }
  const outcome = worst(judgements.map((one) => one.outcome))
  const own = judgements.flatMap(({ findings }) => findings)
  if (outcome !== 'passed') {
    const bad = judgements.find((one) => one.outcome === outcome)
    return verdict('tests_to_add', outcome, bad?.words ?? 'the new tests do not pass', {
      findings: own,
      runs,
    })
  }
  const base = onBase(facts)
  const words = `${counted(paths.length, 'test file')} there and passing`
  return verdict('tests_to_add', base.weight === 'blocks' ? 'failed' : 'passed', `${words}; ${base.text}`, {
    findings: [...own, base],
    runs,
  })
}

function onBase({ base, changesSources, paths, extended = [] }: TestsToAddFacts): Finding {
  switch (base.kind) {
    case 'red': {
      const green = base.green ?? []
      const told = green.slice(0, 5).join(', ')
      return note(
        green.length === 0 ? 'red on the base' : `red on the base, but for ${told}, green there too`,
      )
    }
    case 'green': {
      if (!changesSources) return note('green on the base, as only tests were changed')
      const all = base.files ?? paths
      const some = all.filter((path) => !extended.includes(path))
      if (some.length === 0) {
        return note(`${all.join(', ')}: green on the base too, and inferred from the files to modify`)
      }
      const which = some.length < paths.length ? `${some.join(', ')}: ` : ''
      return blocking(`${which}green on the base too, so they prove nothing about this change`)
    }
    case 'standing':
      return note('there since before it was done again')
    case 'unknown':
      return note(`not shown to be red on the base: ${base.why}`)
  }
}
