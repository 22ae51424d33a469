/** Source code that checks whether it is being tested. */
import { descendants } from '../../../languages/syntax.ts'
import type { FreshFact, Reading } from '../reading.ts'
import { expressionAround } from '../syntax/around.ts'
import { contentOf } from '../syntax/facts.ts'
import { nodeWires, type LineWire, type NodeWire, type Weight } from '../wire.ts'

const WATCH = {
  wire: 'watches-for-tests',
  saw: 'checks whether it is being tested',
  roles: ['source'],
} as const

/** Names that reveal a test run. */
const RUNNERS =
  /(vitest|jest|mocha|jasmine|pytest|unittest|rspec|minitest|junit|\.(test|spec)(\\?[.'"]|$)|__tests__|node:internal\/test)|^(test|--test)$/

/** Whether a string in the same expression matches. */
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

/** `defined?(RSpec)`. */
const isDefined = ({ place }: FreshFact, { code }: Reading): boolean =>
  [place.parent?.node, place.parent?.parent?.node].some(
    (node) => node !== undefined && code?.source(node).startsWith('defined?') === true,
  )

/** Not a declared or unset one. */
const isRead = ({ place }: FreshFact): boolean =>
  !/^(declaration_command|unset_command)$/.test(place.parent?.node.kind ?? '')

const JS_VARIABLE =
  /(^|\.)(JEST_WORKER_ID|VITEST(_\w+)?|NODE_TEST_CONTEXT|NODE_V8_COVERAGE|MOCHA_\w+|PLAYWRIGHT_TEST\w*|TEST_WORKER_INDEX)$/
const RUST_VARIABLE = /^(RUST_TEST_\w+|CARGO_TARGET_TMPDIR|NEXTEST\w*)$/

/** The name of a variable that test runners set; blocks if it is read. */
function readsVariable(fact: FreshFact, { code, now }: Reading): Weight {
  const around = code?.source(expressionAround(fact)).slice(0, 500) ?? ''
  const line = now[fact.line - 1]?.text ?? ''
  return /\b(env|globalThis|global|typeof)\b/.test(`${around} ${line}`) ? 'blocks' : 'note'
}

export const WATCHING: readonly NodeWire[] = [
  ...nodeWires(WATCH, {
    js: {
      use: [
        [JS_VARIABLE, readsVariable],
        [/^(globalThis\.)?(jest|vi|describe|expect|beforeEach|afterEach)$/, where(isTypeof, 'blocks')],
        [
          /^(globalThis|global|window)\.(jest|vitest|__vitest_worker__|__coverage__|describe|expect)\b/,
          'blocks',
        ],
        [
          /^process\.(argv|execArgv|title)\b|(^|\.)stack\b|^require\.(main|cache)\b|^module\.parent\b|(^|\.)npm_lifecycle_event$/,
          where(besideText(RUNNERS), 'blocks'),
        ],
        // Programs that do not listen under test are common, so it is a note for review.
        [/(^|\.)NODE_ENV$|^import\.meta\.env\.(MODE|TEST)$/, where(besideText(/^test(ing)?$/i), 'note')],
      ],
      text: [[JS_VARIABLE, readsVariable]],
      entry: [[JS_VARIABLE, readsVariable]],
    },
    python: {
      use: [
        [/^PYTEST_\w+$/, 'blocks'],
        [/^sys\.modules\.(_?pytest|unittest|nose)$/, 'blocks'],
        [/^sys\.modules\b/, where(besideText(/^(_?pytest|unittest|nose)$/), 'blocks')],
        [
          /^(sys\.argv|inspect\.(stack|currentframe)|sys\._getframe|traceback\.\w+)\b/,
          where(besideText(RUNNERS), 'blocks'),
        ],
        [/(^|\.)environ\.(CI|TESTING|TEST_MODE)$/, 'note'],
        [
          /(^|\.)(environ|getenv)\b/,
          (fact, reading) =>
            besideText(/^(CI|TESTING|TEST_MODE)$/)(fact, reading) ||
            (besideText(/^(ENV|APP_ENV)$/)(fact, reading) && besideText(/^test/)(fact, reading))
              ? 'note'
              : null,
        ],
      ],
      text: [[/^PYTEST_\w+$/, 'blocks']],
    },
    go: {
      use: [
        [/^testing\.(Testing|Short|Verbose|CoverMode)$/, ({ args }) => (args === null ? null : 'blocks')],
        [/^(flag\.Lookup|os\.Args|strings\.HasSuffix)\b/, where(besideText(/^-?-?test\.|\.test$/), 'blocks')],
      ],
    },
    rust: {
      use: [
        [/^cfg$/, ({ args }) => (/^(not\s*\(\s*)?test\b/.test(args?.[0]?.text ?? '') ? 'blocks' : null)],
        [RUST_VARIABLE, 'blocks'],
      ],
      text: [[RUST_VARIABLE, 'blocks']],
    },
    ruby: {
      use: [
        [/^(RSpec|Minitest|Test\.Unit)$/, where(isDefined, 'blocks')],
        [/^(\$PROGRAM_NAME|\$0|caller)$/, where(besideText(/spec|test/), 'blocks')],
        [/^ENV\.(RAILS_ENV|RACK_ENV|CI)$/, where(besideText(/^test/), 'note')],
        [/^Rails\.env\.test\?$/, 'note'],
      ],
    },
    shell: { use: [[/^BATS_\w+$/, where(isRead, 'blocks')]] },
  }),
  ...nodeWires(
    { ...WATCH, saw: 'checks whether it runs in CI' },
    { js: { use: [[/(^|\.)env\.CI$/, 'note']] } },
  ),
  ...nodeWires(
    { ...WATCH, saw: 'checks its caller' },
    {
      python: {
        use: [
          [/^(sys\._getframe|inspect\.(stack|currentframe))$/, ({ args }) => (args === null ? null : 'note')],
        ],
      },
    },
  ),
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
