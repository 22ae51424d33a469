/** Reads the output of go test: JSON lines, tests by name with -v, else packages. */
import { namedReport, reportedTest, type ReportedTest, type TestOutcome, type TestReport } from './report.ts'

const RESULT = /^ *--- (PASS|FAIL|SKIP): (\S+) \(\d[\d.]*s\)$/
const PACKAGE = /^(ok|FAIL|\?) *\t(\S+)(?:\t| \[)(.*)$/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

/** The result of a test, or of a whole package. */
interface GoResult {
  readonly pkg: string
  readonly test: string | null
  readonly outcome: TestOutcome
}

export function readGo(lines: readonly string[]): TestReport | null {
  const results = jsonResults(lines) ?? textResults(lines)
  if (results === null) return null
  return namedReport('go', [...Map.groupBy(results, ({ pkg }) => pkg)].flatMap(testsOf))
}

/** A package counts as one test if none of its tests explains its result, so that a build failure shows. */
function testsOf([pkg, results]: readonly [string, readonly GoResult[]]): readonly ReportedTest[] {
  const named = results.flatMap(({ test, outcome }) =>
    test === null ? [] : [reportedTest(`${pkg} > ${test}`, outcome)],
  )
  const own = results.flatMap(({ test, outcome }) => (test === null ? [reportedTest(pkg, outcome)] : []))
  const isExplained = ({ outcome }: ReportedTest): boolean =>
    outcome === 'failed' ? named.some((test) => test.outcome === 'failed') : named.length > 0
  return [...named, ...own.filter((one) => !isExplained(one))]
}

/** With `-json` every test is named, so that only failures of a package count. */
function jsonResults(lines: readonly string[]): readonly GoResult[] | null {
  const events = lines.flatMap(eventOf)
  if (events.length === 0) return null
  return events.flatMap(({ action, pkg, test }) => {
    const outcome = OUTCOMES[action.toUpperCase()]
    return outcome === undefined || (test === null && outcome !== 'failed') ? [] : [{ pkg, test, outcome }]
  })
}

interface GoEvent {
  readonly action: string
  readonly pkg: string
  readonly test: string | null
}

function eventOf(line: string): readonly GoEvent[] {
  if (!line.startsWith('{"') || !line.includes('"Action":')) return []
  try {
    const event: unknown = JSON.parse(line)
    if (typeof event !== 'object' || event === null) return []
    const { Action, Package, Test } = event as Record<string, unknown>
    if (typeof Action !== 'string' || typeof Package !== 'string') return []
    return [{ action: Action, pkg: Package, test: typeof Test === 'string' ? Test : null }]
  } catch {
    // An incomplete line, or output of a test.
    return []
  }
}

/** The line of a package is below those of its tests. */
function textResults(lines: readonly string[]): readonly GoResult[] | null {
  const results: GoResult[] = []
  let isGo = false
  let tests: Omit<GoResult, 'pkg'>[] = []
  for (const line of lines) {
    const [, word = '', test] = RESULT.exec(line) ?? []
    if (test !== undefined) tests.push({ test, outcome: OUTCOMES[word] ?? 'failed' })
    const [, result, pkg = '', rest = ''] = PACKAGE.exec(line) ?? []
    if (result === undefined) continue
    isGo = true
    if (result === 'FAIL') tests.push({ test: null, outcome: 'failed' })
    else if (result === '?' || rest.includes('[no tests to run]')) tests = []
    else tests.push({ test: null, outcome: 'passed' })
    results.push(...tests.map((one) => ({ ...one, pkg })))
    tests = []
  }
  return isGo ? results : null
}
