/** Sources that look whether they are being tested. */
import { descendants } from '../../../languages/syntax.ts'
import type { FreshFact, Reading } from '../reading.ts'
import { expressionAround } from '../syntax/around.ts'
import { contentOf } from '../syntax/facts.ts'
import type { LineWire, NodeWire, Weight } from '../wire.ts'

const WATCH = {
  wire: 'watches-for-tests',
  saw: 'looks whether it is being tested',
  roles: ['source'],
} as const

/** Words by which a test run gives itself away. */
const RUNNERS =
  /(vitest|jest|mocha|jasmine|pytest|unittest|rspec|minitest|junit|\.(test|spec)([.'"]|$)|__tests__|node:internal\/test)|^(test|--test)$/

/** Whether a text in the same expression is like this. */
function besideText(like: RegExp): (fact: FreshFact, reading: Reading) => boolean {
  return (fact, { code }) => {
    if (code === null) return false
    const texts = descendants(expressionAround(fact), ...code.kinds.texts)
    return texts.some((node) => like.test(contentOf(code.source(node))))
  }
}

const where =
  (is: (fact: FreshFact, reading: Reading) => boolean, weight: Weight) =>
  (fact: FreshFact, reading: Reading): Weight | null =>
    is(fact, reading) ? weight : null

const isTypeof = ({ place }: FreshFact, { code }: Reading): boolean =>
  place.parent?.node.kind === 'unary_expression' &&
  code?.source(place.parent.node).startsWith('typeof') === true

export const WATCHING: readonly NodeWire[] = [
  {
    ...WATCH,
    families: ['js'],
    on: ['use', 'text', 'entry'],
    name: /(^|\.)(JEST_WORKER_ID|VITEST(_\w+)?|NODE_TEST_CONTEXT|NODE_V8_COVERAGE|MOCHA_\w+|PLAYWRIGHT_TEST\w*|TEST_WORKER_INDEX)$/,
    weight: (fact, reading) => {
      const around = reading.code?.source(expressionAround(fact)).slice(0, 500) ?? ''
      const line = reading.now[fact.line - 1]?.text ?? ''
      return /\b(env|globalThis|global|typeof)\b/.test(`${around} ${line}`) ? 'blocks' : 'note'
    },
  },
  {
    ...WATCH,
    families: ['js'],
    on: ['use'],
    name: /^(globalThis\.)?(jest|vi|describe|expect|beforeEach|afterEach)$/,
    weight: where(isTypeof, 'blocks'),
  },
  {
    ...WATCH,
    families: ['js'],
    on: ['use'],
    name: /^(globalThis|global|window)\.(jest|vitest|__vitest_worker__|__coverage__|describe|expect)\b/,
    weight: 'blocks',
  },
  {
    ...WATCH,
    families: ['js'],
    on: ['use'],
    name: /^process\.(argv|execArgv|title)\b|\.stack\b|^require\.(main|cache)\b|^module\.parent\b|(^|\.)npm_lifecycle_event$/,
    weight: where(besideText(RUNNERS), 'blocks'),
  },
  // Programs that do not listen while they are tested are common; a person looks.
  {
    ...WATCH,
    families: ['js'],
    on: ['use'],
    name: /(^|\.)NODE_ENV$|^import\.meta\.env\.(MODE|TEST)$/,
    weight: where(besideText(/^test(ing)?$/i), 'note'),
  },
  {
    ...WATCH,
    saw: 'looks whether it runs in CI',
    families: ['js'],
    on: ['use'],
    name: /(^|\.)env\.CI$/,
    weight: 'note',
  },
  { ...WATCH, families: ['python'], on: ['use', 'text'], name: /^PYTEST_\w+$/, weight: 'blocks' },
  {
    ...WATCH,
    families: ['python'],
    on: ['use'],
    name: /^sys\.modules\b/,
    weight: (fact, reading) =>
      /\.(_?pytest|unittest|nose)$/.test(fact.name) || besideText(/^(_?pytest|unittest|nose)$/)(fact, reading)
        ? 'blocks'
        : null,
  },
  {
    ...WATCH,
    families: ['python'],
    on: ['use'],
    name: /^(sys\.argv|inspect\.(stack|currentframe)|sys\._getframe|traceback\.\w+)\b/,
    weight: where(besideText(RUNNERS), 'blocks'),
  },
  {
    ...WATCH,
    saw: 'looks who calls it',
    families: ['python'],
    on: ['use'],
    name: /^(sys\._getframe|inspect\.(stack|currentframe))$/,
    weight: ({ args }) => (args === null ? null : 'note'),
  },
  {
    ...WATCH,
    families: ['python'],
    on: ['use'],
    name: /(^|\.)(environ|getenv)\b/,
    weight: (fact, reading) =>
      /\.(CI|TESTING|TEST_MODE)$/.test(fact.name) ||
      besideText(/^(CI|TESTING|TEST_MODE)$/)(fact, reading) ||
      (besideText(/^(ENV|APP_ENV)$/)(fact, reading) && besideText(/^test/)(fact, reading))
        ? 'note'
        : null,
  },
  {
    ...WATCH,
    families: ['go'],
    on: ['use'],
    name: /^testing\.(Testing|Short|Verbose|CoverMode)$/,
    weight: ({ args }) => (args === null ? null : 'blocks'),
  },
  {
    ...WATCH,
    families: ['go'],
    on: ['use'],
    name: /^(flag\.Lookup|os\.Args|strings\.HasSuffix)\b/,
    weight: where(besideText(/^-?-?test\.|\.test$/), 'blocks'),
  },
  {
    ...WATCH,
    families: ['rust'],
    on: ['use'],
    name: /^cfg$/,
    weight: ({ args }) => (/^(not\s*\(\s*)?test\b/.test(args?.[0]?.text ?? '') ? 'blocks' : null),
  },
  {
    ...WATCH,
    families: ['rust'],
    on: ['use', 'text'],
    name: /^(RUST_TEST_\w+|CARGO_TARGET_TMPDIR|NEXTEST\w*)$/,
    weight: 'blocks',
  },
  {
    ...WATCH,
    families: ['ruby'],
    on: ['use'],
    name: /^(RSpec|Minitest|Test\.Unit)$/,
    weight: ({ place }, { code }) => {
      const around = [place.parent?.node, place.parent?.parent?.node]
      return around.some((node) => node !== undefined && code?.source(node).startsWith('defined?') === true)
        ? 'blocks'
        : null
    },
  },
  {
    ...WATCH,
    families: ['ruby'],
    on: ['use'],
    name: /^(\$PROGRAM_NAME|\$0|caller)$/,
    weight: where(besideText(/spec|test/), 'blocks'),
  },
  {
    ...WATCH,
    families: ['ruby'],
    on: ['use'],
    name: /^ENV\.(RAILS_ENV|RACK_ENV|CI)$|^Rails\.env\.test\?$/,
    weight: (fact, reading) =>
      fact.name.startsWith('Rails') || besideText(/^test/)(fact, reading) ? 'note' : null,
  },
  { ...WATCH, families: ['shell'], on: ['use'], name: /^BATS_\w+$/, weight: 'blocks' },
]

export const WATCHING_LINES: readonly LineWire[] = [
  {
    ...WATCH,
    look: 'text',
    families: ['java'],
    pattern:
      /\b(getProperty|GetEnvironmentVariable|getenv)\(\s*"[^"]*(surefire|junit|gradle\.test|org\.gradle\.test)|Class\.forName\(\s*"org\.(junit|testng)|\bgetStackTrace\b.*(junit|Test)/,
    weight: 'blocks',
  },
  {
    ...WATCH,
    look: 'text',
    families: ['c'],
    pattern:
      /\b(__argv|program_invocation_name|getprogname)\b.*test|\bgetenv\(\s*"(GTEST_\w+|CTEST_\w+|BOOST_TEST_\w+|MAKELEVEL|MAKEFLAGS|MFLAGS)"/,
    weight: 'blocks',
  },
]
