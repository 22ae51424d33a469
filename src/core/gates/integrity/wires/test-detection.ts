/** Source code that checks whether it is being tested. */
import { descendants, type SyntaxNode } from '../../../languages/syntax.ts'
import type { FreshFact, Reading } from '../reading.ts'
import { expressionAround } from '../syntax/around.ts'
import { contentOf } from '../syntax/facts.ts'
import {
  factWires,
  hasArgument,
  isCalled,
  lineWires,
  when,
  type FactRows,
  type Weight,
  type Wire,
} from '../wire.ts'

const WATCH = {
  wire: 'watches-for-tests',
  saw: 'checks whether it is being tested',
  roles: ['source'],
} as const

/** Names that reveal a test run. */
const RUNNERS =
  /(vitest|jest|mocha|jasmine|pytest|unittest|rspec|minitest|junit|\.(test|spec)(\\?[.'"]|$)|__tests__|node:internal\/test)|^(test|--test)$/

/** Whether a string in the same expression matches. */
const isBeside =
  (pattern: RegExp) =>
  (fact: FreshFact): boolean =>
    descendants(expressionAround(fact), ...fact.code.kinds.texts).some(({ text }) =>
      pattern.test(contentOf(text)),
    )

const isTypeof = ({ node: { parent } }: FreshFact): boolean =>
  parent?.kind === 'unary_expression' && parent.text.startsWith('typeof')

/** `defined?(RSpec)`. */
const isDefined = ({ node: { parent } }: FreshFact): boolean =>
  [parent, parent?.parent].some((node) => node?.text.startsWith('defined?'))

/** Not a declared or unset one. What decides on it blocks; what only uses its value is for review. */
function readsShellVariable(fact: FreshFact): Weight | null {
  const { parent } = fact.node
  if (/^(declaration_command|unset_command)$/.test(parent?.kind ?? '')) return null
  for (let node: SyntaxNode | null = fact.node; node !== null; node = node.parent) {
    if (/^(test_command|case_statement|list)$/.test(node.kind)) return 'blocks'
    if (node.kind === 'command') return /^(test|\[)\b/.test(node.text) ? 'blocks' : 'review'
  }
  return 'review'
}

/** The name of a variable that test runners set; blocks if it is read. */
function readsVariable(fact: FreshFact, { now }: Reading): Weight {
  const around = expressionAround(fact).text.slice(0, 500)
  const line = now[fact.line - 1]?.text ?? ''
  return /\b(env|globalThis|global|typeof)\b/.test(`${around} ${line}`) ? 'blocks' : 'review'
}

const JS_VARIABLES: FactRows = [
  [
    /(^|\.)(JEST_WORKER_ID|VITEST(_\w+)?|NODE_TEST_CONTEXT|NODE_V8_COVERAGE|MOCHA_\w+|PLAYWRIGHT_TEST\w*|TEST_WORKER_INDEX)$/,
    readsVariable,
  ],
]

export const WATCHING: readonly Wire[] = [
  ...factWires(WATCH, {
    'js use': [
      ...JS_VARIABLES,
      [/^(globalThis\.)?(jest|vi|describe|expect|beforeEach|afterEach)$/, when(isTypeof, 'blocks')],
      [
        /^(globalThis|global|window)\.(jest|vitest|__vitest_worker__|__coverage__|describe|expect)\b/,
        'blocks',
      ],
      [
        /^process\.(argv|execArgv|title)\b|(^|\.)stack\b|^require\.(main|cache)\b|^module\.parent\b|(^|\.)npm_lifecycle_event$/,
        when(isBeside(RUNNERS), 'blocks'),
      ],
      // Programs that do not listen under test are common, so it is a note for review.
      [/(^|\.)NODE_ENV$|^import\.meta\.env\.(MODE|TEST)$/, when(isBeside(/^test(ing)?$/i), 'review')],
    ],
    'js text': JS_VARIABLES,
    'python use': [
      [/^sys\.modules\b/, when(isBeside(/^(_?pytest|unittest|nose)$/), 'blocks')],
      [
        /^(sys\.argv|inspect\.(stack|currentframe)|sys\._getframe|traceback\.\w+)\b/,
        when(isBeside(RUNNERS), 'blocks'),
      ],
      [/(^|\.)(environ|getenv)\b/, when(isBeside(/^(CI|TESTING|TEST_MODE)$/), 'review')],
    ],
    'python text': [[/^PYTEST_\w+$/, 'blocks']],
    'go use': [
      [/^testing\.(Testing|Short|Verbose|CoverMode)$/, when(isCalled, 'blocks')],
      [/^(flag\.Lookup|os\.Args|strings\.HasSuffix)\b/, when(isBeside(/^-?-?test\.|\.test$/), 'blocks')],
    ],
    'rust use': [[/^cfg$/, when(hasArgument(/^(not\s*\(\s*)?test\b/), 'blocks')]],
    'rust text': [[/^(RUST_TEST_\w+|CARGO_TARGET_TMPDIR|NEXTEST\w*)$/, 'blocks']],
    'ruby use': [
      [/^(RSpec|Minitest|Test\.Unit)$/, when(isDefined, 'blocks')],
      [/^(\$PROGRAM_NAME|\$0|caller)$/, when(isBeside(/spec|test/), 'blocks')],
    ],
    'shell use': [[/^BATS_\w+$/, readsShellVariable]],
  }),
  ...factWires(
    { ...WATCH, saw: 'checks whether it runs in CI' },
    { 'js use': [[/(^|\.)env\.CI$/, 'review']] },
  ),
  ...factWires(
    { ...WATCH, saw: 'checks its caller' },
    { 'python use': [[/^(sys\._getframe|inspect\.(stack|currentframe))$/, when(isCalled, 'review')]] },
  ),
  ...lineWires(WATCH, {
    'java text': [
      [
        /\b(getProperty|GetEnvironmentVariable|getenv)\(\s*"[^"]*(surefire|junit|gradle\.test|org\.gradle\.test)/,
        'blocks',
      ],
      [/Class\.forName\(\s*"org\.(junit|testng)|\bgetStackTrace\b.*(junit|Test)/, 'blocks'],
    ],
    'c text': [
      [/\b(__argv|program_invocation_name|getprogname)\b.*test/, 'blocks'],
      [/\bgetenv\(\s*"(GTEST_\w+|CTEST_\w+|BOOST_TEST_\w+|MAKELEVEL|MAKEFLAGS|MFLAGS)"/, 'blocks'],
    ],
  }),
]
