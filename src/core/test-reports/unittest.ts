/** Reads the output of Python's unittest: names with -v, a sum always. */
import { counted, matchesIn, reportedTest, summedReport, sumIn } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const SUM = /^Ran (\d{1,9}) tests? in \d[\d.]{0,12}s$/
const END = /^(OK|FAILED|NO TESTS RAN)(?: \(([a-z =,0-9]{1,200})\))?$/
const NAME = /^test\S* \(\S+\)$/
const HEADER = /^(FAIL|ERROR): (\S+) \((\S+)\)/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  ok: 'passed',
  FAIL: 'failed',
  ERROR: 'failed',
  'expected failure': 'todo',
  'unexpected success': 'failed',
}

export function readUnittest(lines: readonly string[]): TestReport | null {
  const ends = matchesIn(lines, END).map(([, , details = '']) => details)
  if (ends.length === 0 || !lines.some((line) => SUM.test(line))) return null
  const countOf = (word: string): number => sumIn(ends, new RegExp(`(?:^|, )${word}=(\\d{1,9})`))
  const failed = countOf('failures') + countOf('errors') + countOf('unexpected successes')
  const skipped = countOf('skipped') + countOf('expected failures')
  const counts = counted(Math.max(0, sumIn(lines, SUM) - failed - skipped), failed, skipped)
  return summedReport('unittest', counts, resultsIn(lines), failuresIn(lines))
}

/** `test_adds (test_cart.CartTest.test_adds) ... ok`, or the name alone and the docstring below it: `Adds two prices. ... ok`. */
function resultsIn(lines: readonly string[]): readonly ReportedTest[] {
  return lines.flatMap((line, index) => {
    const at = line.lastIndexOf(' ... ')
    if (at === -1) return []
    const word = line.slice(at + 5)
    const outcome = word.startsWith('skipped ') ? 'skipped' : OUTCOMES[word]
    const own = line.slice(0, at)
    const named = [own, lines[index - 1] ?? ''].find((text) => NAME.test(text))
    const name = named ?? (own.startsWith('test') ? own : undefined)
    return outcome === undefined || name === undefined ? [] : [reportedTest(nameIn(name), outcome)]
  })
}

function nameIn(text: string): string {
  const inner = /\((\S+)\)$/.exec(text)?.[1] ?? text
  const own = text.split(' ', 1)[0] ?? text
  return inner.endsWith(`.${own}`) ? inner : `${inner}.${own}`
}

function failuresIn(lines: readonly string[]): readonly ReportedTest[] {
  return matchesIn(lines, HEADER).map(([, , name = '', inner = '']) =>
    reportedTest(nameIn(`${name} (${inner})`), 'failed'),
  )
}
