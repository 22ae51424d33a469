/** Reads the spec reporter of node:test: a mark before each test, a summary of `ℹ` lines. */
import { counted, cutName, linesOf, numberOf } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const MARKS: Readonly<Record<string, TestOutcome>> = {
  '✔': 'passed',
  '✖': 'failed',
  '﹣': 'skipped',
  '⚠': 'todo',
}
const RESULT = /^( *)([✔✖﹣⚠]) (.*)$/
const SUMMARY = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo) (\d{1,9})$/

export function readNodeSpec(text: string): TestReport | null {
  const lines = linesOf(text)
  const sums = new Map<string, number>()
  for (const line of lines) {
    const match = SUMMARY.exec(line)
    const [, name = '', digits] = match ?? []
    if (match !== null) sums.set(name, (sums.get(name) ?? 0) + numberOf(digits))
  }
  if (!sums.has('tests') || !sums.has('pass') || !sums.has('fail')) return null
  const countOf = (name: string): number => sums.get(name) ?? 0
  const counts = counted(
    countOf('pass'),
    countOf('fail') + countOf('cancelled'),
    countOf('skipped') + countOf('todo'),
  )
  const { leaves, parents } = resultsIn(lines)
  const around = aroundFailures(leaves)
  const own = parents.filter((parent) => parent.outcome === 'failed' && !around.has(parent.name))
  const tests = [...leaves, ...own]
  const isWhole = leaves.length + parents.length - countOf('suites') === countOf('tests')
  const failures = tests.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  return {
    format: 'node-spec',
    tests: isWhole ? tests : null,
    failures: isWhole && (failures.length > 0 || counts.failed === 0) ? failures : null,
    counts,
    doubts: [],
  }
}

/** The parents of failed tests, which fail only because of them. */
function aroundFailures(leaves: readonly ReportedTest[]): ReadonlySet<string> {
  const around = new Set<string>()
  for (const { name, outcome } of leaves) {
    if (outcome !== 'failed') continue
    for (let at = name.lastIndexOf(' > '); at > 0; at = name.lastIndexOf(' > ', at - 1)) {
      around.add(name.slice(0, at))
    }
  }
  return around
}

interface Results {
  readonly leaves: readonly ReportedTest[]
  /** Suites and tests with subtests; the output does not distinguish them. */
  readonly parents: readonly ReportedTest[]
}

function resultsIn(lines: readonly string[]): Results {
  const leaves: ReportedTest[] = []
  const parents: ReportedTest[] = []
  const around: { readonly indent: number; readonly name: string }[] = []
  let isListing = false
  for (const line of lines) {
    // The failures are repeated after the summary.
    if (line === '✖ failing tests:') isListing = true
    else if (line.startsWith('ℹ tests ')) isListing = false
    if (isListing) continue
    const opening = /^( *)▶ (.*)$/.exec(line)
    if (opening !== null) {
      around.push({ indent: opening[1]?.length ?? 0, name: opening[2] ?? '' })
      continue
    }
    const match = RESULT.exec(line)
    if (match === null) continue
    const [, indent = '', mark = '', rest = ''] = match
    const { name, isTodo } = nameIn(rest)
    const outcome = isTodo ? 'todo' : (MARKS[mark] ?? 'failed')
    const last = around.at(-1)
    const closes = last !== undefined && last.indent === indent.length && last.name === name
    if (closes) around.pop()
    const path = [...around.slice(0, 32).map((suite) => suite.name), name].join(' > ')
    const list = closes ? parents : leaves
    list.push({ name: cutName(path), file: null, outcome })
  }
  return { leaves, parents }
}

/** `name (1.5ms) # TODO why`. */
function nameIn(rest: string): { readonly name: string; readonly isTodo: boolean } {
  const time = / \(\d[\d.]{0,20}ms\)( # .*)?$/.exec(rest)
  if (time === null) return { name: rest, isTodo: false }
  return { name: rest.slice(0, time.index), isTodo: /^ # TODO\b/.test(time[1] ?? '') }
}
