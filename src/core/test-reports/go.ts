/** Reads the output of go test: JSON lines, tests by name with -v, else packages. */
import {
  cutName,
  linesOf,
  namedReport,
  type ReportedTest,
  type TestOutcome,
  type TestReport,
} from './report.ts'

const RESULT = /^ *--- (PASS|FAIL|SKIP): (\S+) \(\d[\d.]*s\)$/
const PACKAGE = /^(ok|FAIL|\?) *\t(\S+)(?:\t| \[)(.*)$/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  PASS: 'passed',
  FAIL: 'failed',
  SKIP: 'skipped',
  pass: 'passed',
  fail: 'failed',
  skip: 'skipped',
}

export function readGo(text: string): TestReport | null {
  const lines = linesOf(text)
  return fromJson(lines) ?? fromText(lines)
}

/** A package without named results counts as one test, so that a build failure shows. */
function fromJson(lines: readonly string[]): TestReport | null {
  const events = lines.flatMap(eventOf)
  if (events.length === 0) return null
  const tests = new Map<string, ReportedTest>()
  const broken: ReportedTest[] = []
  for (const { action, pkg, test } of events) {
    const outcome = OUTCOMES[action]
    if (outcome === undefined) continue
    if (test !== null)
      tests.set(`${pkg} > ${test}`, { name: cutName(`${pkg} > ${test}`), file: null, outcome })
    else if (outcome === 'failed') broken.push({ name: cutName(pkg), file: null, outcome })
  }
  const named = [...tests.values()]
  const withFailure = new Set(
    named.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name.split(' > ', 1)[0]),
  )
  const alone = broken.filter(({ name }) => !withFailure.has(name))
  return namedReport('go', [...named, ...alone])
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

function fromText(lines: readonly string[]): TestReport | null {
  const tests: ReportedTest[] = []
  let isGo = false
  let waiting: { readonly name: string; readonly outcome: TestOutcome }[] = []
  for (const line of lines) {
    const result = RESULT.exec(line)
    if (result !== null) {
      waiting.push({ name: result[2] ?? '', outcome: OUTCOMES[result[1] ?? ''] ?? 'failed' })
      continue
    }
    const match = PACKAGE.exec(line)
    if (match === null) continue
    const [, word, pkg = '', rest = ''] = match
    isGo = true
    tests.push(...testsOf({ word, pkg, rest, waiting }))
    waiting = []
  }
  return isGo ? namedReport('go', tests) : null
}

interface GoPackage {
  readonly word: string | undefined
  readonly pkg: string
  readonly rest: string
  readonly waiting: readonly { readonly name: string; readonly outcome: TestOutcome }[]
}

/** The tests of one package, or the package itself if no test is named. */
function testsOf({ word, pkg, rest, waiting }: GoPackage): readonly ReportedTest[] {
  const named = waiting.map(({ name, outcome }): ReportedTest => {
    return { name: cutName(`${pkg} > ${name}`), file: null, outcome }
  })
  const own = (outcome: TestOutcome): ReportedTest => ({ name: cutName(pkg), file: null, outcome })
  if (word === 'FAIL')
    return named.some(({ outcome }) => outcome === 'failed') ? named : [...named, own('failed')]
  if (word !== 'ok') return []
  if (/\[no tests to run\]/.test(rest)) return []
  return named.length > 0 ? named : [own('passed')]
}
