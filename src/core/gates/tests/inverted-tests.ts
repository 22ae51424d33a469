/**
 * A test that says the opposite of what it says. Where a language knows no runner that a test could be put behind, one
 * that is there is turned: its checks held, so they must fail now, or nothing that is reported of it counts.
 */
import type { Ending } from '../../event-schemas/evidence.ts'
import { languageOf, type LanguageName } from '../../languages/languages.ts'
import type { CanarySeen } from './canary.ts'
import type { TestReport } from '../../test-reports/report.ts'

interface Turn {
  readonly of: readonly LanguageName[]
  /** The line turned; null where it holds no check that is known. */
  readonly line: (line: string) => string | null
}

const CHECK =
  /\b(assert|CHECK|REQUIRE|EXPECT|ASSERT|EXPECT_TRUE|ASSERT_TRUE|TEST_ASSERT|TEST_ASSERT_TRUE|ck_assert)\s*\(/
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/\b(EXPECT|ASSERT|CHECK|REQUIRE|BOOST_CHECK|BOOST_TEST)_EQ\b/, '$1_NE'],
  [/\b(EXPECT|ASSERT)_STREQ\b/, '$1_STRNE'],
  [/\bTEST_ASSERT_EQUAL\b/, 'TEST_ASSERT_NOT_EQUAL'],
  [/\b(ck_assert_(?:int|uint|str|ptr))_eq\b/, '$1_ne'],
  [/\bassert_(int|string|ptr)_equal\b/, 'assert_$1_not_equal'],
]

const TURNS: readonly Turn[] = [
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

/** Null where there is no check in it that can be turned. */
export function turnedTest(path: string, text: string): string | null {
  const turn = turnFor(path)
  if (turn === undefined) return null
  let isTurned = false
  const lines = text.split('\n').map((line) => {
    const now = /^\s*(\/\/|\*|\/\*|#)/.test(line) ? null : turn.line(line)
    isTurned ||= now !== null
    return now ?? line
  })
  return isTurned ? lines.join('\n') : null
}

function turnFor(path: string): Turn | undefined {
  const name = languageOf(path)?.name
  return name === undefined ? undefined : TURNS.find(({ of }) => of.includes(name))
}

export const canBeTurned = (path: string): boolean => turnFor(path) !== undefined

function replaced(line: string, names: readonly (readonly [RegExp, string])[]): string | null {
  const found = names.find(([name]) => name.test(line))
  return found === undefined ? null : line.replace(...found)
}

/** One comparison, and nothing that could make up for it: half of an `||` says nothing when it is turned. */
function comparison(line: string, from: '==' | '!=', to: '==' | '!='): string | null {
  const bare = line.replaceAll(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, (text) => '_'.repeat(text.length))
  const at = bare.indexOf(from)
  const isPlain = at !== -1 && at === bare.lastIndexOf(from) && !/&&|\|\|/.test(bare)
  return isPlain ? `${line.slice(0, at)}${to}${line.slice(at + from.length)}` : null
}

/** What the whole suite showed with one file of it turned. */
export function turnedSeen(
  { ending, report }: { readonly ending: Ending; readonly report: TestReport | null },
  path: string,
): CanarySeen {
  if (ending.kind !== 'exited') return { kind: 'unknown', why: 'their run did not end by itself' }
  if ((report?.counts.failed ?? 0) > 0) return { kind: 'fails' }
  if (ending.code === 0) {
    return { kind: 'blind', why: `those of ${path} pass, though every check in them says the opposite` }
  }
  return report === null ? { kind: 'fails' } : { kind: 'unknown', why: 'their run names none that failed' }
}
