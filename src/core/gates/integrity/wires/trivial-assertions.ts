/** Assertions that always pass. */
import { childBy, descendants, namedChildren, type SyntaxNode } from '../../../languages/syntax.ts'
import type { FreshFact } from '../reading.ts'
import { ancestors, bodyOf, wholeChain } from '../syntax/around.ts'
import type { FactReader, Value } from '../syntax/facts.ts'
import { factWires, lineWires, when, type Weight, type Wire } from '../wire.ts'

const TESTS = ['test'] as const
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

const isTrue = (value: Value | undefined): boolean =>
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
  isTrue(code.valueOf(childBy(node, 'right') ?? node))

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
  const isPlain = /^expect\(\)\.(toBeTruthy|toBeDefined)$/.test(name) && isTrue(value)
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
  if (/^assert(\.ok|\.strict)?$/.test(name) && isTrue(first)) return 'blocks'
  if (first !== undefined && orTrue(code, first)) return 'blocks'
  const isEqual = /(^|\.)(e|\w*E)qual$/.test(name) && !/not/i.test(name)
  return isEqual && sameAs(first, second) !== null ? 'blocks' : null
}

/** The `assert` statement of Python. */
function ofStatement({ args, node, code }: FreshFact): Weight | null {
  const [first] = args ?? []
  if (first === undefined || node.kind !== 'assert_statement') return null
  if (isTrue(first) || orTrue(code, first)) return 'blocks'
  const { kind, children } = first.node
  const isEqual = kind === 'comparison_operator' && children.some((child) => child.kind === '==')
  const [left, right, ...more] = namedChildren(first.node).map((child) => code.valueOf(child))
  return isEqual && more.length === 0 ? literalOnly(sameAs(left, right)) : null
}

const assertsTrue = ({ args }: FreshFact): boolean => isTrue(args?.[0])
const expectsTrue = (fact: FreshFact): boolean => isTrue(subject(fact))
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
  ...factWires(TRIVIAL, {
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
  }),
  ...lineWires(TRIVIAL, {
    'c text': [
      [/\b((EXPECT|ASSERT)_TRUE|REQUIRE|CHECK|BOOST_TEST|BOOST_CHECK|assert)\(\s*(true|1)\s*\)/, 'blocks'],
      [same(String.raw`\b(?:EXPECT|ASSERT)_EQ\(`, String.raw`\)`, SELF), 'blocks'],
    ],
    'java text': [
      [/\bassertTrue\(\s*true\s*[,)]|\bassertThat\(\s*true\s*\)\.isTrue/, 'blocks'],
      [same(String.raw`\bassertEquals\(`, '[,)]', SELF), 'blocks'],
      [same(String.raw`\bassertEquals\(`, '[,)]', NAME), 'review'],
    ],
  }),
  ...factWires(READ, {
    'js use': [[/(^|\.)readFile(Sync)?$/, when(readsScript, 'review')]],
    'python use': [[/(^|\.)(open|Path)$/, when(readsModule, 'review')]],
  }),
  ...factWires(MUST_FAIL, {
    'js use': [
      [/^assert\.(strict\.)?(throws|rejects)$|^t\.throws(Async)?$|^expect$/, when(throwsAssertion, 'blocks')],
    ],
    'python use': [[/(^|\.)(assertRaises|raises)$/, when(raisesAssertion, 'blocks')]],
  }),
]
