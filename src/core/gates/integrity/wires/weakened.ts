/** Tests that say less than they did, told by holding what went against what came. */
import type { FreshLine, GoneLine, Reading } from '../reading.ts'
import {
  codeAbove,
  codeBelow,
  indentOf,
  LONGEST_LINE,
  tripAt,
  type FileWire,
  type Trip,
  type WireFacts,
} from '../wire.ts'
import { countOf, holds, TEST_WORDS } from './test-words.ts'

/** Fewer tests or assertions than before. What a contract deletes takes its tests along, and one row less is no test less. */
export const fewerAssertions: FileWire = (reading, facts) => {
  const words = TEST_WORDS[reading.family]
  if (words === null || reading.file.kind !== 'modified') return []
  const [gone, come] = [ofTests(reading.removed), ofTests(reading.added)]
  const tests = countOf(words.opener, gone) - countOf(words.opener, come)
  const assertions = countOf(words.assertion, gone) - countOf(words.assertion, come)
  if (tests <= 0 && assertions <= 0) return []
  const isExplained = deletesSources(facts) || come.some(({ code }) => holds(words.rows, code))
  const weight = isExplained ? 'note' : 'blocks'
  const what = tests > 0 ? plural(tests, 'test') : plural(assertions, 'assertion')
  const first = gone.find(({ code }) => holds(words.opener, code) || holds(words.assertion, code))
  if (first === undefined) return []
  const line = Math.max(1, Math.min(first.at, reading.now.length))
  return [
    tripAt(
      reading,
      { line, raw: first.raw },
      { wire: 'fewer-assertions', saw: `has ${what} less than before`, weight },
    ),
  ]
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
const ofTests = <T extends FreshLine | GoneLine>(lines: readonly T[]): readonly T[] =>
  lines.filter(({ role }) => role === 'test')

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

/** Lines that went, with those that took their place. */
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

/** An assertion on the value became one that nearly every value passes. */
export const weakerAssertions: FileWire = (reading) => {
  const words = TEST_WORDS[reading.family]
  if (words === null) return []
  const isStrong = ({ code }: FreshLine | GoneLine): boolean =>
    holds(words.assertion, code) && words.strong.test(code) && !words.weak.test(code)
  const isWeak = ({ code }: FreshLine | GoneLine): boolean =>
    holds(words.assertion, code) && words.weak.test(code)
  return hunksOf(reading).flatMap(({ removed, added }): readonly Trip[] => {
    const [gone, come] = [ofTests(removed), ofTests(added)]
    const isFewer = gone.filter(isStrong).length > come.filter(isStrong).length
    const weak = come.filter(isWeak)
    const [first] = weak
    if (first === undefined || !isFewer || weak.length <= gone.filter(isWeak).length) return []
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
    saw: 'asks for less',
    roles: ['settings'],
    words: /threshold|branches|functions|statements|\blines\b|fail[_-]under|minimum|min_?coverage/i,
    weaker: 'less',
  },
  {
    wire: 'threshold-lowered',
    saw: 'asks for less',
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
  // Where the expected value comes first, the last number is the tolerance.
  const last = before.length - 1
  const differs = before.findLastIndex((number, place) => number !== now[place])
  const [old, fresh] = [before[differs], now[differs]]
  if (old === undefined || fresh === undefined) return []
  const rule = NUMBER_RULES.find(({ roles, words, weaker }) => {
    const isMeant = roles.some((role) => role === come.role) && words.test(come.text)
    return isMeant && (weaker === 'more' ? fresh > old : fresh < old)
  })
  if (rule !== undefined && (rule.wire !== 'tolerance-widened' || differs === last)) {
    const saw = `${rule.saw}: ${old} became ${fresh}`
    return [tripAt(reading, come, { wire: rule.wire, saw, weight: 'blocks' })]
  }
  const words = TEST_WORDS[reading.family]
  if (words === null || come.role !== 'test' || !holds(words.assertion, come.code)) return []
  return [
    tripAt(reading, come, {
      wire: 'expectation-changed',
      saw: 'expects something else than before',
      weight: 'note',
    }),
  ]
}

/** An assertion whose failure nobody hears of. */
export const swallowedAssertions: FileWire = (reading) => {
  const words = TEST_WORDS[reading.family]
  if (words === null) return []
  const fresh = new Set(ofTests(reading.added).map(({ line }) => line))
  return reading.now.flatMap((line): readonly Trip[] => {
    const tried = swallows(reading, line.line)
    if (tried === null || !tried.some((at) => fresh.has(at))) return []
    const [from, to] = tried
    const inside = reading.now.slice(from - 1, to).filter(({ line: at }) => at > from && at < to)
    const body = inside.length === 0 ? [line] : inside
    if (!body.some(({ code }) => holds(words.assertion, code))) return []
    return [
      tripAt(reading, line, {
        wire: 'assertion-swallowed',
        saw: 'catches what an assertion throws',
        weight: 'blocks',
      }),
    ]
  })
}

/** Lines of the `try` and of the `catch` that does nothing; null where this line is none. */
function swallows(reading: Reading, at: number): readonly [number, number] | null {
  const line = reading.now[at - 1]
  if (line === undefined) return null
  const below = codeBelow(reading, at)?.code.trim() ?? ''
  if (reading.family === 'python') {
    const caught = /^\s*except\b[^:]*:\s*(.*)$/.exec(line.code)
    if (caught === null) return null
    const does = caught[1]?.trim() === '' ? below : (caught[1]?.trim() ?? '')
    const isQuiet = /^(pass|\.\.\.|continue|return\b.*|print\s*\(.*|log\w*\..*)$/.test(does)
    const isHeard = !/^\s*except\s*(:|.*\b(AssertionError|Exception|BaseException)\b)/.test(line.code)
    return isQuiet && !isHeard ? tryOf(reading, at, /^\s*try\s*:/) : null
  }
  if (!['js', 'java', 'c'].includes(reading.family)) return null
  const isEmpty =
    /\bcatch\s*(\([^)]*\))?\s*\{\s*\}/.test(line.code) ||
    (/\bcatch\s*(\([^)]*\))?\s*\{\s*$/.test(line.code) && below.startsWith('}'))
  if (!isEmpty) return null
  return /\btry\s*\{.*\bcatch\b/.test(line.code) ? [at, at] : tryOf(reading, at, /\btry\s*\{/)
}

const FARTHEST_TRY = 80

function tryOf(reading: Reading, at: number, opens: RegExp): readonly [number, number] | null {
  const indent = indentOf(reading.now[at - 1]?.raw ?? '')
  for (let line = at - 1; line >= Math.max(1, at - FARTHEST_TRY); line--) {
    const above = reading.now[line - 1]
    if (above !== undefined && opens.test(above.code) && indentOf(above.raw) <= indent) return [line, at]
  }
  return null
}

/** A test that returns before it asserts anything. */
export const emptiedTests: FileWire = (reading) => {
  const words = TEST_WORDS[reading.family]
  if (words === null) return []
  return ofTests(reading.added).flatMap((line): readonly Trip[] => {
    if (!/^\s*return\b\s*(;|$)/.test(line.code)) return []
    const above = codeAbove(reading, line.line)
    if (above === undefined || !/[{:]\s*$/.test(above.code)) return []
    const isTest =
      holds(words.opener, above.code) || (reading.family === 'rust' && isRustTest(reading, above.line))
    return isTest
      ? [
          tripAt(reading, line, {
            wire: 'test-emptied',
            saw: 'leaves a test before it begins',
            weight: 'blocks',
          }),
        ]
      : []
  })
}

const isRustTest = (reading: Reading, line: number): boolean =>
  /\bfn\b/.test(reading.now[line - 1]?.code ?? '') &&
  /#\[\s*(\w+::)*test\b/.test(codeAbove(reading, line)?.code ?? '')

/** A new file of tests in which nothing is asserted. */
export const assertsNothing: FileWire = (reading) => {
  const words = TEST_WORDS[reading.family]
  if (words === null || reading.role !== 'test' || reading.file.kind !== 'added' || reading.isFixture)
    return []
  const first = reading.now.find(({ code }) => holds(words.opener, code))
  if (first === undefined || countOf(words.assertion, reading.now) > 0) return []
  return [
    tripAt(reading, first, {
      wire: 'asserts-nothing',
      saw: 'has tests in which nothing is asserted',
      weight: 'note',
    }),
  ]
}
