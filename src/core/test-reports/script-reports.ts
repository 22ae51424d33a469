/** Reads what the test runners of JavaScript and Python print. */
import { z } from 'zod'
import {
  BROKEN_FILE,
  counted,
  indentedTests,
  matchesIn,
  namedReport,
  outcomeOf,
  reportedTest,
  summedReport,
  sumBefore,
  sumIn,
  testsIn,
  type ReportedTest,
  type TestReport,
} from './report.ts'

/** Reads what vitest, jest and mocha print: all test names with one file or a verbose reporter, failed ones always. */
const VITEST_SUM = /^ {0,12}Tests {1,4}(.*\(\d{1,9}\)|no tests)$/
const VITEST_TEST = /^ {0,8}(?<word>[✓×↓□]) (?<file>\S.*?) > (?<name>.*?)(?: \d{1,9}ms)?$/
const VITEST_FAILED = /^ FAIL {2}(?<file>\S.*?)(?: > (?<name>.*))?$/

export function readVitest(lines: readonly string[], text: string): TestReport | null {
  const isVitest = /^ {0,2}(RUN|DEV) {1,3}v\d/m.test(text) || /^ Test Files {2}/m.test(text)
  if (!isVitest) return null
  const sums = matchesIn(lines, VITEST_SUM).map(([line]) => line)
  const brokenFiles = sumIn(lines, /^ Test Files {2}.*?(\d{1,9}) failed/)
  const counts = counted(
    sumBefore(sums, 'passed'),
    // A file that cannot be loaded fails without a single failed test.
    sumBefore(sums, 'failed') || brokenFiles,
    sumBefore(sums, 'skipped') + sumBefore(sums, 'todo'),
  )
  const failed = new Set(lines.filter((line) => line.startsWith(' FAIL ')))
  return summedReport('vitest', counts, testsIn(lines, VITEST_TEST), testsIn([...failed], VITEST_FAILED))
}

export function readJest(lines: readonly string[], text: string): TestReport | null {
  const sums = lines.filter((line) => /^Tests: {1,9}.*\d{1,9} total$/.test(line))
  const suites = lines.filter((line) => /^Test Suites: {1,9}.*\d{1,9} total$/.test(line))
  if (sums.length === 0 || suites.length === 0) return readJestJson(text)
  const counts = counted(
    sumBefore(sums, 'passed'),
    sumBefore(sums, 'failed') || sumBefore(suites, 'failed'),
    sumBefore(sums, 'skipped') + sumBefore(sums, 'todo'),
  )
  return summedReport('jest', counts, verboseJest(lines), failedJest(lines))
}

const JEST_FILE = /^(?:PASS|FAIL) {1,2}(\S+)/
const JEST_TEST = /^ +(?<word>[✓√✕×○✎]) (?:(?:skipped|todo) )?(?<name>.*?)(?: \(\d[\d.]{0,12} m?s\))?$/

/** The tests of a file are below its name, up to the first failure. */
function verboseJest(lines: readonly string[]): readonly ReportedTest[] {
  const starts = lines.flatMap((line, at) => (JEST_FILE.test(line) ? [at] : []))
  return starts.flatMap((start, place) => {
    const block = lines.slice(start + 1, starts[place + 1])
    const end = block.findIndex((line) => line.startsWith('  ●'))
    const file = JEST_FILE.exec(lines[start] ?? '')?.[1] ?? ''
    return indentedTests(end === -1 ? block : block.slice(0, end), JEST_TEST, file)
  })
}

/** `  ● suite › test`, under the file it belongs to. */
function failedJest(lines: readonly string[]): readonly ReportedTest[] {
  const failed = new Map<string, ReportedTest>()
  let file: string | null = null
  for (const line of lines) {
    if (line.startsWith('Summary of all failing tests')) break
    file = /^FAIL {1,2}(\S+)/.exec(line)?.[1] ?? file
    const name = /^ {2}● (.*)$/.exec(line)?.[1]
    if (name === undefined || name === 'Console') continue
    const path = name === 'Test suite failed to run' ? BROKEN_FILE : name.replaceAll(' › ', ' > ')
    failed.set(`${file ?? ''} ${path}`, reportedTest(path, 'failed', file))
  }
  return [...failed.values()]
}

const jsonSchema = z.object({
  numTotalTests: z.number(),
  numFailedTests: z.number(),
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string().optional(),
          title: z.string().optional(),
          ancestorTitles: z.array(z.string()).optional(),
          status: z.string(),
        }),
      ),
    }),
  ),
})

/** The JSON report of jest and vitest. */
function readJestJson(text: string): TestReport | null {
  const document = documentIn(text)
  if (document === null) return null
  const tests = document.testResults.flatMap(({ name: file, status, assertionResults }) => {
    const own = assertionResults.map((result) => {
      const path = [...(result.ancestorTitles ?? []), result.title ?? ''].filter((part) => part !== '')
      const name = path.length > 0 ? path.join(' > ') : (result.fullName ?? 'test')
      return reportedTest(name, outcomeOf(result.status), file)
    })
    const isBroken = status === 'failed' && !own.some(({ outcome }) => outcome === 'failed')
    return isBroken ? [...own, reportedTest(BROKEN_FILE, 'failed', file)] : own
  })
  const listed = tests.filter(({ name, outcome }) => outcome === 'failed' && name !== BROKEN_FILE).length
  const doubts = listed < document.numFailedTests ? ['it counts more failed tests than it lists'] : []
  // Only jest counts files that could not run.
  const format = text.includes('"numRuntimeErrorTestSuites"') ? 'jest' : 'vitest'
  return namedReport(format, tests, doubts)
}

/** The document starts on its own line; other output may surround it. */
function documentIn(text: string): z.infer<typeof jsonSchema> | null {
  if (!text.includes('"numTotalTests"')) return null
  const start = text.startsWith('{') ? 0 : text.indexOf('\n{') + 1
  const end = text.lastIndexOf('}')
  if (end < start) return null
  try {
    const parsed = jsonSchema.safeParse(JSON.parse(text.slice(start, end + 1)))
    return parsed.success ? parsed.data : null
  } catch {
    // Not JSON; other readers are tried.
    return null
  }
}

const MOCHA_SUM = /^ {0,8}\d{1,9} (?:passing|failing|pending)(?: \(\d[\d.]*(?:ms|s|m)\))?$/
const MOCHA_TEST = /^ {2,64}(?<word>[✔✓√-]|\d{1,9}\)) (?<name>.+?)(?: \(\d{1,9}ms\))?$/

/** Mocha's default reporter, and others with the same summary. */
export function readMocha(lines: readonly string[]): TestReport | null {
  const sums = matchesIn(lines, MOCHA_SUM).map(([line]) => line)
  const start = lines.findIndex((line) => MOCHA_SUM.test(line) && line.includes(' passing'))
  if (start === -1) return null
  return summedReport(
    'mocha',
    counted(sumBefore(sums, 'passing'), sumBefore(sums, 'failing'), sumBefore(sums, 'pending')),
    indentedTests(lines.slice(0, start), MOCHA_TEST),
  )
}

/** Reads what pytest and unittest of Python print. */
const PYTEST_WORDS = ['PASSED', 'XPASS', 'FAILED', 'ERROR', 'SKIPPED', 'XFAIL'] as const
const PYTEST_SUM =
  /^(?:=+ )?((?:\d{1,9} [a-z]+(?:, )?){1,10}|no tests ran) in \d[\d.]{0,12}s(?: \([\d:]+\))?(?: =+)?$/
const WORKER = /^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S.*)$/
const LISTED = /^(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S.*)$/

/** All names with -v or -rA, failed ones in the short summary unless it is turned off. */
export function readPytest(lines: readonly string[]): TestReport | null {
  const sums = matchesIn(lines, PYTEST_SUM).map(([, sum = '']) => sum)
  if (sums.length === 0 || !isPytest(sums)) return null
  const counts = counted(
    sumBefore(sums, 'passed') + sumBefore(sums, 'xpassed'),
    sumBefore(sums, 'failed') + sumBefore(sums, 'errors?'),
    sumBefore(sums, 'skipped') + sumBefore(sums, 'xfailed'),
  )
  return summedReport('pytest', counts, verbosePytest(lines), listedPytest(lines))
}

/** Other programs end with "3 files in 0.1s". */
function isPytest(sums: readonly string[]): boolean {
  if (sums.some((sum) => sum.startsWith('no tests ran'))) return true
  return sums.every((sum) => /\b(passed|failed|errors?|skipped|xfailed|xpassed|deselected)\b/.test(sum))
}

/** Between the collection and the first section: later ones quote tests and their output. */
function verbosePytest(lines: readonly string[]): readonly ReportedTest[] {
  let isRunning = false
  return lines.flatMap((line) => {
    if (/collected \d+ items?/.test(line) || /^gw\d+ \[\d+\]|^\d+ workers \[/.test(line)) isRunning = true
    else if (/^=+ \S/.test(line)) isRunning = false
    else if (isRunning) {
      const [, word = '', id = ''] = (line.endsWith('%]') ? plainResult(line) : WORKER.exec(line)) ?? []
      return id.includes('::') ? [pytestTest(id, word)] : []
    }
    return []
  })
}

/** `path::name PASSED   [ 12%]`, with a reason in brackets after SKIPPED and XFAIL. */
function plainResult(line: string): readonly string[] | null {
  const body = line.slice(0, line.lastIndexOf('[')).trimEnd()
  for (const word of PYTEST_WORDS) {
    if (body.endsWith(` ${word}`)) return [body, word, body.slice(0, -word.length - 1)]
    const at = body.endsWith(')') ? body.indexOf(` ${word} (`) : -1
    if (at !== -1) return [body, word, body.slice(0, at)]
  }
  return null
}

function listedPytest(lines: readonly string[]): readonly ReportedTest[] {
  const start = lines.findLastIndex((line) => /^=+ short test summary info =+$/.test(line))
  if (start === -1) return []
  return matchesIn(lines.slice(start + 1), LISTED).map(([, word = '', rest = '']) => {
    const end = rest.indexOf(' - ')
    return pytestTest(end === -1 || word === 'PASSED' ? rest : rest.slice(0, end), word)
  })
}

function pytestTest(id: string, word: string): ReportedTest {
  const at = id.indexOf('::')
  const outcome = word === 'XPASS' ? 'passed' : outcomeOf(word)
  return at === -1
    ? reportedTest(BROKEN_FILE, outcome, id)
    : reportedTest(id.slice(at + 2), outcome, id.slice(0, at))
}

const UNITTEST_SUM = /^Ran (\d{1,9}) tests? in \d[\d.]{0,12}s$/
const UNITTEST_END = /^(OK|FAILED|NO TESTS RAN)(?: \(([a-z =,0-9]{1,200})\))?$/
const UNITTEST_FAILED = /^(?:FAIL|ERROR): (\S+ \(\S+\))/
const RESULT = /^(.*) \.\.\. (ok|FAIL|ERROR|expected failure|unexpected success|skipped .*)$/

/** Names with -v, a sum always. */
export function readUnittest(lines: readonly string[]): TestReport | null {
  const ends = matchesIn(lines, UNITTEST_END).map(([, , details = '']) => details)
  if (ends.length === 0 || !lines.some((line) => UNITTEST_SUM.test(line))) return null
  const countOf = (word: string): number => sumIn(ends, new RegExp(`(?:^|, )${word}=(\\d{1,9})`))
  const failed = countOf('failures') + countOf('errors') + countOf('unexpected successes')
  const skipped = countOf('skipped') + countOf('expected failures')
  const counts = counted(Math.max(0, sumIn(lines, UNITTEST_SUM) - failed - skipped), failed, skipped)
  const failures = matchesIn(lines, UNITTEST_FAILED).map(([, name = '']) =>
    reportedTest(unittestName(name), 'failed'),
  )
  return summedReport('unittest', counts, verboseUnittest(lines), failures)
}

/** `test_adds (test_cart.CartTest.test_adds) ... ok`, or the name alone and the docstring below it: `Adds two prices. ... ok`. */
function verboseUnittest(lines: readonly string[]): readonly ReportedTest[] {
  return lines.flatMap((line, index) => {
    const [, own = '', words] = RESULT.exec(line) ?? []
    if (words === undefined) return []
    const named = [own, lines[index - 1] ?? ''].find((text) => /^test\S* \(\S+\)$/.test(text))
    const name = named ?? (own.startsWith('test') ? own : null)
    const [word = ''] = words.split(' ', 1)
    return name === null ? [] : [reportedTest(unittestName(name), outcomeOf(word))]
  })
}

function unittestName(text: string): string {
  const inner = /\((\S+)\)$/.exec(text)?.[1] ?? text
  const own = text.split(' ', 1)[0] ?? text
  return inner.endsWith(`.${own}`) ? inner : `${inner}.${own}`
}
