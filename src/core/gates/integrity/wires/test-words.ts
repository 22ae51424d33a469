/** How tests and assertions are written, language by language. Patterns are for code without texts and comments. */
import type { Family } from '../families.ts'
import { LONGEST_LINE } from '../wire.ts'

export interface TestWords {
  /** One assertion; found as often as it stands in a line. */
  readonly assertion: RegExp
  /** Where a test begins. */
  readonly opener: RegExp
  /** An assertion that says what the value is. */
  readonly strong: RegExp
  /** An assertion that nearly every value passes. */
  readonly weak: RegExp
  /** One test for many rows: fewer tests may then be as many. */
  readonly rows: RegExp
}

const NEVER = /(?!)/

export const TEST_WORDS: Readonly<Record<Family, TestWords | null>> = {
  js: {
    assertion:
      /\bexpect(\.soft|\.poll)?\s*\(|\bassert(\.\w+)*\s*\(|\bt\.(is|not|deepEqual|equal|ok|throws|throwsAsync|true|false|like|snapshot)\s*\(|\.should\b/g,
    opener: /\b(it|test)(\.\w+)*\s*\(\s*['"`]/g,
    strong:
      /\.(toBe|toEqual|toStrictEqual|toHaveBeenCalledWith|toHaveBeenCalledTimes|toThrow|rejects|toHaveLength|toContain|toContainEqual|toMatch|toMatchObject|toBeCloseTo|toHaveProperty)\s*\(\s*[^)\s]|\.(deepEqual|deepStrictEqual|strictEqual|equal|equals|eql|throws|match|is)\s*\(/,
    weak: /\.(toBeDefined|toBeTruthy|toBeFalsy|toBeInstanceOf|toHaveBeenCalled|toBeNull|toBeUndefined|toThrow)\s*\(\s*\)|\.not\.(toBeNull|toBeUndefined|toThrow)\s*\(|\bassert(\.ok)?\s*\(|\bexpect\.(anything|any)\s*\(|\.to\.(exist|be\.ok)\b/,
    rows: /\.each\b|\bfor\s*\(|\.forEach\s*\(|\bproperty\s*\(/,
  },
  python: {
    assertion:
      /^\s*assert\b|\bself\.assert\w+\s*\(|\bpytest\.raises\b|\b(np|numpy|torch)\.testing\.assert_\w+|\.assert_(called|has|any)\w*\s*\(/g,
    opener: /^\s*(async\s+)?def\s+test\w*\s*\(/g,
    strong:
      /^\s*assert\b.*(==|!=|<|>|\bin\b|\bis\s+(?!not\s+None))|\bassert(Equal|NotEqual|Raises\w*|In|Greater\w*|Less\w*|AlmostEqual|CountEqual|\w+Equal|Regex)\s*\(/,
    weak: /^\s*assert\b.*\bis\s+not\s+None\b|^\s*assert\s+[\w.()]+\s*(,|$)|\bassert(True|IsNotNone|IsInstance)\s*\(|^\s*assert\s+isinstance\s*\(/,
    rows: /parametrize|\bsubTest\b|^\s*for\b|@given\b/,
  },
  go: {
    assertion: /\b[tb]\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(|\b(assert|require)\.\w+\s*\(/g,
    opener: /^func\s+(Test|Fuzz|Example)\w*\s*\(/g,
    strong:
      /\b(assert|require)\.(Equal\w*|Exactly|ElementsMatch|JSONEq|ErrorIs|ErrorAs|Len|Contains|InDelta)\s*\(/,
    weak: /\b(assert|require)\.(NotNil|NoError|NotEmpty|True|Error|NotPanics)\s*\(/,
    rows: /\brange\b|\bt\.Run\s*\(/,
  },
  rust: {
    assertion: /\bassert(_eq|_ne|_matches)?!\s*[([{]|\bprop_assert\w*!/g,
    opener: /#\[\s*(\w+::)*(test|rstest)\b/g,
    strong: /\bassert_(eq|ne|matches)!|\bmatches!/,
    weak: /\bassert!\s*\(\s*!?[\w.()]+\.is_(ok|some|err|none)\(\)|\bassert!\s*\(\s*!\w+\.is_empty\(\)/,
    rows: /#\[\s*case|\bproptest!|^\s*for\b/,
  },
  c: {
    assertion:
      /\b(EXPECT|ASSERT|REQUIRE|CHECK|BOOST_TEST|BOOST_CHECK|BOOST_REQUIRE|TEST_ASSERT|QVERIFY|QCOMPARE)\w*\s*\(|\bassert\s*\(/g,
    opener: /^\s*(TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE)\s*\(/g,
    strong: /_(EQ|STREQ|NEAR|DOUBLE_EQ|FLOAT_EQ|EQUAL|THROW|THROWS_AS)\s*\(|==/,
    weak: /_(TRUE|NE|NO_THROW|NOTHROW)\s*\(/,
    rows: /TEST_P|INSTANTIATE_TEST|GENERATE\s*\(|\bfor\s*\(/,
  },
  java: {
    assertion:
      /\b(assert\w*|verify|fail)\s*\(|\bAssert\.\w+\s*\(|\.should\w*\s*\(|\bshouldBe\b|\bXCTAssert\w*\s*\(/g,
    opener:
      /@(Test|ParameterizedTest|RepeatedTest)\b|\[(Fact|Theory|Test|TestMethod)\b|\bfunc\s+test\w*\s*\(|\bfunction\s+test\w*\s*\(/g,
    strong:
      /\bassert(Equals|ArrayEquals|Same|Throws|Iterable\w*|ThatThrownBy)\s*\(|\.(isEqualTo|containsExactly\w*|hasSize|isSameAs)\s*\(|\bshouldBe\b|\bEqual\s*\(/,
    weak: /\bassert(NotNull|True|DoesNotThrow)\s*\(|\.(isNotNull|isTrue|isNotEmpty)\s*\(|\bshouldNotBe\b|\b(NotNull|True)\s*\(/,
    rows: /ParameterizedTest|Theory|DataProvider|\bfor\s*\(/,
  },
  ruby: {
    assertion: /\bexpect\s*[({]|\bassert(_\w+)?\b|\brefute(_\w+)?\b|\bmust_\w+|\.should\b/g,
    opener: /^\s*(it|specify|test)\s+['"]|^\s*def\s+test_\w+/g,
    strong:
      /\b(eq|eql|equal|match_array|contain_exactly|raise_error|match)\b|\bassert_(equal|raises|in_delta|match)\b/,
    weak: /\bbe_(truthy|present)\b|\bnot_to\s+be_nil\b|\bassert_(not_nil|nothing_raised)\b|\bassert\s/,
    rows: /\.each\b|shared_examples/,
  },
  shell: {
    assertion: /^\s*(assert\w*|\[\[?|test)\s/g,
    opener: /^\s*@test\b/g,
    strong: NEVER,
    weak: NEVER,
    rows: /^\s*for\b/,
  },
  config: null,
  json: null,
}

export function countOf(pattern: RegExp, lines: readonly { readonly code: string }[]): number {
  return lines.reduce((sum, { code }) => sum + [...code.slice(0, LONGEST_LINE).matchAll(pattern)].length, 0)
}

/** Patterns here are global, for counting: a plain look must not remember where the last one ended. */
export const holds = (pattern: RegExp, code: string): boolean =>
  code.slice(0, LONGEST_LINE).search(pattern) !== -1
