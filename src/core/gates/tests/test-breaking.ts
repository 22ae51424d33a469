/** Breaks a test file in a way that must fail, for runners that canaries cannot use. */
import type { Ending } from '../../event-schemas/evidence.ts'
import { languageOf, type LanguageName } from '../../languages/languages.ts'
import type { CanarySeen } from './canary.ts'
import type { TestReport } from '../../test-reports/report.ts'
import { couldRun, formatEnding } from '../verdicts.ts'
import { nameOf } from '../../languages/paths.ts'

interface Inversion {
  readonly of: readonly LanguageName[]
  /** The inverted line; null if it has no known assertion. */
  readonly line: (line: string) => string | null
}

/** Of C and C++: a library's, or a macro of the project's own. */
const CHECK = /\b(assert|ck_assert|[A-Z][A-Z0-9_]+)\s*\(/
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/\b(EXPECT|ASSERT|CHECK|REQUIRE|BOOST_CHECK|BOOST_TEST)_EQ\b/, '$1_NE'],
  [/\b(EXPECT|ASSERT)_STREQ\b/, '$1_STRNE'],
  [/\bTEST_ASSERT_EQUAL\b/, 'TEST_ASSERT_NOT_EQUAL'],
  [/\b(ck_assert_(?:int|uint|str|ptr))_eq\b/, '$1_ne'],
  [/\bassert_(int|string|ptr)_equal\b/, 'assert_$1_not_equal'],
]

const INVERSIONS: readonly Inversion[] = [
  {
    of: ['c', 'cpp'],
    line: (line) => replaced(line, NAMED) ?? (CHECK.test(line) ? comparison(line, '==', '!=') : null),
  },
  {
    of: ['rust'],
    line: (line) =>
      replaced(line, [[/\bassert_eq!/, 'assert_ne!']]) ??
      (/\bassert!\s*\(/.test(line) ? comparison(line, '==', '!=') : null),
  },
  {
    of: ['go'],
    line: (line) =>
      replaced(line, [[/\b(assert|require)\.Equal\(/, '$1.NotEqual(']]) ??
      (/^\s*if\s.*\{\s*$/.test(line) ? comparison(line, '!=', '==') : null),
  },
]

/**
 * Inverts the assertions of an existing test, for languages without a runner that canaries can use. The test passed, so the
 * inverted one must fail; otherwise the suite's results do not count. Null if no assertion can be inverted.
 */
export function invertTest(path: string, text: string): string | null {
  const inversion = inversionFor(path)
  if (inversion === undefined) return null
  let isInverted = false
  const lines = text.split('\n').map((line) => {
    const now = /^\s*(\/\/|\*|\/\*|#)/.test(line) ? null : inversion.line(line)
    isInverted ||= now !== null
    return now ?? line
  })
  return isInverted ? lines.join('\n') : null
}

function inversionFor(path: string): Inversion | undefined {
  const name = languageOf(path)?.name
  return name === undefined ? undefined : INVERSIONS.find(({ of }) => of.includes(name))
}

function replaced(line: string, names: readonly (readonly [RegExp, string])[]): string | null {
  const found = names.find(([name]) => name.test(line))
  return found === undefined ? null : line.replace(...found)
}

/** Inverts a line with exactly one comparison and no `&&` or `||`, which could mask it. */
function comparison(line: string, from: '==' | '!=', to: '==' | '!='): string | null {
  const bare = line.replaceAll(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, (text) => '_'.repeat(text.length))
  const at = bare.indexOf(from)
  const isPlain = at !== -1 && at === bare.lastIndexOf(from) && !/&&|\|\|/.test(bare)
  return isPlain ? `${line.slice(0, at)}${to}${line.slice(at + from.length)}` : null
}

/** The result of the full suite with one broken test file. */
export function brokenResult(
  { ending, report }: { readonly ending: Ending; readonly report: TestReport | null },
  path: string,
  how = 'their assertions are inverted',
): CanarySeen {
  if (!couldRun(ending))
    return { kind: 'unknown', why: `the run with ${path} broken ${formatEnding(ending)}` }
  if ((report?.counts.failed ?? 0) > 0) return { kind: 'fails' }
  if (ending.kind === 'exited' && ending.code === 0) {
    return { kind: 'blind', why: `tests of ${path} pass although ${how}` }
  }
  return report === null
    ? { kind: 'fails' }
    : { kind: 'unknown', why: 'the run with broken tests reports no failure' }
}

const WHY = 'this test must fail'

/** Assertions of Node's own library that have to throw: where one was made to hold, the file does not fail. */
const SCRIPT_END = `;{
  const assert = process.getBuiltinModule('node:assert')
  const ways = [
    () => assert(false),
    () => assert.ok(false),
    () => assert.equal(1, 2),
    () => assert.strictEqual(1, 2),
    () => assert.deepStrictEqual({ a: 1 }, { a: 2 }),
  ]
  let thrown = 0
  for (const way of ways) try { way() } catch { thrown += 1 }
  if (thrown === ways.length) throw new Error('${WHY}')
}`

/** Called when the program exits, whatever it returned. */
const C_END = `#include <unistd.h>
__attribute__((destructor)) static void canary_ends_with_1(void) { _exit(1); }`

interface FailingEnd {
  readonly text: string
  /** Lines at which the program may end already: the last of them comes after what is added. */
  readonly ends?: RegExp
}

const ENDINGS: Partial<Record<LanguageName, FailingEnd>> = {
  typescript: { text: SCRIPT_END, ends: /^process\.exit\b/ },
  javascript: { text: SCRIPT_END, ends: /^process\.exit\b/ },
  python: {
    text: `raise AssertionError('${WHY}')`,
    ends: /^(if __name__\b|sys\.exit\b|exit\b|unittest\.main\b)/,
  },
  ruby: { text: `raise '${WHY}'`, ends: /^(__END__$|exit\b)/ },
  perl: { text: `die '${WHY}';`, ends: /^(__END__$|__DATA__$|exit\b)/ },
  shell: { text: 'exit 1', ends: /^exit\b/ },
  php: { text: `throw new \\Exception('${WHY}');`, ends: /^(\?>|exit\b|die\b)/ },
  c: { text: C_END },
  cpp: { text: C_END },
}
/** Files that the table of languages does not know. */
const BY_EXTENSION: readonly (readonly [RegExp, FailingEnd])[] = [
  [/\.lua$/, { text: `error('${WHY}')`, ends: /^(return\b|os\.exit\b)/ }],
  [/\.t$/, { text: `die '${WHY}';`, ends: /^(__END__$|__DATA__$|exit\b)/ }],
]

/** Part of several files. */
const HEADER = /\.(h|hh|hpp|hxx|inl)$/

/**
 * A statement that makes a test file's own program fail at its end, for suites that are judged by their exit code alone. It
 * shows that the file runs, that its program reaches its end, and that its failure reaches the exit code of the suite. Null if
 * it is not known how a file of this language fails.
 */
export function withFailingEnd(path: string, text: string): string | null {
  const ending = endingFor(path, text)
  if (ending === undefined || HEADER.test(path)) return null
  const lines = text.split('\n')
  const { ends, text: end } = ending
  const at = ends === undefined ? -1 : lines.findLastIndex((line) => ends.test(line))
  return at === -1 ? `${text}\n${end}\n` : [...lines.slice(0, at), end, ...lines.slice(at)].join('\n')
}

function endingFor(path: string, text: string): FailingEnd | undefined {
  const name = languageOf(path, text.split('\n', 1)[0])?.name
  const known = name === undefined ? undefined : ENDINGS[name]
  return known ?? BY_EXTENSION.find(([names]) => names.test(nameOf(path)))?.[1]
}
