/** What Python's unittest prints: names with -v, a sum always. */
import { counted, cutName, linesOf, numberOf, summedReport } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const SUM = /^Ran (\d{1,9}) tests? in \d[\d.]{0,12}s$/
const END = /^(OK|FAILED|NO TESTS RAN)(?: \(([a-z =,0-9]{1,200})\))?$/
const HEADER = /^(FAIL|ERROR): (\S+) \((\S+)\)/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  ok: 'passed',
  FAIL: 'failed',
  ERROR: 'failed',
  'expected failure': 'todo',
  'unexpected success': 'failed',
}

export function readUnittest(text: string): TestReport | null {
  const lines = linesOf(text)
  const run = lines
    .flatMap((line) => SUM.exec(line)?.[1] ?? [])
    .reduce((sum, more) => sum + numberOf(more), 0)
  const ends = lines.map((line) => END.exec(line)).filter((match) => match !== null)
  if (ends.length === 0 || !lines.some((line) => SUM.test(line))) return null
  const countOf = (word: string): number =>
    ends
      .map((end) => numberOf(new RegExp(`(?:^|, )${word}=(\\d{1,9})`).exec(end[2] ?? '')?.[1]))
      .reduce((sum, more) => sum + more, 0)
  const failed = countOf('failures') + countOf('errors') + countOf('unexpected successes')
  const skipped = countOf('skipped') + countOf('expected failures')
  const counts = counted(Math.max(0, run - failed - skipped), failed, skipped)
  const verbose = lines.flatMap(resultIn)
  return summedReport('unittest', counts, verbose.length > 0 ? verbose : failuresIn(lines))
}

/** `test_adds (test_cart.CartTest.test_adds) ... ok`. */
function resultIn(line: string): readonly ReportedTest[] {
  const at = line.lastIndexOf(' ... ')
  if (at === -1 || !line.startsWith('test')) return []
  const word = line.slice(at + 5)
  const outcome = word.startsWith('skipped ') ? 'skipped' : OUTCOMES[word]
  return outcome === undefined ? [] : [{ name: nameIn(line.slice(0, at)), file: null, outcome }]
}

function nameIn(text: string): string {
  const inner = /\((\S+)\)$/.exec(text)?.[1] ?? text
  const own = text.split(' ', 1)[0] ?? text
  return cutName(inner.endsWith(`.${own}`) ? inner : `${inner}.${own}`)
}

function failuresIn(lines: readonly string[]): readonly ReportedTest[] {
  return lines.flatMap((line) => {
    const match = HEADER.exec(line)
    return match === null
      ? []
      : [{ name: nameIn(`${match[2]} (${match[3]})`), file: null, outcome: 'failed' as const }]
  })
}
