/** Assertions that always pass. */
import { childBy, descendants, namedChildren, type SyntaxNode } from '../../../languages/syntax.ts'
import type { FreshFact, Reading } from '../reading.ts'
import { bodyOf, wholeChain } from '../syntax/around.ts'
import type { FactReader, Value } from '../syntax/facts.ts'
import { nodeWires, tripAt, type FileWire, type LineWire, type NodeWire, type Weight } from '../wire.ts'

const VACUOUS = {
  wire: 'vacuous-assertion',
  saw: 'asserts something that is always true',
  roles: ['test'],
} as const
const READ = { wire: 'source-read', saw: 'reads source code instead of running it', roles: ['test'] } as const

const TRUE = /^(true|True|1|!0|not False)$/
const isTrue = (value: Value | undefined): boolean =>
  value !== undefined && value.is !== 'text' && TRUE.test(value.text)
const isLiteral = ({ is }: Value): boolean => is === 'text' || is === 'number' || is === 'constant'

/** Whether both are the same literal or name; calls may return different values. */
function sameAs(one: Value | undefined, other: Value | undefined): 'literal' | 'name' | null {
  if (one === undefined || other === undefined || one.is !== other.is || one.text !== other.text) return null
  if (isLiteral(one)) return 'literal'
  return one.is === 'name' && !/[(?[]/.test(one.text) ? 'name' : null
}

/** Comparing a value with itself may test a custom equality. */
const literalOnly = (same: 'literal' | 'name' | null): Weight | null =>
  same === null ? null : same === 'literal' ? 'blocks' : 'note'

/** `found || true`, `found or True`. */
const orTrue = (code: FactReader, { node }: Value): boolean =>
  /^(binary_expression|boolean_operator|binary)$/.test(node.kind) &&
  node.children.some(({ kind }) => kind === '||' || kind === 'or') &&
  isTrue(code.valueOf(childBy(node, 'right') ?? node))

/** The arguments of the first call of a chain: `a` in `expect(a).toBe(1)`. */
function subject(code: FactReader, node: SyntaxNode): readonly Value[] {
  let found = node
  for (let at: SyntaxNode | null = node; at !== null; at = innerPart(code, at)) {
    if (at.kind in code.kinds.calls) found = at
  }
  return code.argsOf(found)
}

function innerPart(code: FactReader, node: SyntaxNode): SyntaxNode | null {
  if (code.kinds.wrappers.has(node.kind)) return namedChildren(node)[0] ?? null
  const [first] = code.kinds.calls[node.kind] ?? code.kinds.members[node.kind] ?? []
  return childBy(node, 'receiver') ?? (first === undefined ? null : childBy(node, first))
}

const JS_EQUAL = /\.(toBe|toEqual|toStrictEqual|to\.(deep\.)?equal|to\.eql)$/

function ofExpect({ name, args, place }: FreshFact, { code }: Reading): Weight | null {
  if (code === null || args === null) return null
  const [value] = subject(code, place.node)
  if (value !== undefined && orTrue(code, value)) return 'blocks'
  if (JS_EQUAL.test(name) && sameAs(value, args[0]) !== null) return 'blocks'
  const isPlain = /^expect\(\)\.(toBeTruthy|toBeDefined)$/.test(name) && isTrue(value)
  const [handler] = args
  const isCaught = name.endsWith('.catch') && handler?.is === 'function' && doesNothing(code, handler.node)
  return isPlain || isCaught ? 'blocks' : null
}

function doesNothing(code: FactReader, node: SyntaxNode): boolean {
  const body = childBy(node, 'body')
  return (
    body === null || /^(\{\s*\}|undefined|null)$/.test(code.source(body)) || bodyOf(code, node).length === 0
  )
}

function ofAssert(fact: FreshFact, reading: Reading): Weight | null {
  const { name, args } = fact
  if (args === null || reading.code === null) return null
  if (name.endsWith('.catch')) return ofExpect(fact, reading)
  const [first, second] = args
  if (/^assert(\.ok|\.strict)?$/.test(name) && isTrue(first)) return 'blocks'
  if (first !== undefined && orTrue(reading.code, first)) return 'blocks'
  const isEqual = /(^|\.)(e|\w*E)qual$/.test(name) && !/not/i.test(name)
  return isEqual && sameAs(first, second) !== null ? 'blocks' : null
}

/** The `assert` statement of Python. */
function ofStatement({ args, place }: FreshFact, { code }: Reading): Weight | null {
  const [first] = args ?? []
  if (code === null || first === undefined || place.node.kind !== 'assert_statement') return null
  if (isTrue(first) || orTrue(code, first)) return 'blocks'
  const [left, right, ...more] = namedChildren(first.node)
  const { kind, children } = first.node
  const isEqual = kind === 'comparison_operator' && children.some((child) => child.kind === '==')
  return isEqual && left !== undefined && right !== undefined && more.length === 0
    ? literalOnly(sameAs(code.valueOf(left), code.valueOf(right)))
    : null
}

const ifTrue = ({ args }: FreshFact): Weight | null => (isTrue(args?.[0]) ? 'blocks' : null)
const ifSame = ({ args }: FreshFact): Weight | null => literalOnly(sameAs(args?.[0], args?.[1]))
const ofSubject = ({ place }: FreshFact, { code }: Reading): Weight | null =>
  code !== null && isTrue(subject(code, place.node)[0]) ? 'blocks' : null

export const VACUOUS_WIRES: readonly NodeWire[] = [
  ...nodeWires(VACUOUS, {
    js: {
      use: [
        [/^expect(\(\)|\.soft\(\)).*\.\w+$/, ofExpect],
        [/^expect\(\)\.to\.be\.(true|ok)$/, ofSubject],
        [/^assert(\.\w+)*(\(\)\.catch)?$/, ofAssert],
      ],
    },
    python: {
      use: [
        [/^assert$/, ofStatement],
        [/(^|\.)assertTrue$/, ifTrue],
        [/(^|\.)assertEquals?$/, ifSame],
      ],
    },
    go: {
      use: [
        [/^(assert|require)\.True$/, ({ args }) => (args?.[1]?.text === 'true' ? 'blocks' : null)],
        [/^(assert|require)\.False$/, ({ args }) => (args?.[1]?.text === 'false' ? 'blocks' : null)],
        [
          /^(assert|require)\.Equal$/,
          ({ args }) => (sameAs(args?.[1], args?.[2]) === null ? null : 'blocks'),
        ],
      ],
    },
    rust: {
      use: [
        [/^assert$/, ifTrue],
        [/^assert_eq$/, ifSame],
      ],
    },
    ruby: {
      use: [
        [/^expect\(\)\.to$/, ofSubject],
        [/^assert$/, ifTrue],
      ],
    },
  }),
  ...nodeWires(READ, {
    js: {
      use: [
        [
          /(^|\.)readFile(Sync)?$/,
          ({ args }, { code }) =>
            code !== null && (args ?? []).some(({ node }) => namesSource(code, node)) ? 'note' : null,
        ],
      ],
    },
    python: {
      use: [
        [
          /(^|\.)(open|Path)$/,
          ({ args }) =>
            /(?<!_test)\.py$/.test(args?.[0]?.is === 'text' ? args[0].text : '') ? 'note' : null,
        ],
      ],
    },
  }),
]

function namesSource(code: FactReader, node: SyntaxNode): boolean {
  return [node, ...descendants(node, ...code.kinds.texts)].some((one) => {
    const { is, text } = code.valueOf(one)
    return is === 'text' && /(?<!test)\.[cm]?[jt]sx?$/.test(text)
  })
}

/** A literal value. */
const SELF = String.raw`(true|false|null|nil|\d+|'[^']*'|"[^"]*")`
const NAME = String.raw`([A-Za-z_$][\w.$]*)`
const same = (before: string, after: string, value: string): RegExp =>
  new RegExp(String.raw`${before}\s*${value}\s*,\s*\1\s*${after}`)

export const VACUOUS_LINES: readonly LineWire[] = (
  [
    [
      'c',
      /\b(EXPECT|ASSERT)_TRUE\(\s*(true|1)\s*\)|\b(REQUIRE|CHECK|BOOST_TEST|BOOST_CHECK|assert)\(\s*(true|1)\s*\)/,
      'blocks',
    ],
    ['c', same(String.raw`\b(?:EXPECT|ASSERT)_EQ\(`, String.raw`\)`, SELF), 'blocks'],
    ['java', /\bassertTrue\(\s*true\s*[,)]|\bassertThat\(\s*true\s*\)\.isTrue/, 'blocks'],
    ['java', same(String.raw`\bassertEquals\(`, '[,)]', SELF), 'blocks'],
    ['java', same(String.raw`\bassertEquals\(`, '[,)]', NAME), 'note'],
  ] as const
).map(([family, pattern, weight]) => ({ ...VACUOUS, look: 'text', families: [family], pattern, weight }))

/** Expectations that any error fulfils, even a failed assertion. */
const WAITS_FOR_ANY: Partial<Record<Reading['family'], RegExp>> = {
  python: /(^|\.)(assertRaises|raises)$/,
  js: /^assert\.(strict\.)?(throws|rejects)$|^t\.throws(Async)?$|^expect$/,
}
/** An assertion of a runner or library; a function `assert` of the project may be under test. */
const INSIDE: Partial<Record<Reading['family'], RegExp>> = {
  python: /^\s*(self\.assert\w+\(|assert\s)/,
  js: /^\s*(return\s+|await\s+)*(assert\.\w+\(|expect\([^]*\)\.)/,
}

/** `assertRaises(Exception)` around an assertion, `throws(() => assert.equal(…))`: it passes because an assertion fails. */
export const assertionMustFail: FileWire = (reading) => {
  const { code, family } = reading
  const [waits, inside] = [WAITS_FOR_ANY[family], INSIDE[family]]
  if (code === null || waits === undefined || inside === undefined) return []
  return reading.fresh.flatMap((fact) => {
    if (fact.role !== 'test' || fact.kind !== 'use' || fact.args === null || !waits.test(fact.name)) return []
    const body = family === 'python' ? withBody(code, fact) : calledBody(code, fact)
    if (!body.some((statement) => inside.test(code.source(statement)))) return []
    const what = {
      wire: 'assertion-must-fail',
      saw: 'passes when an assertion fails',
      weight: 'blocks',
    } as const
    return [tripAt(reading, fact, what)]
  })
}

const ANY_ERROR = /^\(?\s*(Exception|BaseException|AssertionError)\b/

function withBody(code: FactReader, { args, place }: FreshFact): readonly SyntaxNode[] {
  if (!ANY_ERROR.test(args?.[0]?.text ?? '')) return []
  for (let at = place.parent; at !== null; at = at.parent) {
    if (at.node.kind === 'with_statement') return bodyOf(code, at.node)
    if (!/^(with_item|with_clause|as_pattern)$/.test(at.node.kind)) return []
  }
  return []
}

function calledBody(code: FactReader, { name, args, place }: FreshFact): readonly SyntaxNode[] {
  const [first] = args ?? []
  if (first?.is !== 'function') return []
  const isThrow =
    name !== 'expect' ||
    /\.(toThrow\w*|rejects\.\w+|to\.throw)(\(\))?$/.test(code.nameOf(wholeChain(code, place)))
  return isThrow ? bodyOf(code, first.node) : []
}
