/** Finds weakened tests by comparing removed with added lines. */
import { childBy, descendants, type SyntaxNode } from '../../../languages/syntax.ts'
import type { FreshLine, GoneLine, Reading } from '../reading.ts'
import { bodyOf, statementsIn } from '../syntax/around.ts'
import type { FactReader } from '../syntax/facts.ts'
import {
  codeBelow,
  indentOf,
  LONGEST_LINE,
  tripAt,
  type FileWire,
  type Trip,
  type WireFacts,
} from '../wire.ts'
import type { Mark } from './test-marks.ts'
import { counted } from '../../../../lib/text/counted.ts'

/** Fewer tests or assertions. Tests of files that the contract deletes, and table rows, do not count. */
export const fewerAssertions: FileWire = (reading, facts) => {
  if (reading.file.kind !== 'modified') return []
  const come = namedOn(reading.marks.come, reading.added)
  const gone = namedOn(reading.marks.gone, reading.removed)
  const tests = countOf(gone, 'test') - countOf(come, 'test')
  const assertions = countOf(gone, 'assertion') - countOf(come, 'assertion')
  if (tests <= 0 && assertions <= 0) return []
  const isExplained = deletesSources(facts) || countOf(come, 'rows') > 0
  const weight = isExplained ? 'note' : 'blocks'
  const what = tests > 0 ? counted(tests, 'test') : counted(assertions, 'assertion')
  const first = gone.find((mark) => mark.what !== 'rows')
  const line = reading.removed.find(({ line: at }) => first !== undefined && isOn(first, at))
  if (line === undefined) return []
  const place = { line: Math.max(1, Math.min(line.at, reading.now.length)), raw: line.raw }
  return [tripAt(reading, place, { wire: 'fewer-assertions', saw: `removes ${what}`, weight })]
}

/** Tests whose name is on one of these lines. */
function namedOn(marks: readonly Mark[], lines: readonly { readonly line: number }[]): readonly Mark[] {
  const some = new Set(lines.map(({ line }) => line))
  return marks.filter(({ lines: { from, to } }) => {
    for (let line = from; line <= to; line++) if (some.has(line)) return true
    return false
  })
}

const countOf = (marks: readonly Mark[], what: Mark['what']): number =>
  marks.filter((mark) => mark.what === what).length
const isOn = ({ reach: { from, to } }: Mark, line: number): boolean => line >= from && line <= to

function deletesSources({ readings, spec }: WireFacts): boolean {
  return (
    spec.files.delete.length > 0 &&
    readings.some(({ file, role }) => file.kind === 'deleted' && role === 'source')
  )
}

interface Hunk {
  readonly removed: readonly GoneLine[]
  readonly added: readonly FreshLine[]
}

/** Removed lines with their replacements. */
function hunksOf(reading: Reading): readonly Hunk[] {
  const fresh = new Map(reading.added.map((line) => [line.line, line]))
  const places = new Set(reading.file.added.map(({ line }) => line))
  return [...Map.groupBy(reading.removed, ({ at }) => at)].map(([at, removed]) => {
    const added: FreshLine[] = []
    for (let line = at; places.has(line); line++) {
      const one = fresh.get(line)
      if (one !== undefined) added.push(one)
    }
    return { removed, added }
  })
}

/** A strong assertion became one that nearly every value passes. */
export const weakerAssertions: FileWire = (reading) => {
  const { come, gone } = reading.marks
  const within = (
    marks: readonly Mark[],
    lines: readonly { readonly line: number }[],
    strength: Mark['strength'],
  ) =>
    marks.filter(
      (mark) =>
        mark.what === 'assertion' && mark.strength === strength && lines.some(({ line }) => isOn(mark, line)),
    )
  return hunksOf(reading).flatMap(({ removed, added }): readonly Trip[] => {
    const isFewer = within(gone, removed, 'strong').length > within(come, added, 'strong').length
    const weak = within(come, added, 'weak')
    const first = added.find(({ line }) => weak.some((mark) => isOn(mark, line)))
    if (first === undefined || !isFewer || weak.length <= within(gone, removed, 'weak').length) return []
    return [
      tripAt(reading, first, { wire: 'weaker-assertion', saw: 'asserts less than before', weight: 'blocks' }),
    ]
  })
}

interface NumberRule {
  readonly wire: string
  readonly saw: string
  readonly roles: readonly ('test' | 'settings')[]
  readonly words: RegExp
  readonly weaker: 'more' | 'less'
}

const NUMBER_RULES: readonly NumberRule[] = [
  {
    wire: 'timeout-raised',
    saw: 'gives a test more time',
    roles: ['test', 'settings'],
    words: /time-?_?out|deadline|\bslow\b|maxWait/i,
    weaker: 'more',
  },
  {
    wire: 'tolerance-widened',
    saw: 'lets a test pass with less precision',
    roles: ['test'],
    words:
      /\b(delta|abs|rel|atol|rtol|abs_tol|rel_tol|eps|epsilon|tolerance|within|InDelta|InEpsilon|closeTo|be_within|in_delta)\b|_NEAR\s*\(|approx/i,
    weaker: 'more',
  },
  {
    wire: 'tolerance-widened',
    saw: 'lets a test pass with less precision',
    roles: ['test'],
    words: /toBeCloseTo|\bplaces\s*=|\bdecimal\s*=|assertAlmostEqual/,
    weaker: 'less',
  },
  {
    wire: 'threshold-lowered',
    saw: 'lowers a threshold',
    roles: ['settings'],
    words: /threshold|branches|functions|statements|\blines\b|fail[_-]under|minimum|min_?coverage/i,
    weaker: 'less',
  },
  {
    wire: 'threshold-lowered',
    saw: 'lowers a threshold',
    roles: ['settings'],
    words: /max-warnings|retries|maxFailures/i,
    weaker: 'more',
  },
]

/** The same line with another number in it. */
export const changedNumbers: FileWire = (reading) => {
  return hunksOf(reading).flatMap(({ removed, added }) => {
    const fresh = Map.groupBy(added, ({ text }) => skeleton(text))
    return removed.flatMap((gone) => {
      const come = fresh.get(skeleton(gone.text))?.shift()
      return come === undefined ? [] : numberTrips(reading, gone, come)
    })
  })
}

const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])/gi
const skeleton = (text: string): string =>
  text.slice(0, LONGEST_LINE).replace(NUMBER, '0').replace(/\s+/g, ' ').trim()
const numbersIn = (text: string): readonly number[] =>
  [...text.slice(0, LONGEST_LINE).matchAll(NUMBER)].map(([number]) => Number(number.replaceAll('_', '')))

function numberTrips(reading: Reading, gone: GoneLine, come: FreshLine): readonly Trip[] {
  const [before, now] = [numbersIn(gone.text), numbersIn(come.text)]
  // If the expected value comes first, the last number is the tolerance.
  const last = before.length - 1
  const differs = before.findLastIndex((number, place) => number !== now[place])
  const [old, fresh] = [before[differs], now[differs]]
  if (old === undefined || fresh === undefined) return []
  const rule = NUMBER_RULES.find(({ roles, words, weaker }) => {
    const matches = roles.some((role) => role === come.role) && words.test(come.text)
    return matches && (weaker === 'more' ? fresh > old : fresh < old)
  })
  if (rule !== undefined && (rule.wire !== 'tolerance-widened' || differs === last)) {
    const saw = `${rule.saw} (${old} became ${fresh})`
    return [tripAt(reading, come, { wire: rule.wire, saw, weight: 'blocks' })]
  }
  if (!reading.marks.come.some((mark) => mark.what === 'assertion' && isOn(mark, come.line))) return []
  return [
    tripAt(reading, come, {
      wire: 'expectation-changed',
      saw: 'changes the expected value',
      weight: 'note',
    }),
  ]
}

const SWALLOWED = {
  wire: 'assertion-swallowed',
  saw: 'catches assertion errors',
  weight: 'blocks',
} as const

/** An assertion whose failure is caught. */
export const swallowedAssertions: FileWire = (reading) => {
  const { code } = reading
  const fresh = new Set(reading.added.filter(({ role }) => role === 'test').map(({ line }) => line))
  if (fresh.size === 0) return []
  const caught = code === null ? catchLines(reading) : catchNodes(code)
  return caught.flatMap(({ from, to, until }): readonly Trip[] => {
    if (!fresh.has(from) && !fresh.has(to)) return []
    const isAsserted = reading.marks.now.some(
      ({ what, lines }) => what === 'assertion' && lines.from >= from && lines.to <= until,
    )
    const line = reading.now[to - 1]
    return isAsserted && line !== undefined ? [tripAt(reading, line, SWALLOWED)] : []
  })
}

/** The start of a `try`, of its `catch`, and the last tried line. */
interface Caught {
  readonly from: number
  readonly to: number
  readonly until: number
}

/** Handlers that ignore errors. */
function catchNodes(code: FactReader): readonly Caught[] {
  const quiet = descendants(code.tree.root, 'with_statement')
    .filter((node) => SUPPRESSED.test(code.tree.text.slice(node.start, childBy(node, 'body')?.start)))
    .map((node) => ({ from: node.line, to: node.line, until: code.linesOf(node, node.line).to }))
  const tries = descendants(code.tree.root, 'try_statement', 'begin')
  const caught = tries.flatMap((node) =>
    node.children
      .filter((child) => /^(catch_clause|except_clause|except_group_clause|rescue)$/.test(child.kind))
      .filter((handler) => catchesAll(code, handler) && isQuiet(code, handler))
      .map((handler) => {
        const { to } = code.linesOf({ start: node.start, end: handler.start }, node.line)
        return { from: node.line, to: handler.line, until: to }
      }),
  )
  return [...quiet, ...caught]
}

/** `with contextlib.suppress(AssertionError):` of Python. */
const SUPPRESSED = /\bsuppress\(\s*[^)]*\b(AssertionError|Exception|BaseException)\b/

function catchesAll(code: FactReader, handler: SyntaxNode): boolean {
  if (handler.kind === 'catch_clause') return true
  const head = code.tree.text.slice(handler.start, handlerBody(handler)?.start ?? handler.end)
  return handler.kind === 'rescue'
    ? /^rescue\s*$|\b(Exception|Minitest::Assertion|RSpec::Expectations)\b/.test(head.trim())
    : /^except\s*\*?\s*:|\b(AssertionError|Exception|BaseException)\b/.test(head)
}

const handlerBody = (handler: SyntaxNode): SyntaxNode | null =>
  childBy(handler, 'body') ?? handler.children.find(({ kind }) => kind === 'block' || kind === 'then') ?? null

function isQuiet(code: FactReader, handler: SyntaxNode): boolean {
  const body = handlerBody(handler)
  const statements = body === null ? [] : statementsIn(code, body)
  return statements.every((statement) =>
    /^(pass|\.\.\.|continue|return\b.*|print\s*\(.*|log\w*\..*|nil|puts\b.*|console\.\w+\(.*)$/s.test(
      code.source(statement).trim(),
    ),
  )
}

const FARTHEST_TRY = 80

/** The same for files without a tree. */
function catchLines(reading: Reading): readonly Caught[] {
  return reading.now.flatMap(({ line: at, code }): readonly Caught[] => {
    const below = codeBelow(reading, at)?.code.trim() ?? ''
    const isEmpty =
      /\bcatch\s*(\([^)]*\))?\s*\{\s*\}/.test(code) ||
      (/\bcatch\s*(\([^)]*\))?\s*\{\s*$/.test(code) && below.startsWith('}'))
    if (!isEmpty) return []
    if (/\btry\s*\{.*\bcatch\b/.test(code)) return [{ from: at, to: at, until: at }]
    const indent = indentOf(reading.now[at - 1]?.raw ?? '')
    const from = reading.now
      .slice(Math.max(0, at - FARTHEST_TRY), at - 1)
      .findLast((above) => /\btry\s*\{/.test(above.code) && indentOf(above.raw) <= indent)
    return from === undefined ? [] : [{ from: from.line, to: at, until: at - 1 }]
  })
}

/** A test that returns before it asserts anything. */
export const emptiedTests: FileWire = (reading) => {
  const { code } = reading
  if (code === null) return []
  return reading.marks.now.flatMap(({ what, fact }): readonly Trip[] => {
    if (fact === null || (what !== 'test' && fact.name !== 't.Run')) return []
    const body = testBody(code, fact)
    const [first] = body === null ? [] : bodyOf(code, body)
    if (first === undefined || !/^return\s*;?$/.test(code.source(first).trim())) return []
    const line = reading.added.find((one) => one.line === first.line && one.role === 'test')
    const trip = { wire: 'test-emptied', saw: 'returns before the test starts', weight: 'blocks' } as const
    return line === undefined ? [] : [tripAt(reading, line, trip)]
  })
}

/** The test function: passed to a call, defined by name, or below an attribute. */
function testBody(code: FactReader, { kind, args, place }: NonNullable<Mark['fact']>): SyntaxNode | null {
  if (kind === 'definition') return place.node
  if (kind === 'use') return args?.findLast(({ is }) => is === 'function')?.node ?? null
  const siblings = place.parent?.node.children ?? []
  return (
    siblings.slice(siblings.indexOf(place.node)).find((node) => code.kinds.functions.has(node.kind)) ?? null
  )
}

/** A new test file without assertions. */
export const assertsNothing: FileWire = (reading) => {
  const { now } = reading.marks
  if (reading.role !== 'test' || reading.file.kind !== 'added' || reading.isFixture) return []
  const first = now.find(({ what }) => what === 'test')
  if (first === undefined || countOf(now, 'assertion') > 0) return []
  const line = { line: first.lines.from, raw: reading.now[first.lines.from - 1]?.raw ?? '' }
  return [
    tripAt(reading, line, {
      wire: 'asserts-nothing',
      saw: 'has tests without assertions',
      weight: 'note',
    }),
  ]
}
