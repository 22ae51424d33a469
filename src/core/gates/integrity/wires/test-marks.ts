/** Finds tests and assertions in trees or, without a grammar, in lines. */
import type { Family } from '../../../languages/languages.ts'
import { childBy, descendants, walk, type SyntaxNode } from '../../../languages/syntax.ts'
import type { CodeLine } from '../reading.ts'
import { wholeChain } from '../syntax/around.ts'
import { linesOf, type Fact, type FactReader, type Lines } from '../syntax/facts.ts'
import { LONGEST_LINE } from '../wire.ts'

export interface Mark {
  /** `rows`: one test for many rows; fewer tests may then be as many. */
  readonly what: 'test' | 'assertion' | 'rows'
  /** `strong` checks the value; nearly every value passes a `weak` assertion. */
  readonly strength: 'strong' | 'weak' | 'plain'
  /** The line of its name; lines in between, such as table rows, belong to no test. */
  readonly lines: Lines
  /** Its range up to the body of a function. */
  readonly reach: Lines
  /** The test itself. */
  readonly fact: Fact | null
}

type Judged = Pick<Mark, 'what' | 'strength'>
type MarkRule = (fact: Fact) => Judged | null

const TEST: Judged = { what: 'test', strength: 'plain' }
const ROWS: Judged = { what: 'rows', strength: 'plain' }
const asserts = (isStrong: boolean, isWeak: boolean): Judged => ({
  what: 'assertion',
  strength: isWeak ? 'weak' : isStrong ? 'strong' : 'plain',
})

const JS_ASSERTION =
  /^expect(\.soft|\.poll)?$|^assert(\.\w+)*$|^t\.(is|not|deepEqual|equal|ok|throws|throwsAsync|true|false|like|snapshot)$|^[^()]*\.should\b[^()]*$/
const JS_STRONG =
  /\.(toBe|toEqual|toStrictEqual|toHaveBeenCalledWith|toHaveBeenCalledTimes|toThrow|toHaveLength|toContain|toContainEqual|toMatch|toMatchObject|toBeCloseTo|toHaveProperty)$/
const JS_STRONG_ASSERT = /\.(deepEqual|deepStrictEqual|strictEqual|equal|equals|eql|throws|rejects|match|is)$/
const JS_WEAK =
  /\.(toBeDefined|toBeTruthy|toBeFalsy|toBeInstanceOf|toHaveBeenCalled|toBeNull|toBeUndefined|toThrow)$/

const js: MarkRule = (fact) => {
  const { kind, name, args, code } = fact
  if (kind !== 'use') return null
  if (/\.each(\(\))?$|\.forEach$|(^|\.)property$/.test(name)) {
    return /^(it|test)\.each\(\)$/.test(name) ? TEST : args === null ? null : ROWS
  }
  if (/^(Deno\.)?(it|test)(\.\w+)*$/.test(name) && args !== null) {
    const [first, ...rest] = args
    return first?.is === 'text' || rest.some(({ is }) => is === 'function') ? TEST : null
  }
  if (!JS_ASSERTION.test(name) || (args === null && !name.includes('.should'))) return null
  const chain = wholeChain(fact)
  const whole = code.calleeOf(chain)
  const values = code.argsOf(chain)
  const isAny = values.some(({ text }) => /^expect\.(anything|any)\(/.test(text))
  const isNot = /\.not\.(toBeNull|toBeUndefined|toThrow)$/.test(whole)
  const isWeak =
    (JS_WEAK.test(whole) && values.length === 0) ||
    /^assert(\.ok)?$|\.to\.(exist|be\.ok)$/.test(whole) ||
    /^(\w+\(\)\.)?toBeInstanceOf$/.test(whole)
  const isStrong = (JS_STRONG.test(whole) && values.length > 0) || JS_STRONG_ASSERT.test(whole)
  return asserts(isStrong, isAny || isNot || isWeak)
}

const python: MarkRule = ({ kind, name, args, node }) => {
  if (kind === 'definition')
    return node.kind === 'function_definition' && name.startsWith('test') ? TEST : null
  if (/(^|\.)(parametrize|given|subTest)$/.test(name) && kind !== 'text') return ROWS
  if (kind !== 'use' || args === null) return null
  if (name === 'assert') return pythonAssert(args[0]?.node)
  const method = /^self\.assert(\w+)$/.exec(name)?.[1]
  if (method !== undefined) {
    const isStrong = /^(Raises\w*|In|Greater\w*|Less\w*|\w*Equal|Regex)$/.test(method)
    return asserts(isStrong, /^(True|IsNotNone|IsInstance)$/.test(method))
  }
  const isOther =
    /^pytest\.raises$|^(np|numpy|torch)\.testing\.assert_\w+$|\.assert_(called|has|any|awaited|not_called)\w*$/.test(
      name,
    )
  return isOther ? asserts(false, false) : null
}

function pythonAssert(node: SyntaxNode | undefined): Judged {
  const isNotNone = /\bis\s+not\s+None$/.test(node?.text ?? '')
  const isBare = /^(identifier|attribute|call|subscript)$/.test(node?.kind ?? '')
  return asserts(node?.kind === 'comparison_operator', isNotNone || isBare)
}

const go: MarkRule = ({ kind, name, args }) => {
  if (kind === 'definition') return /^(Test|Fuzz|Example)/.test(name) ? TEST : null
  if (kind !== 'use' || args === null) return null
  if (name === 't.Run') return ROWS
  const method = /^(assert|require)\.(\w+)$/.exec(name)?.[2]
  if (method === undefined)
    return /^[tb]\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(name) ? asserts(false, false) : null
  const isStrong = /^(Equal\w*|Exactly|ElementsMatch|JSONEq|ErrorIs|ErrorAs|Len|Contains|InDelta)$/.test(
    method,
  )
  return asserts(isStrong, /^(NotNil|NoError|NotEmpty|True|Error|NotPanics)$/.test(method))
}

const rust: MarkRule = ({ kind, name, args }) => {
  if (kind === 'decorator') return /(^|\.)(test|rstest)$/.test(name) ? TEST : name === 'case' ? ROWS : null
  if (kind !== 'use' || args === null) return null
  if (name === 'proptest') return ROWS
  if (!/^(debug_)?assert(_eq|_ne|_matches)?$|^prop_assert\w*$/.test(name)) return null
  const first = args[0]?.text ?? ''
  const isWeak = name === 'assert' && /\.is_(ok|some|err|none)\(\)$|^!\w+\.is_empty\(\)$/.test(first)
  return asserts(/_(eq|ne|matches)$/.test(name) || first.startsWith('matches!'), isWeak)
}

const ruby: MarkRule = (fact) => {
  const { kind, name, args, node, code } = fact
  if (kind === 'definition') return node.kind === 'method' && name.startsWith('test_') ? TEST : null
  if (kind !== 'use') return null
  if (/^(it|specify|test)$/.test(name)) return args?.[0]?.is === 'text' ? TEST : null
  if (/\.each$|^shared_examples$/.test(name)) return ROWS
  if (/^(assert|refute)(_\w+)?$/.test(name)) {
    const isStrong = /_(equal|raises|in_delta|match|same|includes)$/.test(name)
    return asserts(isStrong, /^assert(_not_nil|_nothing_raised)?$/.test(name))
  }
  if (/(^|\.)must_\w+$|\.should$/.test(name)) return asserts(false, false)
  if (name !== 'expect') return null
  const chain = wholeChain(fact)
  const matcher = code.argsOf(chain)[0]?.text ?? ''
  const isNegated = /\.(not_to|to_not)$/.test(code.calleeOf(chain))
  const isWeak = /^be_(truthy|present)\b/.test(matcher) || (isNegated && /^be_nil\b/.test(matcher))
  return asserts(/^(eq|eql|equal|match_array|contain_exactly|raise_error|match)\b/.test(matcher), isWeak)
}

const shell: MarkRule = ({ kind, name }) => {
  if (kind !== 'use') return null
  if (name === '@test') return TEST
  return /^(assert\w*|refute\w*|test|\[|\[\[)$/.test(name) ? asserts(false, false) : null
}

const RULES: Partial<Record<Family, MarkRule>> = { js, python, go, rust, ruby, shell }
const LOOPS = ['for_statement', 'for_in_statement', 'for_expression', 'for', 'c_style_for_statement'] as const

/** For files with a tree. */
export function marksIn(code: FactReader, family: Family): readonly Mark[] {
  const rule = RULES[family]
  if (rule === undefined) return []
  const found = code.facts.flatMap((fact): readonly Mark[] => {
    const judged = rule(fact)
    if (judged === null) return []
    const title = judged.what === 'test' ? fact.args?.find(({ is }) => is === 'text')?.node : undefined
    return [
      {
        ...judged,
        lines: title === undefined ? nameLines(fact) : linesOf(title),
        reach: reachOf(fact),
        fact,
      },
    ]
  })
  const loops = descendants(code.tree.root, ...LOOPS)
    .filter(({ isNamed }) => isNamed)
    .map(({ line }) => markOn(ROWS, { from: line, to: line }))
  return [
    ...found,
    ...loops,
    ...testCommands(code).map((node) => markOn(asserts(false, false), linesOf(node))),
  ]
}

/** The function of a test: passed to a call, defined by name, or below an attribute. */
export function testFunction({ kind, args, node, code }: Fact): SyntaxNode | null {
  if (kind === 'definition') return node
  if (kind === 'use') return args?.findLast(({ is }) => is === 'function')?.node ?? null
  const siblings = node.parent?.children ?? []
  return siblings.slice(siblings.indexOf(node)).find((one) => code.kinds.functions.has(one.kind)) ?? null
}

const markOn = (judged: Judged, lines: Lines): Mark => ({ ...judged, lines, reach: lines, fact: null })

/** The lines of what is called, without its arguments. */
function nameLines({ node, head, code }: Fact): Lines {
  const [field] = code.kinds.calls[node.kind] ?? []
  const callee = field === undefined ? null : childBy(node, field)
  return { from: head.from, to: callee?.lastLine ?? head.from }
}

/** `expect(a)` reaches to the end of `expect(a).toBe(1)`. */
function reachOf(fact: Fact): Lines {
  const chain = wholeChain(fact)
  return chain === fact.node ? fact.head : linesOf(chain)
}

/** `[ … ]` of a shell, except as the condition of a branch. */
function testCommands({ tree: { language, root } }: FactReader): readonly SyntaxNode[] {
  if (language.name !== 'shell') return []
  const nodes = walk(root, ({ field, parent }) => field !== 'condition' && parent?.kind !== 'test_command')
  return nodes.filter(({ kind }) => kind === 'test_command').toArray()
}

type LinePatterns = Readonly<Record<Mark['what'] | 'strong' | 'weak', RegExp>>

const LINE_PATTERNS: Partial<Record<Family, LinePatterns>> = {
  c: {
    assertion:
      /\b(EXPECT|ASSERT|REQUIRE|CHECK|BOOST_TEST|BOOST_CHECK|BOOST_REQUIRE|TEST_ASSERT|QVERIFY|QCOMPARE)\w*\s*\(|\bassert\s*\(/g,
    test: /^\s*(TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE)\s*\(/g,
    strong: /_(EQ|STREQ|NEAR|DOUBLE_EQ|FLOAT_EQ|EQUAL|THROW|THROWS_AS)\s*\(|==/,
    weak: /_(TRUE|NE|NO_THROW|NOTHROW)\s*\(/,
    rows: /TEST_P|INSTANTIATE_TEST|GENERATE\s*\(|\bfor\s*\(/g,
  },
  java: {
    assertion:
      /\b(assert\w*|verify|fail)\s*\(|\bAssert\.\w+\s*\(|\.should\w*\s*\(|\bshouldBe\b|\bXCTAssert\w*\s*\(/g,
    test: /@(Test|ParameterizedTest|RepeatedTest)\b|\[(Fact|Theory|Test|TestMethod)\b|\bfunc\s+test\w*\s*\(|\bfunction\s+test\w*\s*\(/g,
    strong:
      /\bassert(Equals|ArrayEquals|Same|Throws|Iterable\w*|ThatThrownBy)\s*\(|\.(isEqualTo|containsExactly\w*|hasSize|isSameAs)\s*\(|\bshouldBe\b|\bEqual\s*\(/,
    weak: /\bassert(NotNull|True|DoesNotThrow)\s*\(|\.(isNotNull|isTrue|isNotEmpty)\s*\(|\bshouldNotBe\b|\b(NotNull|True)\s*\(/,
    rows: /ParameterizedTest|Theory|DataProvider|\bfor\s*\(/g,
  },
}

/** For files without a tree. */
export function marksOnLines(lines: readonly CodeLine[], family: Family): readonly Mark[] {
  const patterns = LINE_PATTERNS[family]
  if (patterns === undefined) return []
  return lines.flatMap(({ line, code }) => {
    const text = code.slice(0, LONGEST_LINE)
    const [isStrong, isWeak] = [patterns.strong.test(text), patterns.weak.test(text)]
    const mark = (judged: Judged, pattern: RegExp): readonly Mark[] =>
      [...text.matchAll(pattern)].map(() => markOn(judged, { from: line, to: line }))
    return [
      ...mark(TEST, patterns.test),
      ...mark(ROWS, patterns.rows),
      ...mark(asserts(isStrong, isWeak), patterns.assertion),
    ]
  })
}
