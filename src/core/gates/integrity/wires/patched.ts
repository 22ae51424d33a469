/** Code that changes what judges it: assertions, the clock, the runner, equality. */
import type { Family } from '../../../languages/languages.ts'
import { folderOf, normalPath } from '../../../languages/paths.ts'
import { childBy, type SyntaxNode } from '../../../languages/syntax.ts'
import type { FreshFact, Reading } from '../reading.ts'
import { covers } from '../../plan-alignment/expected-files.ts'
import { bodyOf } from '../syntax/around.ts'
import { firstIn, type Fact, type FactReader } from '../syntax/facts.ts'
import {
  ANYWHERE,
  codeBelow,
  hasArgument,
  tripAt,
  when,
  type Trip,
  type Weight,
  type Wire,
  wires,
  type WireFacts,
  blocks,
  review,
} from '../wire.ts'

const JUDGE = { wire: 'judge-patched', saw: 'replaces code that judges tests', roles: ANYWHERE } as const
const CLOCK = { wire: 'clock-patched', saw: 'replaces the clock', roles: ANYWHERE } as const
const MATCHER_NAME = {
  wire: 'equals-everything',
  saw: 'implements a matcher of the test runner',
  roles: ['source'],
} as const

const IMPORTS = /^(vitest|@jest\/globals|jest|mocha|chai|node:test|ava)$/

/** Mocks, and programs that extend a runner. */
const unlessTool = ({ node }: Fact, { path }: Reading): Weight | null =>
  /mock/.test(node.text.slice(0, 300)) || /plugin|testing/.test(path) ? null : 'review'

const outsideTests = ({ role }: FreshFact): Weight => (role === 'test' ? 'review' : 'blocks')
const inSource = ({ role }: { readonly role: string }): Weight => (role === 'source' ? 'blocks' : 'review')

export const PATCHED: readonly Wire[] = [
  ...wires(JUDGE, {
    'js assignment': blocks(
      /^(assert|expect|chai\.\w+|jest|vi)\.(strict\.)?\w+$/,
      /^(globalThis|global|window|self)\.(expect|assert|test|it|describe|suite|beforeEach|jest|vi)$/,
      /^Object\.(is|prototype\.\w+)$|^process\.exit$|(^|\.)AssertionError\.prototype\b/,
    ),
    'js use': [
      [
        /^Object\.(assign|defineProperty|defineProperties)$|^Reflect\.\w+$/,
        when(hasArgument(/^(assert|expect|chai)\b|\bAssertionError\b/), 'blocks'),
      ],
      [
        /^(jest|vi|mock|t\.mock)\.(mock|doMock|module|unstable_mockModule)$/,
        when(hasArgument(/^(node:)?(assert(\/strict)?|test|chai|expect|vitest|@jest\/globals)$/), 'blocks'),
      ],
    ],
    'python assignment': [
      ...blocks(
        /^(unittest|pytest|_pytest)(\.\w+)+$|(^|\.)TestCase\.\w+$/,
        /(^|\.)(rep|report|result|outcome|call)\.(outcome|passed|failed|excinfo)$/,
        /^builtins\.AssertionError$|^os\._exit$|^sys\.exit$/,
      ),
      [/^builtins\.(isinstance|all|any|len|abs|sum|sorted|__import__|open)$/, outsideTests],
    ],
    'python use': [
      [/^setattr$/, when(hasArgument(/^(unittest|pytest|_pytest|TestCase)\b/), 'blocks')],
      [/^setattr$/, when(hasArgument(/^builtins$/), outsideTests)],
    ],
    'ruby definition': blocks(/^(Minitest|RSpec|Test\.Unit)\b/),
    'ruby use': blocks(/^(Minitest|RSpec)(\.\w+)+\.(class_eval|module_eval|prepend|define_method|send)$/),
    'rust definition': [
      [/^(debug_)?assert(_eq|_ne)?$/, when(({ node }) => node.kind === 'macro_definition', 'blocks')],
    ],
    'c code': [
      ...blocks(
        /^\s*#\s*define\s+((EXPECT|ASSERT|REQUIRE|CHECK|BOOST_(TEST|CHECK|REQUIRE))(_\w+)?|assert|static_assert)\b/,
      ),
      [/^\s*#\s*define\s+NDEBUG\b/, ({ role }) => (role === 'source' ? 'review' : 'blocks')],
    ],
  }),
  ...wires(
    { ...JUDGE, roles: ['source'] },
    {
      'js import': review(IMPORTS),
      'js use': [[/^(require|import)$/, when(hasArgument(IMPORTS), 'review')]],
      'python import': [[/(^|,)(_?pytest|unittest)\b/, unlessTool]],
    },
  ),
  ...wires(
    { ...JUDGE, roles: ['settings'] },
    {
      'python definition': review(
        /^pytest_(runtest_makereport|collection_modifyitems|sessionfinish|runtest_call|pyfunc_call|report_teststatus|ignore_collect)$/,
      ),
    },
  ),
  // A test may set its clock; the tested code may not.
  ...wires(CLOCK, {
    'js assignment': [
      [
        /^((globalThis|global|window)\.)?(Date(\.now)?|performance\.now|process\.hrtime(\.bigint)?)$|^(globalThis|global|window)\.setTimeout$/,
        (fact) => (fact.node.kind === 'variable_declarator' ? 'review' : inSource(fact)),
      ],
    ],
    'python assignment': [
      [/^(time\.(time|sleep|monotonic|perf_counter)|datetime\.(datetime|date))$/, inSource],
    ],
  }),
  // The matcher protocol of test runners; only tests need it.
  ...wires(MATCHER_NAME, {
    'js entry': review(/(^|\.)asymmetricMatch$/),
  }),
  equalsEverything,
  libraryShadowed,
]

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

function equalsEverything(reading: Reading): readonly Trip[] {
  const { role, family, added, now, code } = reading
  const fresh = new Set(added.map(({ line }) => line))
  const found = code === null ? equalLines(reading, fresh) : equalMethods(code, reading, fresh)
  // A test may use such a value as a wildcard; a custom matcher applies it everywhere.
  const weight = role === 'test' && family !== 'js' ? 'review' : 'blocks'
  return found.map((line) =>
    tripAt(
      reading,
      { line, raw: now[line - 1]?.raw ?? '' },
      { wire: 'equals-everything', saw: 'makes a value equal to everything', weight },
    ),
  )
}

/** The first lines of methods that always return true. */
function equalMethods(
  code: FactReader,
  { family, around }: Reading,
  fresh: ReadonlySet<number>,
): readonly number[] {
  const names = EQUALITY[family]
  return around.flatMap(({ kind, name, value, node, head }) => {
    const method = kind === 'definition' ? node : value?.is === 'function' ? value.node : null
    if (method === null || names?.test(name) !== true || !returnsTrue(code, method)) return []
    return firstIn({ from: head.from, to: method.lastLine }, fresh) === null ? [] : [head.from]
  })
}

/** A body of one statement, which is `true`. */
function returnsTrue(code: FactReader, method: SyntaxNode): boolean {
  const body = method.kind === 'lambda' ? [childBy(method, 'body')] : bodyOf(code, method)
  const [only, ...more] = body
  return more.length === 0 && /^(return\s+)?(true|True|!0)\s*;?$/.test(only?.text.trim() ?? '')
}

function equalLines(reading: Reading, fresh: ReadonlySet<number>): readonly number[] {
  const rule = EQUALITY_LINES[reading.family]
  if (rule === undefined) return []
  return reading.now.flatMap(({ line, code }) => {
    if (!rule.head.test(code)) return []
    const below = codeBelow(reading, line)
    const isYesBelow = !/[};]\s*$/.test(code) && below !== undefined && rule.yes.test(below.code)
    const isFresh = fresh.has(line) || (isYesBelow && fresh.has(below.line))
    return (rule.yes.test(code) || isYesBelow) && isFresh ? [line] : []
  })
}

/** Modules that tests and their runners import; shadowing others is harmless. */
const LIBRARY = new Set(
  `abc argparse ast asyncio bisect builtins calendar codecs collections configparser contextlib copy csv dataclasses
  datetime decimal difflib doctest enum errno faulthandler fnmatch fractions functools gc glob hashlib heapq importlib
  inspect io itertools json logging math numbers operator os pathlib pickle platform pprint queue random re shutil signal
  site socket sqlite3 statistics string struct subprocess sys sysconfig tempfile textwrap threading time timeit traceback
  types typing unittest uuid warnings weakref`.split(/\s+/),
)
/** Folders that test runners put first on the path. */
const ON_PATH = new Set(['', 'src', 'lib', 'python', 'test', 'tests'])

/** A module of Python's own that tests and their runner then import from the work. */
function libraryShadowed({ path, family, file }: Reading, { spec }: WireFacts): readonly Trip[] {
  if (family !== 'python' || file.kind !== 'added') return []
  const module = normalPath(path).replace(/(\/__init__)?\.py$/, '')
  const name = module.slice(module.lastIndexOf('/') + 1)
  if (!LIBRARY.has(name) || !ON_PATH.has(folderOf(module))) return []
  const isNamed = spec.files.create.some((pattern) => covers(pattern, path))
  return [
    {
      wire: 'library-shadowed',
      saw: `is imported instead of Python's own ${name}`,
      weight: isNamed ? 'review' : 'blocks',
      path,
      line: null,
      text: '',
    },
  ]
}
