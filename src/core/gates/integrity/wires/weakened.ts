/** Finds weakened tests by comparing removed with added lines. */
import { childBy, childOfKind, descendants, type SyntaxNode } from '../../../languages/syntax.ts'
import type { FreshLine, RemovedCodeLine, Reading } from '../reading.ts'
import {
  bodyOf,
  statementsIn,
  definitionsIn,
  namesUsedIn,
  outermost,
  functionsAround,
} from '../syntax/around.ts'
import { firstIn, linesOf, type FactReader } from '../syntax/facts.ts'
import {
  codeBelow,
  indentOf,
  LONGEST_LINE,
  tripAt,
  type Trip,
  type Wire,
  type WireName,
  type WireFacts,
} from '../wire.ts'
import { testFunction, type Mark } from './test-marks.ts'
import { counted, firstFew } from '../../../../lib/text/counted.ts'
import { namesTest } from '../protected-files.ts'

type Numbered = readonly { readonly line: number }[]

const isOn = ({ reach: { from, to } }: Mark, line: number): boolean => line >= from && line <= to

interface Hunk {
  readonly removed: readonly RemovedCodeLine[]
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
const weakerAssertions: Wire = (reading) => {
  const { marks } = reading
  const within = (all: readonly Mark[], lines: Numbered, strength: Mark['strength']) =>
    all.filter((mark) => mark.strength === strength && lines.some(({ line }) => isOn(mark, line)))
  return hunksOf(reading).flatMap(({ removed, added }): readonly Trip[] => {
    const isFewer =
      within(marks.removed, removed, 'strong').length > within(marks.added, added, 'strong').length
    const weak = within(marks.added, added, 'weak')
    const first = added.find(({ line }) => weak.some((mark) => isOn(mark, line)))
    const isMoreWeak = weak.length > within(marks.removed, removed, 'weak').length
    if (first === undefined || !isFewer || !isMoreWeak) return []
    const what = { wire: 'weaker-assertion', saw: 'asserts less than before', weight: 'blocks' } as const
    return [tripAt(reading, first, what)]
  })
}

const TIMEOUT: WireName = {
  wire: 'timeout-raised',
  saw: 'gives a test more time',
  roles: ['test', 'settings'],
}
const TOLERANCE: WireName = {
  wire: 'tolerance-widened',
  saw: 'lets a test pass with less precision',
  roles: ['test'],
}
const THRESHOLD: WireName = { wire: 'threshold-lowered', saw: 'lowers a threshold', roles: ['settings'] }

const NUMBER_RULES: readonly (readonly [name: WireName, weaker: 'more' | 'less', words: RegExp])[] = [
  [TIMEOUT, 'more', /time-?_?out|deadline|\bslow\b|maxWait/i],
  [
    TOLERANCE,
    'more',
    /\b(delta|abs|rel|atol|rtol|abs_tol|rel_tol|eps|epsilon|tolerance|within|InDelta|InEpsilon|closeTo|be_within|in_delta)\b|_NEAR\s*\(|approx/i,
  ],
  [TOLERANCE, 'less', /toBeCloseTo|\bplaces\s*=|\bdecimal\s*=|assertAlmostEqual/],
  [
    THRESHOLD,
    'less',
    /threshold|branches|functions|statements|\blines\b|fail[_-]under|minimum|min_?coverage/i,
  ],
  [THRESHOLD, 'more', /max-warnings|retries|maxFailures/i],
]

/** The same line with another number in it. */
const changedNumbers: Wire = (reading) => {
  return hunksOf(reading).flatMap(({ removed, added }) => {
    const fresh = Map.groupBy(added, ({ text }) => skeleton(text))
    return removed.flatMap((before) => {
      const after = fresh.get(skeleton(before.text))?.shift()
      return after === undefined ? [] : numberTrips(reading, before, after)
    })
  })
}

const NUMBER = /(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])/gi
const skeleton = (text: string): string =>
  text.slice(0, LONGEST_LINE).replace(NUMBER, '0').replace(/\s+/g, ' ').trim()
const numbersIn = (text: string): readonly number[] =>
  [...text.slice(0, LONGEST_LINE).matchAll(NUMBER)].map(([number]) => Number(number.replaceAll('_', '')))

function numberTrips(reading: Reading, before: RemovedCodeLine, after: FreshLine): readonly Trip[] {
  const [numbers, now] = [numbersIn(before.text), numbersIn(after.text)]
  // If the expected value comes first, the last number is the tolerance.
  const last = numbers.length - 1
  const differs = numbers.findLastIndex((number, place) => number !== now[place])
  const [old, fresh] = [numbers[differs], now[differs]]
  if (old === undefined || fresh === undefined) return []
  const [name] =
    NUMBER_RULES.find(([{ roles }, weaker, words]) => {
      const matches = roles.includes(after.role) && words.test(after.text)
      return matches && (weaker === 'more' ? fresh > old : fresh < old)
    }) ?? []
  if (name !== undefined && (name !== TOLERANCE || differs === last)) {
    const saw = `${name.saw} (${old} became ${fresh})`
    return [tripAt(reading, after, { wire: name.wire, saw, weight: 'blocks' })]
  }
  if (!reading.marks.added.some((mark) => mark.what === 'assertion' && isOn(mark, after.line))) return []
  const what = { wire: 'expectation-changed', saw: 'changes the expected value', weight: 'review' } as const
  return [tripAt(reading, after, what)]
}

/** An assertion whose failure is caught. */
const swallowedAssertions: Wire = (reading) => {
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
    const what = { wire: 'assertion-swallowed', saw: 'catches assertion errors', weight: 'blocks' } as const
    return isAsserted && line !== undefined ? [tripAt(reading, line, what)] : []
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
    .map(({ line, lastLine }) => ({ from: line, to: line, until: lastLine }))
  const tries = descendants(code.tree.root, 'try_statement', 'begin')
  const caught = tries.flatMap((node) =>
    node.children
      .filter((child) => /^(catch_clause|except_clause|except_group_clause|rescue)$/.test(child.kind))
      .filter((handler) => catchesAll(code, handler) && isQuiet(code, handler))
      .map(({ line }) => ({ from: node.line, to: line, until: line })),
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
  childBy(handler, 'body') ?? childOfKind(handler, 'block', 'then')

function isQuiet(code: FactReader, handler: SyntaxNode): boolean {
  const body = handlerBody(handler)
  const statements = body === null ? [] : statementsIn(code, body)
  return statements.every(({ text }) =>
    /^(pass|\.\.\.|continue|return\b.*|print\s*\(.*|log\w*\..*|nil|puts\b.*|console\.\w+\(.*)$/s.test(
      text.trim(),
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
const emptiedTests: Wire = (reading) =>
  reading.marks.now.flatMap(({ what, fact }): readonly Trip[] => {
    if (fact === null || (what !== 'test' && fact.name !== 't.Run')) return []
    const body = testFunction(fact)
    const [first] = body === null ? [] : bodyOf(fact.code, body)
    if (first === undefined || !/^return\s*;?$/.test(first.text.trim())) return []
    const line = reading.added.find((one) => one.line === first.line && one.role === 'test')
    const trip = { wire: 'test-emptied', saw: 'returns before the test starts', weight: 'blocks' } as const
    return line === undefined ? [] : [tripAt(reading, line, trip)]
  })

/** A new test file without assertions. */
const assertsNothing: Wire = (reading) => {
  const { now } = reading.marks
  if (reading.role !== 'test' || reading.file.kind !== 'added' || reading.isFixture) return []
  const first = now.find(({ what }) => what === 'test')
  if (first === undefined || now.some(({ what }) => what === 'assertion')) return []
  const line = { line: first.lines.from, raw: reading.now[first.lines.from - 1]?.raw ?? '' }
  const what = { wire: 'asserts-nothing', saw: 'has tests without assertions', weight: 'review' } as const
  return [tripAt(reading, line, what)]
}

export const WEAKENED: readonly Wire[] = [
  weakerAssertions,
  changedNumbers,
  swallowedAssertions,
  emptiedTests,
  assertsNothing,
]

/** The changed code that a removed mark called; null where it called none, empty where that cannot be told. */
type CalledBy = (mark: Mark) => readonly string[] | null

/**
 * Fewer tests or assertions. Table rows do not count. It is left to review where the contract deletes what they tested, where
 * rows were added, and where the contract names the file and the change removes or alters the code that they called, or may.
 */
export const fewerAssertions: Wire = (reading, facts) => {
  if (reading.file.kind !== 'modified') return []
  const added = namedOn(reading.marks.added, reading.added)
  const removed = namedOn(reading.marks.removed, reading.removed)
  if (!isFewer(removed, added)) return []
  const calls: CalledBy = namesTest(facts.spec, reading.path) ? changedCalls(reading, facts) : () => null
  const unexplained = removed.filter((mark) => calls(mark) === null)
  const isExplained = deletesSources(facts) || countOf(added, 'rows') > 0 || !isFewer(unexplained, added)
  return isExplained ? eachPlace(reading, removed, calls) : inAll(reading, unexplained, added)
}

/** Tests whose name is on one of these lines. */
function namedOn(marks: readonly Mark[], lines: readonly { readonly line: number }[]): readonly Mark[] {
  const some = new Set(lines.map(({ line }) => line))
  return marks.filter((mark) => firstIn(mark.lines, some) !== null)
}

const countOf = (marks: readonly Mark[], what: Mark['what']): number =>
  marks.filter((mark) => mark.what === what).length

const isFewer = (removed: readonly Mark[], added: readonly Mark[]): boolean =>
  (['test', 'assertion'] as const).some((what) => countOf(removed, what) > countOf(added, what))

function deletesSources({ readings, spec }: WireFacts): boolean {
  return (
    spec.files.delete.length > 0 &&
    readings.some(({ file, role }) => file.kind === 'deleted' && role === 'source')
  )
}

const WIRE = 'fewer-assertions'

function inAll(reading: Reading, removed: readonly Mark[], added: readonly Mark[]): readonly Trip[] {
  const tests = countOf(removed, 'test') - countOf(added, 'test')
  const assertions = countOf(removed, 'assertion') - countOf(added, 'assertion')
  const what = tests > 0 ? counted(tests, 'test') : counted(assertions, 'assertion')
  const [first] = placesOf(reading, removed)
  return first === undefined
    ? []
    : [tripAt(reading, first, { wire: WIRE, saw: `removes ${what}`, weight: 'blocks' })]
}

/** One for each place with all that was removed there. */
function eachPlace(reading: Reading, removed: readonly Mark[], calls: CalledBy): readonly Trip[] {
  const byPlace = Map.groupBy(placesOf(reading, removed), ({ line }) => line)
  return [...byPlace.values()].flatMap((places): readonly Trip[] => {
    const [first] = places
    const last = places.at(-1)
    if (first === undefined || last === undefined) return []
    const marks = places.map(({ mark }) => mark)
    const parts = (['test', 'assertion'] as const).flatMap((what) => {
      const count = countOf(marks, what)
      return count === 0 ? [] : [counted(count, what)]
    })
    const [from, to] = [first.mark.lines.from, last.mark.reach.to]
    const lines = from === to ? `line ${from} before` : `lines ${from} to ${to} before`
    const names = [...new Set(marks.flatMap((mark) => calls(mark) ?? []))]
    const of = names.length === 0 ? '' : ` of changed code (${firstFew(names, 3)})`
    const saw = `removes ${parts.join(' and ')}${of}, ${lines}`
    return [tripAt(reading, first, { wire: WIRE, saw, weight: 'review' })]
  })
}

interface Place extends Pick<RemovedCodeLine, 'line' | 'raw'> {
  readonly mark: Mark
}

/** Where each of them was, in the file as it is now. */
function placesOf({ now, removed }: Reading, marks: readonly Mark[]): readonly Place[] {
  return marks.flatMap((mark): readonly Place[] => {
    const gone = removed.find(({ line }) => line >= mark.lines.from && line <= mark.reach.to)
    if (mark.what === 'rows' || gone === undefined) return []
    return [{ line: Math.max(1, Math.min(gone.at, now.length)), raw: gone.raw, mark }]
  })
}

/**
 * The names that a test calls, or the test of an assertion, and that lead to code that the change removes or alters. Where it
 * calls nothing that a changed source defines, it may reach changed code by way of modules that did not change, and where the
 * language has no grammar, by any way.
 */
function changedCalls({ old, marks }: Reading, { readings }: WireFacts): CalledBy {
  const sources = readings.filter(({ role, isFixture }) => role === 'source' && !isFixture)
  const isAltered = readings.some(
    ({ added, removed, isFixture }) => !isFixture && [...added, ...removed].some(isSourceCode),
  )
  if (!isAltered) return () => null
  if (old === null) return () => []
  const changed = new Set(sources.flatMap(namesChanged))
  addCallers(changed, [old, ...sources.flatMap((one) => [one.old, one.code])])
  const defined = new Set(sources.flatMap((one) => namesDefined(one.old)))
  const tests = marks.before.flatMap(({ what, fact, lines: { from } }) =>
    what === 'test' && fact !== null ? [{ from, to: (testFunction(fact) ?? fact.node).lastLine }] : [],
  )
  return ({ reach, fact }) => {
    const test = tests.findLast(({ from, to }) => from <= reach.to && reach.from <= to)
    const [helper] = test !== undefined || fact === null ? [] : functionsAround(fact)
    const around = test ?? (helper === undefined ? reach : linesOf(helper))
    const used = [...namesUsedIn(old, around)]
    const names = used.filter((name) => changed.has(name))
    return names.length === 0 && used.some((name) => defined.has(name)) ? null : names
  }
}

const namesDefined = (code: FactReader | null): readonly string[] =>
  code === null ? [] : definitionsIn(code).map(({ name }) => name)

/** What a source defines on lines that were added or removed; its own tests are no part of it. */
const namesChanged = ({ old, code, added, removed }: Reading): readonly string[] => [
  ...definedOn(old, removed),
  ...definedOn(code, added),
]

const isSourceCode = ({ role, code }: FreshLine | RemovedCodeLine): boolean =>
  role === 'source' && code.trim() !== ''

function definedOn(code: FactReader | null, lines: Reading['added'] | Reading['removed']): readonly string[] {
  const own = lines.filter(isSourceCode)
  const some = new Set(own.map(({ line }) => line))
  if (code === null || some.size === 0) return []
  return definitionsIn(code).flatMap(({ name, lines: range }) =>
    firstIn(range, some) === null ? [] : [name],
  )
}

/** Adds what uses one of these names, directly or not. */
function addCallers(names: Set<string>, files: readonly (FactReader | null)[]): void {
  const all = files.flatMap((code) =>
    code === null
      ? []
      : outermost(definitionsIn(code)).map(({ name, lines }) => ({ name, uses: namesUsedIn(code, lines) })),
  )
  for (const name of names) {
    for (const caller of all) if (caller.uses.has(name)) names.add(caller.name)
  }
}
