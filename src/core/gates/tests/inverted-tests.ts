/**
 * Inverts the assertions of an existing test, for languages without a runner that canaries can use. The test passed, so the
 * inverted one must fail; otherwise the suite's results do not count.
 */
import type { Ending } from '../../event-schemas/evidence.ts'
import { languageOf, type LanguageName } from '../../languages/languages.ts'
import type { CanarySeen } from './canary.ts'
import type { TestReport } from '../../test-reports/report.ts'
import { couldRun, formatEnding } from '../verdicts.ts'

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

/** Null if no assertion can be inverted. */
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

export const canInvert = (path: string): boolean => inversionFor(path) !== undefined

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
