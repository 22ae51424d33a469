/** Flaky tests fail and then pass on the same tree. They are neither passed nor failed, and reported by name. */
import { testKey, type TestReport } from '../../test-reports/report.ts'
import { neutralName } from '../../test-reports/test-names.ts'
import type { TestJudgement } from './judge-tests.ts'
import { nameFilterArguments, type RunnerName } from '../../test-reports/runner.ts'
import { blocking, type Outcome } from '../verdicts.ts'

const MOST_NAMES = 50

/** Arguments to run tests of these names, and perhaps others with similar names; null if there are none. */
export function rerunArguments(runner: RunnerName, names: readonly string[]): readonly string[] | null {
  const leaves = [...new Set(names.map((name) => leafOf(runner, name)))]
  if (leaves.length === 0 || leaves.length > MOST_NAMES || leaves.includes('')) return null
  return nameFilterArguments(runner, leaves)
}

/** The test's own name, without the suites around it. */
function leafOf(runner: RunnerName, name: string): string {
  const own = name.split(' > ').at(-1) ?? ''
  if (runner !== 'pytest' && runner !== 'unittest') return own
  return /([A-Za-z_]\w*)(\[.*)?$/.exec(own.replace(/\[.*$/, ''))?.[1] ?? ''
}

/** Which of the names passed now. A name that changes from run to run is known by the rest of it. */
export function passedNow(names: readonly string[], report: TestReport | null): readonly string[] {
  const tests = report?.tests ?? []
  const [exact, neutral] = [
    Map.groupBy(tests, testKey),
    Map.groupBy(tests, (test) => neutralName(testKey(test))),
  ]
  return names.filter((name) => {
    const found = exact.get(name) ?? neutral.get(neutralName(name)) ?? []
    return found.length > 0 && found.every(({ outcome }) => outcome === 'passed')
  })
}

/** If all failures are flaky, the result is inconclusive, not a pass. */
export function flakyJudgement(
  judged: TestJudgement,
  failed: readonly string[],
  flaky: readonly string[],
): TestJudgement {
  if (flaky.length === 0) return judged
  const isAll = failed.every((name) => flaky.includes(name))
  const outcome: Outcome = isAll ? 'inconclusive' : 'failed'
  const named = flaky.slice(0, 3).join(', ')
  const findings = flaky.map((name) => blocking(`flaky: failed, then passed when rerun: ${name}`))
  return {
    outcome,
    summary: `${judged.summary}; flaky: ${named}`,
    findings: [...findings, ...judged.findings],
  }
}
