/** Gate 2: the tests that the contract requires exist, pass, and fail on the base. */
import type { Finding, RunEvidence } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import { formatBefore, type TestJudgement } from './judge-tests.ts'
import { testKey, type TestReport } from '../../test-reports/report.ts'
import { neutralName } from '../../test-reports/test-names.ts'
import { blocking, forReview, note, verdict, worst } from '../verdicts.ts'
import { counted, firstFew } from '../../../lib/text/counted.ts'

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

/** Every file needs a test that fails on the base. */
export function shownOnBase(seen: readonly FileOnBase[]): RedOnBase {
  const green = seen.filter(({ isRed }) => !isRed)
  if (green.length > 0) return { kind: 'green', files: green.flatMap(({ files }) => files) }
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

export function testsToAdd(facts: TestsToAddFacts): Verdict {
  const { paths, missing, judgements } = facts
  const runs = [...facts.runs]
  if (paths.length === 0) return verdict('tests_to_add', 'not_applicable', 'the plan asks for no new tests')
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
