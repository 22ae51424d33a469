/** Code that changes what judges it: assertions, the clock, the runner, equality. */
import { childBy, type SyntaxNode } from '../../../languages/syntax.ts'
import type { Family } from '../families.ts'
import type { Reading } from '../reading.ts'
import { bodyOf } from '../syntax/around.ts'
import type { Fact, FactReader } from '../syntax/facts.ts'
import {
  ANYWHERE,
  codeBelow,
  nodeWires,
  tripAt,
  type FileWire,
  type LineWire,
  type NodeRows,
  type NodeWire,
  type Trip,
  type Weight,
} from '../wire.ts'

const JUDGE = { wire: 'judge-patched', saw: 'replaces code that judges tests', roles: ANYWHERE } as const
const CLOCK = { wire: 'clock-patched', saw: 'replaces the clock', roles: ANYWHERE } as const

const MATCHER: NodeRows = [[/(^|\.)asymmetricMatch$/, 'note']]

const firstArg = ({ args }: Fact): string => args?.[0]?.text ?? ''

const IMPORTS = /^(vitest|@jest\/globals|jest|mocha|chai|node:test|ava)$/

export const PATCHED: readonly NodeWire[] = [
  ...nodeWires(JUDGE, {
    js: {
      assignment: [
        [
          /^(assert|expect|chai\.\w+|jest|vi)\.(strict\.)?\w+$|^(globalThis|global|window|self)\.(expect|assert|test|it|describe|suite|beforeEach|jest|vi)$|^Object\.(is|prototype\.\w+)$|^process\.exit$|(^|\.)AssertionError\.prototype\b/,
          'blocks',
        ],
      ],
      use: [
        [/(^|\.)AssertionError\.prototype$/, 'blocks'],
        [
          /^Object\.(assign|defineProperty|defineProperties)$|^Reflect\.\w+$/,
          (fact) => (/^(assert|expect|chai)\b|\bAssertionError\b/.test(firstArg(fact)) ? 'blocks' : null),
        ],
        [
          /^(jest|vi|mock|t\.mock)\.(mock|doMock|module|unstable_mockModule)$/,
          (fact) =>
            /^(node:)?(assert(\/strict)?|test|chai|expect|vitest|@jest\/globals)$/.test(firstArg(fact))
              ? 'blocks'
              : null,
        ],
      ],
    },
    python: {
      assignment: [
        [
          /^(unittest|pytest|_pytest)(\.\w+)+$|(^|\.)TestCase\.\w+$|^builtins\.AssertionError$|(^|\.)(rep|report|result|outcome|call)\.(outcome|passed|failed|excinfo)$|^os\._exit$|^sys\.exit$/,
          'blocks',
        ],
        [/^builtins\.(isinstance|all|any|len|abs|sum|sorted|__import__|open)$/, builtins],
      ],
      use: [
        [
          /^setattr$/,
          (fact) => {
            if (/^(unittest|pytest|_pytest|TestCase)\b/.test(firstArg(fact))) return 'blocks'
            return firstArg(fact) === 'builtins' ? builtins(fact) : null
          },
        ],
      ],
    },
    ruby: {
      definition: [[/^(Minitest|RSpec|Test\.Unit)\b/, 'blocks']],
      use: [[/^(Minitest|RSpec)(\.\w+)+\.(class_eval|module_eval|prepend|define_method|send)$/, 'blocks']],
    },
    rust: {
      definition: [
        [
          /^(debug_)?assert(_eq|_ne)?$/,
          ({ place }) => (place.node.kind === 'macro_definition' ? 'blocks' : null),
        ],
      ],
      use: [[/(^|\.)set_hook$/, ({ args }) => (args === null ? null : 'note')]],
    },
  }),
  ...nodeWires(
    { ...JUDGE, roles: ['source'] },
    {
      js: {
        import: [[IMPORTS, 'note']],
        use: [[/^(require|import)$/, (fact) => (IMPORTS.test(firstArg(fact)) ? 'note' : null)]],
      },
      python: {
        import: [[/(^|,)(_?pytest|unittest)\b/, unlessItIsATool]],
        definition: [[/^pytest_\w+$/, unlessItIsATool]],
      },
    },
  ),
  ...nodeWires(
    { ...JUDGE, roles: ['settings'] },
    {
      python: {
        definition: [
          [
            /^pytest_(runtest_makereport|collection_modifyitems|sessionfinish|runtest_call|pyfunc_call|report_teststatus|ignore_collect)$/,
            'note',
          ],
        ],
      },
    },
  ),
  // A test may set its clock; the tested code may not.
  ...nodeWires(CLOCK, {
    js: {
      assignment: [
        [
          /^((globalThis|global|window)\.)?(Date(\.now)?|performance\.now|process\.hrtime(\.bigint)?)$|^(globalThis|global|window)\.setTimeout$/,
          ({ role, place }) =>
            place.node.kind === 'variable_declarator' || role !== 'source' ? 'note' : 'blocks',
        ],
      ],
    },
    python: {
      assignment: [
        [
          /^(time\.(time|sleep|monotonic|perf_counter)|datetime\.(datetime|date))$/,
          ({ role }) => (role === 'source' ? 'blocks' : 'note'),
        ],
      ],
    },
  }),
  // The matcher protocol of test runners; only tests need it.
  ...nodeWires(
    { wire: 'equals-everything', saw: 'implements a matcher of the test runner', roles: ['source'] },
    { js: { entry: MATCHER, definition: MATCHER, assignment: MATCHER } },
  ),
]

/** Mocks, and programs that extend a runner. */
function unlessItIsATool({ place }: Fact, { path, code }: Reading): Weight | null {
  const source = code?.source(place.node).slice(0, 300) ?? ''
  return /mock/.test(source) || /plugin|testing/.test(path) ? null : 'note'
}

function builtins(fact: { readonly role: string }): Weight {
  return fact.role === 'test' ? 'note' : 'blocks'
}

export const PATCHED_LINES: readonly LineWire[] = [
  {
    ...JUDGE,
    look: 'code',
    families: ['c'],
    pattern:
      /^\s*#\s*define\s+((EXPECT|ASSERT|REQUIRE|CHECK|BOOST_(TEST|CHECK|REQUIRE))(_\w+)?|assert|static_assert)\b|^\s*#\s*undef\s+(assert|EXPECT_\w+|ASSERT_\w+)/,
    weight: 'blocks',
  },
  {
    ...JUDGE,
    look: 'code',
    families: ['c'],
    pattern: /^\s*#\s*define\s+NDEBUG\b/,
    weight: ({ role }) => (role === 'source' ? 'note' : 'blocks'),
  },
]

const EQUAL = { wire: 'equals-everything', saw: 'makes a value equal to everything' } as const

/** Methods that define equality. */
const EQUALITY: Partial<Record<Family, RegExp>> = {
  python: /^__(eq|contains|instancecheck)__$/,
  ruby: /^(==|eql\?|equal\?|===)$/,
  rust: /^eq$/,
  js: /(^|\.)asymmetricMatch$/,
}

/** The same without a tree: its head, and a body that only returns true. */
const EQUALITY_LINES: Partial<Record<Family, { readonly head: RegExp; readonly yes: RegExp }>> = {
  c: { head: /\boperator==\s*\(/, yes: /(^|\{)\s*return\s+true\s*;\s*\}?\s*$/ },
  java: {
    head: /\b(equals|Equals)\s*\(\s*(Object|object|other|\w+:)/,
    yes: /(^|\{|=)\s*(return\s+)?true\s*;?\s*\}?\s*$/,
  },
}

/** A test may use such a value as a wildcard; a custom matcher applies it everywhere. */
const equalWeight = ({ role, family }: Reading): Weight =>
  role === 'test' && family !== 'js' ? 'note' : 'blocks'

export const equalsEverything: FileWire = (reading) => {
  const equal = { ...EQUAL, weight: equalWeight(reading) }
  const { code, family } = reading
  if (code === null) return equalLines(reading, equal)
  const names = EQUALITY[family]
  if (names === undefined) return []
  const fresh = new Set(reading.added.map(({ line }) => line))
  return reading.around.flatMap(({ kind, name, value, place, head }): readonly Trip[] => {
    if (!names.test(name) || (kind !== 'definition' && value?.is !== 'function')) return []
    const method = kind === 'definition' ? place.node : value?.node
    if (method === undefined || !saysYes(code, method)) return []
    const { to } = code.linesOf(method, method.line)
    const line = fresh.has(head.from) ? head.from : [...fresh].find((at) => at >= head.from && at <= to)
    return line === undefined
      ? []
      : [tripAt(reading, { line: head.from, raw: reading.now[head.from - 1]?.raw ?? '' }, equal)]
  })
}

/** A body of one statement, which is `true`. */
function saysYes(code: FactReader, method: SyntaxNode): boolean {
  const body = method.kind === 'lambda' ? [childBy(method, 'body')] : bodyOf(code, method)
  const [only, ...more] = body
  return (
    only !== undefined &&
    only !== null &&
    more.length === 0 &&
    /^(return\s+)?(true|True|!0)\s*;?$/.test(code.source(only).trim())
  )
}

function equalLines(reading: Reading, equal: typeof EQUAL & { readonly weight: Weight }): readonly Trip[] {
  const rule = EQUALITY_LINES[reading.family]
  if (rule === undefined) return []
  const fresh = new Set(reading.added.map(({ line }) => line))
  return reading.now.flatMap((line): readonly Trip[] => {
    if (!rule.head.test(line.code)) return []
    const below = codeBelow(reading, line.line)
    const isYes = rule.yes.test(line.code)
    const isYesBelow = !/[};]\s*$/.test(line.code) && below !== undefined && rule.yes.test(below.code)
    const isFresh = fresh.has(line.line) || (isYesBelow && fresh.has(below.line))
    return (isYes || isYesBelow) && isFresh ? [tripAt(reading, line, equal)] : []
  })
}
