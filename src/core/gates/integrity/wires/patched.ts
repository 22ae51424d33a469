/** Code that changes what judges it: assertions, the clock, the runner, equality. */
import type { Family } from '../families.ts'
import type { Reading } from '../reading.ts'
import { codeBelow, tripAt, type FileWire, type LineWire, type Trip, type Weight } from '../wire.ts'

const EVERYWHERE = ['test', 'source', 'settings'] as const
const JUDGE = { wire: 'judge-patched', saw: 'replaces what tests are judged with', look: 'code' } as const
const CLOCK = { wire: 'clock-patched', saw: 'replaces the clock', look: 'code' } as const
const ASSIGN = String.raw`\s*=(?![=>])`

export const PATCHED: readonly LineWire[] = [
  {
    ...JUDGE,
    families: ['js'],
    roles: EVERYWHERE,
    pattern: new RegExp(
      [
        String.raw`\b(assert|expect|chai\.\w+|jest|vi)\.(strict\.)?\w+${ASSIGN}`,
        String.raw`\b(globalThis|global|window|self)\.(expect|assert|test|it|describe|suite|beforeEach|jest|vi)${ASSIGN}`,
        String.raw`\bObject\.(is|prototype\.\w+)${ASSIGN}`,
        String.raw`(?<![.#\w$])process\.exit${ASSIGN}`,
        String.raw`\b(Object\.(assign|defineProperty|defineProperties)|Reflect\.\w+)\(\s*(assert|expect|chai)\b`,
        String.raw`\bAssertionError\.prototype\b`,
      ].join('|'),
    ),
    weight: 'blocks',
  },
  {
    ...JUDGE,
    families: ['js'],
    roles: EVERYWHERE,
    look: 'text',
    pattern:
      /\b(jest|vi|mock)\.(mock|doMock|module|unstable_mockModule)\(\s*['"](node:)?(assert(\/strict)?|test|chai|expect|vitest|@jest\/globals)['"]/,
    weight: 'blocks',
  },
  {
    ...JUDGE,
    families: ['js'],
    roles: ['source'],
    look: 'text',
    pattern:
      /(\bfrom\s*|\brequire\(\s*|\bimport\(\s*)['"](vitest|@jest\/globals|jest|mocha|chai|node:test|ava)['"]/,
    weight: 'note',
  },
  {
    ...JUDGE,
    families: ['python'],
    roles: EVERYWHERE,
    pattern: new RegExp(
      [
        String.raw`\b(unittest|pytest|_pytest)(\.\w+)+${ASSIGN}`,
        String.raw`\bTestCase\.\w+${ASSIGN}`,
        String.raw`\bbuiltins\.AssertionError${ASSIGN}`,
        String.raw`\bsetattr\(\s*(unittest|pytest|_pytest|TestCase)\b`,
        String.raw`\b(rep|report|result|outcome|call)\.(outcome|passed|failed|excinfo)${ASSIGN}`,
        String.raw`\bos\._exit${ASSIGN}|\bsys\.exit${ASSIGN}`,
      ].join('|'),
    ),
    weight: 'blocks',
  },
  {
    ...JUDGE,
    families: ['python'],
    roles: EVERYWHERE,
    pattern: new RegExp(
      String.raw`\bbuiltins\.(isinstance|all|any|len|abs|sum|sorted|__import__|open)${ASSIGN}|\bsetattr\(\s*builtins\b`,
    ),
    weight: ({ role }) => (role === 'test' ? 'note' : 'blocks'),
  },
  {
    ...JUDGE,
    families: ['python'],
    roles: ['source'],
    pattern: /^\s*(import|from)\s+(_?pytest|unittest)\b|\bdef\s+pytest_\w+\s*\(/,
    weight: ({ code }, { path }) => (/mock/.test(code) || /plugin|testing/.test(path) ? null : 'note'),
  },
  {
    ...JUDGE,
    families: ['python'],
    roles: ['settings'],
    pattern:
      /\bdef\s+pytest_(runtest_makereport|collection_modifyitems|sessionfinish|runtest_call|pyfunc_call|report_teststatus|ignore_collect)\b/,
    weight: 'note',
  },
  {
    ...JUDGE,
    families: ['ruby'],
    roles: EVERYWHERE,
    pattern:
      /^\s*(class|module)\s+(Minitest|RSpec|Test::Unit)\b|\b(Minitest|RSpec)(::\w+)+\.(class_eval|module_eval|prepend|define_method|send)\b/,
    weight: 'blocks',
  },
  {
    ...JUDGE,
    families: ['c'],
    roles: EVERYWHERE,
    pattern:
      /^\s*#\s*define\s+((EXPECT|ASSERT|REQUIRE|CHECK|BOOST_(TEST|CHECK|REQUIRE))(_\w+)?|assert|static_assert)\b|^\s*#\s*undef\s+(assert|EXPECT_\w+|ASSERT_\w+)/,
    weight: 'blocks',
  },
  {
    ...JUDGE,
    families: ['c'],
    roles: EVERYWHERE,
    pattern: /^\s*#\s*define\s+NDEBUG\b/,
    weight: ({ role }) => (role === 'source' ? 'note' : 'blocks'),
  },
  {
    ...JUDGE,
    families: ['rust'],
    roles: EVERYWHERE,
    pattern: /\bmacro_rules!\s+(debug_)?assert(_eq|_ne)?\b|\bset_hook\s*\(/,
    weight: ({ code }) => (code.includes('set_hook') ? 'note' : 'blocks'),
  },
  // A test may turn its clock by hand; what is tested may not.
  {
    ...CLOCK,
    families: ['js'],
    roles: EVERYWHERE,
    pattern: new RegExp(
      String.raw`(^|[^\w.])((globalThis|global|window)\.)?(Date(\.now)?|performance\.now|process\.hrtime(\.bigint)?|(globalThis|global|window)\.setTimeout)${ASSIGN}`,
    ),
    weight: ({ role, code }) =>
      /\b(const|let|var)\s+Date\b/.test(code) ? 'note' : role === 'source' ? 'blocks' : 'note',
  },
  {
    ...CLOCK,
    families: ['python'],
    roles: EVERYWHERE,
    pattern: new RegExp(
      String.raw`^\s*(time\.(time|sleep|monotonic|perf_counter)|datetime\.(datetime|date))${ASSIGN}`,
    ),
    weight: ({ role }) => (role === 'source' ? 'blocks' : 'note'),
  },
]

const EQUAL = {
  wire: 'equals-everything',
  saw: 'makes a value equal to everything',
  weight: 'blocks',
} as const

/** A method that says how values are compared, and a body that is nothing but yes. */
const EQUALITY: Partial<Record<Family, { readonly head: RegExp; readonly yes: RegExp }>> = {
  python: { head: /\bdef\s+__(eq|contains|instancecheck)__\s*\(/, yes: /(^|:)\s*return\s+True\s*$/ },
  ruby: { head: /\bdef\s+(==|eql\?|equal\?|===)/, yes: /(^|;|\))\s*(return\s+)?true\s*(;|$|end)/ },
  rust: { head: /\bfn\s+eq\s*\(/, yes: /(^|\{)\s*(return\s+)?true\s*;?\s*\}?\s*$/ },
  c: { head: /\boperator==\s*\(/, yes: /(^|\{)\s*return\s+true\s*;\s*\}?\s*$/ },
  java: {
    head: /\b(equals|Equals)\s*\(\s*(Object|object|other|\w+:)/,
    yes: /(^|\{|=)\s*(return\s+)?true\s*;?\s*\}?\s*$/,
  },
  js: { head: /\basymmetricMatch\b/, yes: /(return|=>)\s*(true|!0)\b/ },
}

/** A test may use such a value to say that something does not matter; a matcher of its own says it about everything. */
const equalWeight = ({ role, family }: Reading): Weight =>
  role === 'test' && family !== 'js' ? 'note' : 'blocks'

export const equalsEverything: FileWire = (reading) => {
  const equal = { ...EQUAL, weight: equalWeight(reading) }
  const rule = EQUALITY[reading.family]
  const fresh = new Set(reading.added.map(({ line }) => line))
  return reading.now.flatMap((line): readonly Trip[] => {
    const isLambda = reading.family === 'python' && /__eq__\s*=\s*lambda\b.*:\s*True\s*$/.test(line.code)
    if (isLambda && fresh.has(line.line)) return [tripAt(reading, line, equal)]
    if (rule === undefined || !rule.head.test(line.code)) return []
    const below = codeBelow(reading, line.line)
    const isYes = rule.yes.test(line.code)
    const isYesBelow = !/[};]\s*$/.test(line.code) && below !== undefined && rule.yes.test(below.code)
    const isFresh = fresh.has(line.line) || (isYesBelow && fresh.has(below.line))
    return (isYes || isYesBelow) && isFresh ? [tripAt(reading, line, equal)] : []
  })
}

/** The protocol by which a runner's matchers are asked: nothing but a test has a use for it. */
export const matcherInSource: LineWire = {
  wire: 'equals-everything',
  saw: 'answers a matcher of the test runner',
  families: ['js'],
  roles: ['source'],
  look: 'code',
  pattern: /\basymmetricMatch\s*[(:=]/,
  weight: 'note',
}
