/** Reads the spec reporter of node:test: a mark before each test, a summary of `ℹ` lines. */
import { reportedTest } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'
import { nodeCounts, nodeSums } from './tap.ts'

const MARKS: Readonly<Record<string, TestOutcome>> = {
  '✔': 'passed',
  '✖': 'failed',
  '﹣': 'skipped',
  '⚠': 'todo',
}
const RESULT = /^( *)([✔✖﹣⚠]) (.*)$/

export function readNodeSpec(lines: readonly string[]): TestReport | null {
  const sums = nodeSums(lines, 'ℹ')
  if (!sums.has('tests') || !sums.has('pass') || !sums.has('fail')) return null
  const counts = nodeCounts(sums)
  const { leaves, parents } = resultsIn(lines)
  const around = aroundFailures(leaves)
  const own = parents.filter((parent) => parent.outcome === 'failed' && !around.has(parent.name))
  const tests = [...leaves, ...own]
  const isWhole = leaves.length + parents.length - (sums.get('suites') ?? 0) === sums.get('tests')
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
    list.push(reportedTest(path, outcome))
  }
  return { leaves, parents }
}

/** `name (1.5ms) # TODO why`. */
function nameIn(rest: string): { readonly name: string; readonly isTodo: boolean } {
  const time = / \(\d[\d.]{0,20}ms\)( # .*)?$/.exec(rest)
  if (time === null) return { name: rest, isTodo: false }
  return { name: rest.slice(0, time.index), isTodo: /^ # TODO\b/.test(time[1] ?? '') }
}
