/** Reads the output of cargo test: one block per target. */
import { countsIn, reportedTest, summedReport } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const RESULT = /^test (\S.*) \.\.\. (ok|FAILED|ignored)(?:,.*)?$/
const SUMMARY =
  /^test result: (?:ok|FAILED)\. (?<passed>\d{1,9}) passed; (?<failed>\d{1,9}) failed; (?<skipped>\d{1,9}) ignored;/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' }

export function readCargo(lines: readonly string[]): TestReport | null {
  const counts = countsIn(lines, SUMMARY)
  if (counts === null) return null
  const tests: ReportedTest[] = []
  let target = ''
  for (const line of lines) {
    target = targetIn(line) ?? target
    const [, name, word = ''] = RESULT.exec(line) ?? []
    if (name === undefined) continue
    const path = `${target === '' ? '' : `${target} > `}${name.replace(/ - should panic$/, '')}`
    tests.push(reportedTest(path, OUTCOMES[word] ?? 'failed'))
  }
  return summedReport('cargo', counts, tests)
}

/** `Running unittests src/lib.rs (target/…)` or `Doc-tests cart`, without the hash, which differs between builds. */
function targetIn(line: string): string | null {
  const running = /^ {1,9}Running (?:unittests )?(\S+) \(/.exec(line)
  const docs = /^ {1,9}Doc-tests (\S+)$/.exec(line)
  return running?.[1] ?? (docs === null ? null : `doc-tests ${docs[1] ?? ''}`)
}
