/**
 * Reads the output of cargo test: one block per target. Cargo writes the name of a target to standard error and the binary its
 * block to standard output, so both are in order and yet mixed in any way: the first name belongs to the first block.
 */
import { countsIn, reportedTest, summedReport } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const RESULT = /^test (\S.*) \.\.\. (ok|FAILED|ignored)(?:,.*)?$/
const STARTED = /^test (\S.*?) \.\.\. /
const SUMMARY =
  /^test result: (?:ok|FAILED)\. (?<passed>\d{1,9}) passed; (?<failed>\d{1,9}) failed; (?<skipped>\d{1,9}) ignored;/
const BLOCK = /^running \d{1,9} tests?$/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' }

export function readCargo(lines: readonly string[]): TestReport | null {
  const counts = countsIn(lines, SUMMARY)
  if (counts === null) return null
  const targets = lines.flatMap((line) => targetIn(line) ?? [])
  const starts = lines.flatMap((line, at) => (BLOCK.test(line) ? [at] : []))
  const tests = starts.flatMap((start, place) => {
    const target = targets[Math.min(place, targets.length - 1)] ?? ''
    return testsIn(lines.slice(start, starts[place + 1]), target)
  })
  return summedReport('cargo', counts, tests)
}

/** What a test writes to standard error may stand between its name and its outcome. */
function testsIn(lines: readonly string[], target: string): readonly ReportedTest[] {
  let open: string | null = null
  return lines.flatMap((line) => {
    const [, whole, word] = RESULT.exec(line) ?? []
    const name = whole ?? (OUTCOMES[line] === undefined ? null : open)
    open = name === null ? (STARTED.exec(line)?.[1] ?? open) : null
    if (name === null) return []
    const path = `${target === '' ? '' : `${target} > `}${name.replace(/ - should panic$/, '')}`
    return [reportedTest(path, OUTCOMES[word ?? line] ?? 'failed')]
  })
}

/** `Running unittests src/lib.rs (target/…)` or `Doc-tests cart`, without the hash, which differs between builds. */
function targetIn(line: string): string | null {
  const running = /^ {1,9}Running (?:unittests )?(\S+) \(/.exec(line)
  const docs = /^ {1,9}Doc-tests (\S+)$/.exec(line)
  return running?.[1] ?? (docs === null ? null : `doc-tests ${docs[1] ?? ''}`)
}
