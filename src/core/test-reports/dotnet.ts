/** Reads the output of dotnet test: one line per project, and test names with the detailed logger. */
import { counted, cutName, linesOf, numberOf, summedReport, NO_COUNTS } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const PROJECT =
  /^(?:Passed|Failed|Skipped)! +- Failed: +(\d{1,9}), Passed: +(\d{1,9}), Skipped: +(\d{1,9}), Total: +\d{1,9}/
const WHOLE = /^Test summary: total: \d{1,9}, failed: (\d{1,9}), succeeded: (\d{1,9}), skipped: (\d{1,9})/
const RESULT = /^ {2}(Passed|Failed|Skipped) (\S.*?)(?: \[[^\]]{1,30}\])?$/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  Passed: 'passed',
  Failed: 'failed',
  Skipped: 'skipped',
}

export function readDotnet(text: string): TestReport | null {
  const lines = linesOf(text)
  const sums = matches(lines, WHOLE)
  const found = sums.length > 0 ? sums : matches(lines, PROJECT)
  const old = found.length > 0 ? null : oldSummary(lines)
  const isEmpty = lines.some((line) => /^No test (is available|matches the given testcase filter)/.test(line))
  if (found.length === 0 && old === null) {
    return isEmpty ? summedReport('dotnet', NO_COUNTS, []) : null
  }
  const total = (at: number): number => found.reduce((sum, match) => sum + numberOf(match[at]), 0)
  const counts = old ?? counted(total(2), total(1), total(3))
  return summedReport('dotnet', counts, lines.flatMap(resultIn))
}

function matches(lines: readonly string[], pattern: RegExp): readonly RegExpExecArray[] {
  return lines.map((line) => pattern.exec(line)).filter((match) => match !== null)
}

/** `Total tests: 6` and the numbers below it. */
function oldSummary(lines: readonly string[]): ReturnType<typeof counted> | null {
  const start = lines.findLastIndex((line) => /^Total tests: \d{1,9}/.test(line))
  if (start === -1) return null
  const countOf = (word: string): number => {
    const [match] = matches(lines.slice(start, start + 6), new RegExp(`^ +${word}: (\\d{1,9})`))
    return numberOf(match?.[1])
  }
  return counted(countOf('Passed'), countOf('Failed'), countOf('Skipped'))
}

function resultIn(line: string): readonly ReportedTest[] {
  const match = RESULT.exec(line)
  if (match === null) return []
  return [{ name: cutName(match[2] ?? ''), file: null, outcome: OUTCOMES[match[1] ?? ''] ?? 'failed' }]
}
