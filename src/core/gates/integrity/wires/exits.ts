/** Programs that exit before tests run, and forged test results. */
import { descendants, type SyntaxNode } from '../../../languages/syntax.ts'
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import {
  callAround,
  functionsAround,
  isConditional,
  isStatement,
  expressionAround,
} from '../syntax/around.ts'
import {
  ANYWHERE,
  hasArgument,
  hasValue,
  isCalled,
  when,
  type Weight,
  type Wire,
  wires,
  type FactRows,
  blocks,
  review,
} from '../wire.ts'
import { contentOf } from '../syntax/facts.ts'

const EXIT = { wire: 'exits-early', saw: 'exits early with success', roles: ANYWHERE } as const
const EXIT_IN_CODE = { ...EXIT, roles: ['test', 'source'] } as const
const FORGED = {
  wire: 'report-forged',
  saw: 'contains results of tests that did not run',
  roles: ['source'],
} as const

const isSuccess = hasArgument(/^(0|None|true|nil|)$/)
const isZero = hasArgument(/^0$/)
const isRaised = ({ node }: FreshFact): boolean => node.parent?.kind === 'raise_statement'

/** A program may exit; an imported module may not, least of all during import. */
function exiting(fact: FreshFact, reading: Reading): Weight | null {
  if (!isSuccess(fact)) return null
  if (fact.role === 'test') return 'blocks'
  if (reading.isEntry) return null
  return runsOnImport(fact, reading) ? 'blocks' : 'review'
}

function runsOnImport(fact: FreshFact, { family }: Reading): boolean {
  if (isConditional(fact)) return false
  const around = functionsAround(fact)
  return family === 'go' ? around.at(-1)?.text.startsWith('func init(') === true : around.length === 0
}

/** A call, or an assignment of the exit code. */
function scriptExit(fact: FreshFact, reading: Reading): Weight | null {
  if (fact.args === null && fact.kind === 'use') return null
  return fact.role === 'settings' ? 'blocks' : exiting({ ...fact, args: [] }, reading)
}

/** In a Python test, an exit is an exception and fails the test; only a hard exit ends the run. */
function pythonExit(fact: FreshFact, reading: Reading): Weight | null {
  if (!isSuccess(fact)) return null
  if (fact.role !== 'test') return exiting(fact, reading)
  if (runsOnImport(fact, reading)) return 'blocks'
  const isForked = fact.code.facts.some(({ name, args }) => args !== null && /(^|\.)fork$/.test(name))
  return fact.name === 'os._exit' && !isForked ? 'blocks' : 'review'
}

/** A handler that changes how the process exits. */
function setsExit({ args }: FreshFact): boolean {
  const [event, handler] = args ?? []
  const isEnd = event?.is === 'text' && /^(exit|beforeExit)$/.test(event.text)
  return isEnd && /\b(exitCode|exit\s*\()/.test(handler?.text ?? '')
}

/** `at_exit { exit! }` of Ruby. */
const exitsAgain = ({ node }: FreshFact): boolean =>
  descendants(node, 'identifier', 'call').some(({ text }) => /^exit!?\b/.test(text))

/** For languages in which importing a module runs nothing. */
const unlessEntry = ({ role }: FreshFact | FreshLine, { isEntry }: Reading): Weight | null =>
  role === 'test' ? 'blocks' : isEntry ? null : 'review'

/** In a function that the loader calls before any test starts. */
function isBeforeMain(line: FreshLine, reading: Reading): boolean {
  const head = reading.now
    .slice(0, line.line)
    .findLast(({ raw, code }) => /^\S/.test(raw) && code.includes('('))
  return head !== undefined && /__attribute__\s*\(\(\s*(__)?constructor/.test(head.code)
}

const RESULTS = String.raw`(ok \d+ - \w|Ran \d+ tests? in \d|TAP version 1\d(\\n.*)?\\n1\.\.\d)`
/** Code that compares a text with such results, rather than printing them. */
const READS = /(^|\.)(test|match|exec|split|search|includes|startsWith|startswith)$/
const READING_LINE = /\b(match|matches|split|startsWith|strstr|strncmp)\s*\(/
const FORGED_LINE = new RegExp(String.raw`["'](.*\\n)?${RESULTS}`)

/** A reporter counts tests; one with literal numbers makes them up. */
const forgedUnless = (isRead: boolean, { path }: Reading): Weight =>
  isRead || /report|\btap\b/i.test(path) ? 'review' : 'blocks'

export const EXITS: readonly Wire[] = [
  ...wires(EXIT, {
    'js use': [
      [/^process\.(exit|abort)$|^Deno\.exit$/, when(isSuccess, scriptExit)],
      [/^process\.(on|once|addListener|prependListener)$/, when(setsExit, 'blocks')],
    ],
    'js assignment': [[/^process\.exitCode$/, when(hasValue(/^0$/), scriptExit)]],
    'python use': [
      [/^(os\._exit|sys\.exit|exit|quit)$/, when(isCalled, pythonExit)],
      [/^SystemExit$/, when(isRaised, pythonExit)],
    ],
    'python assignment': [[/(^|\.)exitstatus$/, when(hasValue(/^0$/), 'blocks')]],
  }),
  ...wires(EXIT_IN_CODE, {
    'go use': [[/^os\.Exit$/, when(isZero, exiting)]],
    'rust use': [[/(^|\.)process\.exit$/, when(isZero, unlessEntry)]],
    'ruby use': [
      [/^(Kernel\.|Process\.)?exit!?$/, when((fact) => isCalled(fact) || isStatement(fact), exiting)],
      [/^at_exit$/, when(exitsAgain, 'blocks')],
    ],
    'java code': [[/\b(System\.exit|exitProcess|halt|Environment\.Exit)\s*\(\s*0\s*\)/, unlessEntry]],
    'c code': [
      [
        /\b(_exit|_Exit|quick_exit|std::exit|exit)\s*\(\s*(0|EXIT_SUCCESS)\s*\)/,
        (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : reading.isEntry ? null : 'review'),
      ],
    ],
  }),
  ...wires(FORGED, {
    'any text': [
      [
        new RegExp(String.raw`^([\s\S]*(\\n|\n))?${RESULTS}`),
        (fact, reading) => forgedUnless(READS.test(callAround(fact) ?? ''), reading),
      ],
    ],
    'c,java line': [[FORGED_LINE, ({ code }, reading) => forgedUnless(READING_LINE.test(code), reading)]],
  }),
  ...wires(
    { ...FORGED, saw: 'prints or exits before main starts' },
    {
      'c code': [
        [
          /\b(printf|puts|putchar|fputs|fwrite|write|dprintf|syscall)\s*\((?!.*\bstderr\b)/,
          (line, reading) => (isBeforeMain(line, reading) ? 'blocks' : null),
        ],
      ],
    },
  ),
]

/** Source code that checks whether it is being tested. */

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
  ...wires(WATCH, {
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
    'python text': blocks(/^PYTEST_\w+$/),
    'go use': [
      [/^testing\.(Testing|Short|Verbose|CoverMode)$/, when(isCalled, 'blocks')],
      [/^(flag\.Lookup|os\.Args|strings\.HasSuffix)\b/, when(isBeside(/^-?-?test\.|\.test$/), 'blocks')],
    ],
    'rust use': [[/^cfg$/, when(hasArgument(/^(not\s*\(\s*)?test\b/), 'blocks')]],
    'rust text': blocks(/^(RUST_TEST_\w+|CARGO_TARGET_TMPDIR|NEXTEST\w*)$/),
    'ruby use': [
      [/^(RSpec|Minitest|Test\.Unit)$/, when(isDefined, 'blocks')],
      [/^(\$PROGRAM_NAME|\$0|caller)$/, when(isBeside(/spec|test/), 'blocks')],
    ],
    'shell use': [[/^BATS_\w+$/, readsShellVariable]],
    'java line': blocks(
      /\b(getProperty|GetEnvironmentVariable|getenv)\(\s*"[^"]*(surefire|junit|gradle\.test|org\.gradle\.test)/,
      /Class\.forName\(\s*"org\.(junit|testng)|\bgetStackTrace\b.*(junit|Test)/,
    ),
    'c line': blocks(
      /\b(__argv|program_invocation_name|getprogname)\b.*test/,
      /\bgetenv\(\s*"(GTEST_\w+|CTEST_\w+|BOOST_TEST_\w+|MAKELEVEL|MAKEFLAGS|MFLAGS)"/,
    ),
  }),
  ...wires({ ...WATCH, saw: 'checks whether it runs in CI' }, { 'js use': review(/(^|\.)env\.CI$/) }),
  ...wires(
    { ...WATCH, saw: 'checks its caller' },
    { 'python use': [[/^(sys\._getframe|inspect\.(stack|currentframe))$/, when(isCalled, 'review')]] },
  ),
]
