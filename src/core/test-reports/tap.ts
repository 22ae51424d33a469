/** Reads TAP 12 to 14 (test points, plans, and subtests by indent, comment or braces) and the spec reporter of node:test. */
import type { Counts } from '../event-schemas/evidence.ts'
import {
  counted,
  cutName,
  matchesIn,
  namedReport,
  numberOf,
  outcomeOf,
  reportedTest,
  summedReport,
} from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

interface Point {
  readonly name: string
  outcome: TestOutcome
  /** The type in its diagnostic block, if any. */
  type: 'suite' | 'test' | null
  readonly children: readonly Point[]
}

const MAX_DEPTH = 32
const INDENT = 4

export function readTap(lines: readonly string[]): TestReport | null {
  const isTap = lines.some((line) => /^TAP version 1[234]$/.test(line)) || looksLikeTap(lines)
  if (!isTap) return null
  return new TapReading(isOfTape(lines) ? new TapeNames() : null).read(lines)
}

/** Tape sets its sums in columns, and counts skipped assertions as passed. What a test of node prints may look alike. */
const isOfTape = (lines: readonly string[]): boolean =>
  lines.some((line) => /^# pass {2}\d{1,9}$/.test(line)) && !nodeSums(lines, '#').has('cancelled')

/** Without a version line, a plan and a test point are required. */
function looksLikeTap(lines: readonly string[]): boolean {
  return lines.some((line) => /^1\.\.\d+/.test(line)) && lines.some((line) => /^(not )?ok \d+\b/.test(line))
}

/** Tape prints the name of a test as a comment above its assertions, whose own names are often the same. */
class TapeNames {
  #heading = ''
  readonly #seen = new Map<string, number>()

  read(comment: string): void {
    this.#heading = comment
  }

  of(assertion: string): string {
    const name = this.#heading === '' ? assertion : `${this.#heading} > ${assertion}`
    const times = (this.#seen.get(name) ?? 0) + 1
    this.#seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  }
}

class TapReading {
  readonly #tape: TapeNames | null
  /** Points whose parent has not been read yet, by depth. */
  readonly #pending: Point[][] = []
  readonly #braces: { readonly depth: number; readonly point: Omit<Point, 'children'> }[] = []
  readonly #doubts: string[] = []
  /** Block ends that were searched to the last line without success. */
  readonly #unended = new Set<string>()
  #last: Point | null = null
  #planned = 0
  #plans = 0

  constructor(tape: TapeNames | null) {
    this.#tape = tape
  }

  read(lines: readonly string[]): TestReport {
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? ''
      const body = line.trimStart()
      const depth = Math.min(MAX_DEPTH, Math.floor((line.length - body.length) / INDENT))
      if (body === '---') at = this.#skipBlock(lines, at)
      else this.#take(body, depth)
    }
    return this.#report(this.#tape === null ? nodeSums(lines, '#') : new Map())
  }

  #take(body: string, depth: number): void {
    const point = pointOf(body)
    if (point !== null) {
      if (body.endsWith('{')) this.#braces.push({ depth, point })
      else this.#place(point, depth)
    } else if (body === '}' && this.#braces.length > 0) {
      const open = this.#braces.pop()
      if (open !== undefined) this.#place(open.point, open.depth)
    } else if (depth === 0) {
      this.#takeTop(body)
    }
  }

  #takeTop(body: string): void {
    const plan = /^1\.\.(\d{1,9})\b/.exec(body)
    if (plan !== null) {
      this.#planned += numberOf(plan[1])
      this.#plans++
    }
    if (body.startsWith('# ')) this.#tape?.read(body.slice(2))
    if (body.startsWith('Bail out!')) this.#doubts.push(`it bailed out: ${cutName(body.slice(9))}`)
  }

  #place(point: Omit<Point, 'children'>, depth: number): void {
    const name = depth === 0 && this.#tape !== null ? this.#tape.of(point.name) : point.name
    const whole: Point = { ...point, name, children: this.#pending[depth + 1] ?? [] }
    this.#pending.length = Math.min(this.#pending.length, depth + 1)
    while (this.#pending.length <= depth) this.#pending.push([])
    this.#pending[depth]?.push(whole)
    this.#last = whole
  }

  /** A diagnostic block belongs to the point before it and ends at its own indent. */
  #skipBlock(lines: readonly string[], start: number): number {
    const opening = lines[start] ?? ''
    const end = `${opening.slice(0, opening.length - 3)}...`
    if (this.#unended.has(end)) return start
    for (let at = start + 1; at < lines.length; at++) {
      const line = lines[at] ?? ''
      if (line === end) return at
      const type = /^\s+type: '(suite|test)'$/.exec(line)?.[1]
      if (this.#last !== null && (type === 'suite' || type === 'test')) this.#last.type = type
    }
    this.#unended.add(end)
    return start
  }

  #report(sums: ReadonlyMap<string, number>): TestReport {
    const top = this.#pending[0] ?? []
    if (this.#plans === 0) this.#doubts.push('it has no plan')
    else if (this.#planned !== top.length) {
      this.#doubts.push(`it planned ${this.#planned} tests and reported ${top.length}`)
    }
    const tests = flatten(top)
    const report = sums.has('tests')
      ? summedReport('tap', nodeCounts(sums), tests)
      : namedReport('tap', tests)
    return { ...report, doubts: this.#doubts }
  }
}

/** The summary of node:test, whose lines begin with a mark: `# pass 3`. */
function nodeSums(lines: readonly string[], mark: '#' | 'ℹ'): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  const pattern = new RegExp(`^${mark} (tests|suites|pass|fail|cancelled|skipped|todo) (\\d{1,9})$`)
  for (const [, word = '', digits] of matchesIn(lines, pattern))
    sums.set(word, (sums.get(word) ?? 0) + numberOf(digits))
  return sums
}

function nodeCounts(sums: ReadonlyMap<string, number>): Counts {
  const countOf = (word: string): number => sums.get(word) ?? 0
  return counted(
    countOf('pass'),
    countOf('fail') + countOf('cancelled'),
    countOf('skipped') + countOf('todo'),
  )
}

/** A skipped suite counts as one skipped test, because its tests are not listed. */
const isIdle = ({ outcome }: Point): boolean => outcome === 'skipped' || outcome === 'todo'

/** Leaves, and parents marked as tests. Iterative, because trees may be deep. */
function flatten(top: readonly Point[]): readonly ReportedTest[] {
  const tests: ReportedTest[] = []
  const queue = top.map((point) => ({ point, path: point.name })).reverse()
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { point, path } = next
    const isTest =
      point.children.length === 0 ? point.type !== 'suite' || isIdle(point) : point.type === 'test'
    if (isTest) tests.push(reportedTest(path, point.outcome))
    for (const child of [...point.children].reverse()) {
      queue.push({ point: child, path: `${path} > ${child.name}`.slice(0, 2_000) })
    }
  }
  return tests
}

function pointOf(body: string): Omit<Point, 'children'> | null {
  const match = /^(not )?ok(?: (\d{1,9}))?(?: (.*))?$/.exec(body)
  if (match === null) return null
  const [, not, number, rest = ''] = match
  const { text, directive } = splitDirective(rest.endsWith('{') ? rest.slice(0, -1) : rest)
  const name = text.replace(/^- ?/, '').trim().replaceAll('\\#', '#').replaceAll('\\\\', '\\')
  const outcome = not === undefined ? 'passed' : 'failed'
  return { name: name === '' ? `test ${number ?? '?'}` : name, outcome: directive ?? outcome, type: null }
}

/** Reads `# SKIP why`, `# TODO why` and other comments. A `\#` is part of the name. */
function splitDirective(rest: string): {
  readonly text: string
  readonly directive: 'skipped' | 'todo' | null
} {
  for (let at = rest.indexOf('#'); at !== -1; at = rest.indexOf('#', at + 1)) {
    if (at > 0 && rest.charAt(at - 1) !== ' ') continue
    const word = /^#\s{0,9}(skip|todo|time=)/i.exec(rest.slice(at))?.[1]?.toLowerCase()
    if (word === undefined) continue
    const directive = word === 'skip' ? 'skipped' : word === 'todo' ? 'todo' : null
    return { text: rest.slice(0, at), directive }
  }
  return { text: rest, directive: null }
}

const SPEC_RESULT = /^( *)([✔✖﹣⚠]) (.*)$/

/** The spec reporter of node:test: a mark before each test, a summary of `ℹ` lines. */
export function readNodeSpec(lines: readonly string[]): TestReport | null {
  const sums = nodeSums(lines, 'ℹ')
  if (!sums.has('tests') || !sums.has('pass') || !sums.has('fail')) return null
  const counts = nodeCounts(sums)
  const { leaves, parents } = specResults(lines)
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

function specResults(lines: readonly string[]): Results {
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
    const match = SPEC_RESULT.exec(line)
    if (match === null) continue
    const [, indent = '', mark = '', rest = ''] = match
    const { name, isTodo } = specName(rest)
    const outcome = isTodo ? 'todo' : outcomeOf(mark)
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
function specName(rest: string): { readonly name: string; readonly isTodo: boolean } {
  const time = / \(\d[\d.]{0,20}ms\)( # .*)?$/.exec(rest)
  if (time === null) return { name: rest, isTodo: false }
  return { name: rest.slice(0, time.index), isTodo: /^ # TODO\b/.test(time[1] ?? '') }
}
