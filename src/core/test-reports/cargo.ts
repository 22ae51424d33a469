/** Reads the output of cargo test: one block per target. */
import { counted, cutName, linesOf, numberOf, summedReport } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const RESULT = /^test (\S.*) \.\.\. (ok|FAILED|ignored)(?:,.*)?$/
const SUMMARY = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' }

export function readCargo(text: string): TestReport | null {
  const lines = linesOf(text)
  const tests: ReportedTest[] = []
  let [passed, failed, ignored, blocks] = [0, 0, 0, 0]
  let target = ''
  for (const line of lines) {
    target = targetIn(line) ?? target
    const result = RESULT.exec(line)
    if (result !== null) {
      const name = (result[1] ?? '').replace(/ - should panic$/, '')
      const path = target === '' ? name : `${target} > ${name}`
      tests.push({ name: cutName(path), file: null, outcome: OUTCOMES[result[2] ?? ''] ?? 'failed' })
    }
    const summary = SUMMARY.exec(line)
    if (summary === null) continue
    blocks++
    passed += numberOf(summary[1])
    failed += numberOf(summary[2])
    ignored += numberOf(summary[3])
  }
  return blocks === 0 ? null : summedReport('cargo', counted(passed, failed, ignored), tests)
}

/** `Running unittests src/lib.rs (target/…)` or `Doc-tests cart`, without the hash, which differs between builds. */
function targetIn(line: string): string | null {
  const running = /^ {1,9}Running (?:unittests )?(\S+) \(/.exec(line)
  const docs = /^ {1,9}Doc-tests (\S+)$/.exec(line)
  return running?.[1] ?? (docs === null ? null : `doc-tests ${docs[1] ?? ''}`)
}
