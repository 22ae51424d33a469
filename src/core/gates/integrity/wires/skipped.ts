/** Tests that do not run, or are retried until they pass. */
import { childBy, descendants, namedChildren, type SyntaxNode } from '../../../languages/syntax.ts'
import type { Fact, FactReader, Value } from '../syntax/facts.ts'
import { ancestors, callAround, isConditional, isStatement, bodyOf, wholeChain } from '../syntax/around.ts'
import type { FreshFact, FreshLine, Reading } from '../reading.ts'
import {
  blockAround,
  hasValue,
  isCalled,
  when,
  type FactRows,
  type Weight,
  type Wire,
  wires,
  blocks,
  review,
} from '../wire.ts'

const TESTS = ['test'] as const
const SKIP = { wire: 'test-skipped', saw: 'skips a test', roles: TESTS } as const
const ONLY = { wire: 'test-only', saw: 'runs one test and skips the others', roles: TESTS } as const
const FAILS = { wire: 'test-expected-to-fail', saw: 'counts a failing test as passed', roles: TESTS } as const
const RETRY = {
  wire: 'test-retried',
  saw: 'retries a test until it passes',
  roles: ['test', 'settings'],
} as const

/** A condition may be legitimate (platform, missing tool), so it is a note for review. */
const underCondition = (fact: FreshFact): Weight => (isConditional(fact) ? 'review' : 'blocks')

/** `it.skip('x', …)` skips a test; `test.skip(isWindows, 'why')` of Playwright only where that is so. */
function skippedTest(fact: FreshFact): Weight {
  const { name, args } = fact
  const hasFunction = args?.some(({ is }) => is === 'function') === true
  if (args === null || (name === 'context.skip' && !hasFunction)) return underCondition(fact)
  if (!name.endsWith('.skip')) return 'blocks'
  const [first] = args
  const hasTitle = first === undefined || first.is === 'text' || hasFunction
  return hasTitle && first?.is !== 'function' ? 'blocks' : 'review'
}

/** `test('x', ({ skip }) => skip())` of Vitest. */
const isOfContext = ({ args, node }: FreshFact): boolean =>
  args !== null && ancestors(node).some((one) => /[{,]\s*skip\b/.test(childBy(one, 'parameters')?.text ?? ''))

/** An option of a test, not of other objects. */
function optionWeight(fact: FreshFact): Weight | null {
  const { value } = fact
  if (value === null) return null
  const call = callAround(fact)
  const isTest =
    call !== null &&
    /^(RSpec\.)?(it|test|describe|suite|context|specify|feature|scenario|example)(\.\w+)*$/.test(call)
  if (/^(false|undefined|nil|\d+)$/.test(value.text) && value.is !== 'text') return null
  const isPlain = value.text === 'true' || value.is === 'text'
  if (isTest) return isPlain ? 'blocks' : 'review'
  return call === null && value.text === 'true' ? 'review' : null
}

/** `skipIf(true)` and `runIf(false)` are not conditions. */
function ifCertain(fact: FreshFact): Weight {
  const { name, args } = fact
  const never = /(runIf|Unless)$/.test(name) ? /^(false|False|0|!1)$/ : /^(true|True|1|!0)$/
  const [first] = args ?? []
  const isCertain = first !== undefined && first.is !== 'text' && never.test(first.text)
  return isCertain ? underCondition(fact) : 'review'
}

const isTrue = ({ value }: Fact): boolean => value?.text === 'true' && value.is !== 'text'
const isCounted = hasValue(/^[1-9]/)
const isTestOption = (fact: FreshFact): boolean => optionWeight(fact) === 'blocks'

const OPTIONS: FactRows = [
  [/^skip$/, optionWeight],
  [/^(todo|pending)$/, when(isTestOption, 'blocks')],
]

/** Without a tree, indentation shows the enclosing block. */
function inCondition(line: FreshLine, reading: Reading): Weight {
  if (/\b(if|unless|when)\b/.test(line.code)) return 'review'
  const around = blockAround(reading, line.line)?.code.trim() ?? ''
  return /^\W*(else|if|catch|case|switch)\b|\b(if|else|catch)\b.*[{:]$/.test(around) ? 'review' : 'blocks'
}

export const SKIPPED: readonly Wire[] = [
  ...wires(SKIP, {
    'js use': [
      [/^(it|test|describe|suite|context|bench)(\.\w+)*\.skip(\.\w+)*$/, skippedTest],
      ...blocks(/^(xit|xtest|xdescribe|xcontext|xspecify)(\.\w+)*$/),
      [/^(t|ctx|this|testContext)\.(skip|pending|todo)$|^pending$/, when(isCalled, underCondition)],
      [/^skip$/, when(isOfContext, underCondition)],
      [/\.(skipIf|runIf)$/, ifCertain],
      ...review(/^(it|test|describe|suite)\.todo$/),
    ],
    'js,ruby entry': OPTIONS,
    'python decorator': blocks(/^(unittest\.)?skip$/),
    'python use': [
      // Marks of pytest and unittest appear before a function, in a list or among parameters.
      [/^(pytest\.)?mark\.skip$/, 'blocks'],
      [/(^|\.)mark\.skipif$|^(unittest\.)?skip(If|Unless)$/, ifCertain],
      [/^pytest\.skip$|^(self|cls)\.skipTest$/, underCondition],
    ],
    'go use': [[/^[tbf]\.(Skip|Skipf|SkipNow)$/, underCondition]],
    'rust decorator': blocks(/^ignore$/),
    'ruby use': [
      ...blocks(/^(xit|xdescribe|xcontext|xspecify)$/),
      [/^(skip|pending)$/, when((fact) => isCalled(fact) || isStatement(fact), underCondition)],
    ],
    'shell use': [[/^skip$/, underCondition]],
    'java code': [
      ...blocks(/@(Disabled|Ignore)\b(?!On|If)|\benabled\s*=\s*false|\[(Ignore|Skip)\b|\bSkip\s*=/),
      ...review(/@(Disabled|Enabled)(On|If)\w*|\bassume(True|False|That|Not)\w*\s*\(/),
    ],
    'c code': [
      ...blocks(/\bDISABLED_\w+|\bboost::unit_test::disabled\b|\bdoctest::skip\s*\(/),
      [/\bGTEST_SKIP\s*\(|\bQSKIP\s*\(|^\s*SKIP\s*\(/, inCondition],
    ],
  }),
  ...wires(ONLY, {
    'js use': [
      ...blocks(/^(it|test|describe|suite|context|bench)(\.\w+)*\.only(\.\w+)*$/),
      [/^(fit|fdescribe|fcontext)(\.\w+)*$/, when(({ args }) => args?.[0]?.is === 'text', 'blocks')],
    ],
    'ruby use': [
      [
        /^(it|describe|context|specify|feature|scenario|RSpec\.describe)$/,
        when(({ args }) => args?.some(({ text }) => text === ':focus') === true, 'blocks'),
      ],
    ],
  }),
  ...wires(FAILS, {
    'js use': blocks(/^(it|test)(\.\w+)*\.(fails|failing)(\.\w+)*$/),
    'js entry': [[/^(expectFailure|failing|fails)$/, when(isTrue, 'blocks')]],
    'python use': blocks(/(^|\.)mark\.xfail$|^pytest\.xfail$|^(unittest\.)?expectedFailure$/),
    'rust decorator': [[/^should_panic$/, when(({ args }) => args === null, 'review')]],
  }),
  ...wires(RETRY, {
    'js use': [
      [
        /^jest\.retryTimes$|^this\.retries$/,
        ({ args }) => (/^[1-9]/.test(args?.[0]?.text ?? '1') ? 'blocks' : null),
      ],
    ],
    // In a test, `retry` may be an option of the tested code.
    'js entry': [
      [/^retr(y|ies)$/, when(isCounted, ({ role }) => (role === 'settings' ? 'blocks' : 'review'))],
    ],
    'python use': blocks(/(^|\.)mark\.flaky$/),
    'python entry': [[/^reruns$/, when(isCounted, 'blocks')]],
  }),
]

/** Assertions that always pass. */

const TRIVIAL = {
  wire: 'vacuous-assertion',
  saw: 'asserts something that is always true',
  roles: TESTS,
} as const
const READ = { wire: 'source-read', saw: 'reads source code instead of running it', roles: TESTS } as const

const MUST_FAIL = {
  wire: 'assertion-must-fail',
  saw: 'passes when an assertion fails',
  roles: TESTS,
} as const

const isTrueValue = (value: Value | undefined): boolean =>
  value !== undefined && value.is !== 'text' && /^(true|True|1|!0|not False)$/.test(value.text)

/** Whether both are the same literal or name; calls may return different values. */
function sameAs(one: Value | undefined, other: Value | undefined): 'literal' | 'name' | null {
  if (one === undefined || other === undefined || one.is !== other.is || one.text !== other.text) return null
  if (one.is === 'text' || one.is === 'number' || one.is === 'constant') return 'literal'
  return one.is === 'name' && !/[(?[]/.test(one.text) ? 'name' : null
}

/** Comparing a value with itself may test a custom equality. */
const literalOnly = (same: 'literal' | 'name' | null): Weight | null =>
  same === null ? null : same === 'literal' ? 'blocks' : 'review'

/** `found || true`, `found or True`. */
const orTrue = (code: FactReader, { node }: Value): boolean =>
  /^(binary_expression|boolean_operator|binary)$/.test(node.kind) &&
  node.children.some(({ kind }) => kind === '||' || kind === 'or') &&
  isTrueValue(code.valueOf(childBy(node, 'right') ?? node))

/** The first argument of the first call of a chain: `a` in `expect(a).toBe(1)`. */
function subject({ code, node }: FreshFact): Value | undefined {
  let found = node
  for (let at: SyntaxNode | null = node; at !== null; at = innerPart(code, at)) {
    if (at.kind in code.kinds.calls) found = at
  }
  return code.argsOf(found)[0]
}

function innerPart(code: FactReader, node: SyntaxNode): SyntaxNode | null {
  if (code.kinds.wrappers.has(node.kind)) return namedChildren(node)[0] ?? null
  const [first] = code.kinds.calls[node.kind] ?? code.kinds.members[node.kind] ?? []
  return childBy(node, 'receiver') ?? (first === undefined ? null : childBy(node, first))
}

const JS_EQUAL = /\.(toBe|toEqual|toStrictEqual|to\.(deep\.)?equal|to\.eql)$/

function ofExpect(fact: FreshFact): Weight | null {
  const { name, args, code } = fact
  if (args === null) return null
  const value = subject(fact)
  if (value !== undefined && orTrue(code, value)) return 'blocks'
  if (JS_EQUAL.test(name) && sameAs(value, args[0]) !== null) return 'blocks'
  const isPlain = /^expect\(\)\.(toBeTruthy|toBeDefined)$/.test(name) && isTrueValue(value)
  const [handler] = args
  const isCaught = name.endsWith('.catch') && handler?.is === 'function' && doesNothing(code, handler.node)
  return isPlain || isCaught ? 'blocks' : null
}

function doesNothing(code: FactReader, node: SyntaxNode): boolean {
  const body = childBy(node, 'body')
  return body === null || /^(\{\s*\}|undefined|null)$/.test(body.text) || bodyOf(code, node).length === 0
}

function ofAssert(fact: FreshFact): Weight | null {
  const { name, args, code } = fact
  if (args === null) return null
  if (name.endsWith('.catch')) return ofExpect(fact)
  const [first, second] = args
  if (/^assert(\.ok|\.strict)?$/.test(name) && isTrueValue(first)) return 'blocks'
  if (first !== undefined && orTrue(code, first)) return 'blocks'
  const isEqual = /(^|\.)(e|\w*E)qual$/.test(name) && !/not/i.test(name)
  return isEqual && sameAs(first, second) !== null ? 'blocks' : null
}

/** The `assert` statement of Python. */
function ofStatement({ args, node, code }: FreshFact): Weight | null {
  const [first] = args ?? []
  if (first === undefined || node.kind !== 'assert_statement') return null
  if (isTrueValue(first) || orTrue(code, first)) return 'blocks'
  const { kind, children } = first.node
  const isEqual = kind === 'comparison_operator' && children.some((child) => child.kind === '==')
  const [left, right, ...more] = namedChildren(first.node).map((child) => code.valueOf(child))
  return isEqual && more.length === 0 ? literalOnly(sameAs(left, right)) : null
}

const assertsTrue = ({ args }: FreshFact): boolean => isTrueValue(args?.[0])
const expectsTrue = (fact: FreshFact): boolean => isTrueValue(subject(fact))
const ifSame = ({ args }: FreshFact): Weight | null => literalOnly(sameAs(args?.[0], args?.[1]))

/** Code that a test reads as a text. */
const readsScript = ({ args, code }: FreshFact): boolean =>
  (args ?? [])
    .flatMap(({ node }) => [node, ...descendants(node, ...code.kinds.texts)])
    .map((node) => code.valueOf(node))
    .some(({ is, text }) => is === 'text' && /(?<!test)\.[cm]?[jt]sx?$/.test(text))

const readsModule = ({ args }: FreshFact): boolean =>
  args?.[0]?.is === 'text' && /(?<!_test)\.py$/.test(args[0].text)

/** `throws(() => assert.equal(…))`. A function `assert` of the project may be under test; that of a library is not. */
function throwsAssertion(fact: FreshFact): boolean {
  const { name, args, code } = fact
  const [first] = args ?? []
  const isThrow =
    name !== 'expect' || /\.(toThrow\w*|rejects\.\w+|to\.throw)(\(\))?$/.test(code.nameOf(wholeChain(fact)))
  const body = first?.is === 'function' && isThrow ? bodyOf(code, first.node) : []
  return body.some(({ text }) => /^\s*(return\s+|await\s+)*(assert\.\w+\(|expect\([^]*\)\.)/.test(text))
}

/** `with assertRaises(Exception)` around an assertion. */
function raisesAssertion({ args, node, code }: FreshFact): boolean {
  const isAny = /^\(?\s*(Exception|BaseException|AssertionError)\b/.test(args?.[0]?.text ?? '')
  const around = ancestors(node).find(({ kind }) => !/^(with_item|with_clause|as_pattern)$/.test(kind))
  const body = isAny && around?.kind === 'with_statement' ? bodyOf(code, around) : []
  return body.some(({ text }) => /^\s*(self\.assert\w+\(|assert\s)/.test(text))
}

/** A literal value. */
const SELF = String.raw`(true|false|null|nil|\d+|'[^']*'|"[^"]*")`
const NAME = String.raw`([A-Za-z_$][\w.$]*)`
const same = (before: string, after: string, value: string): RegExp =>
  new RegExp(String.raw`${before}\s*${value}\s*,\s*\1\s*${after}`)

export const TRIVIAL_ASSERTIONS: readonly Wire[] = [
  ...wires(TRIVIAL, {
    'js use': [
      [/^expect(\(\)|\.soft\(\)).*\.\w+$/, ofExpect],
      [/^expect\(\)\.to\.be\.(true|ok)$/, when(expectsTrue, 'blocks')],
      [/^assert(\.\w+)*(\(\)\.catch)?$/, ofAssert],
    ],
    'python use': [
      [/^assert$/, ofStatement],
      [/(^|\.)assertTrue$/, when(assertsTrue, 'blocks')],
      [/(^|\.)assertEquals?$/, ifSame],
    ],
    'go use': [
      [/^(assert|require)\.True$/, when(({ args }) => args?.[1]?.text === 'true', 'blocks')],
      [/^(assert|require)\.Equal$/, when(({ args }) => sameAs(args?.[1], args?.[2]) !== null, 'blocks')],
    ],
    'rust use': [
      [/^assert$/, when(assertsTrue, 'blocks')],
      [/^assert_eq$/, ifSame],
    ],
    'ruby use': [
      [/^expect\(\)\.to$/, when(expectsTrue, 'blocks')],
      [/^assert$/, when(assertsTrue, 'blocks')],
    ],
    'c line': [
      ...blocks(/\b((EXPECT|ASSERT)_TRUE|REQUIRE|CHECK|BOOST_TEST|BOOST_CHECK|assert)\(\s*(true|1)\s*\)/),
      [same(String.raw`\b(?:EXPECT|ASSERT)_EQ\(`, String.raw`\)`, SELF), 'blocks'],
    ],
    'java line': [
      ...blocks(/\bassertTrue\(\s*true\s*[,)]|\bassertThat\(\s*true\s*\)\.isTrueValue/),
      [same(String.raw`\bassertEquals\(`, '[,)]', SELF), 'blocks'],
      [same(String.raw`\bassertEquals\(`, '[,)]', NAME), 'review'],
    ],
  }),
  ...wires(READ, {
    'js use': [[/(^|\.)readFile(Sync)?$/, when(readsScript, 'review')]],
    'python use': [[/(^|\.)(open|Path)$/, when(readsModule, 'review')]],
  }),
  ...wires(MUST_FAIL, {
    'js use': [
      [/^assert\.(strict\.)?(throws|rejects)$|^t\.throws(Async)?$|^expect$/, when(throwsAssertion, 'blocks')],
    ],
    'python use': [[/(^|\.)(assertRaises|raises)$/, when(raisesAssertion, 'blocks')]],
  }),
]
