/** Whether a test names what a criterion asks for. A look at words: it can miss one, and in doubt it says no. */
import { wordsOf } from '../languages/paths.ts'

const LONGEST_CRITERION = 2_000
const LONGEST_TEXT = 256 * 1024

/** Of the words that matter in a criterion, how many a test has to share. */
const ENOUGH = 2 / 3

/** Values in quotes stand in the test as they are written; of the other words most do. */
export function isNamedIn(criterion: string, texts: readonly string[]): boolean {
  const asked = criterion.slice(0, LONGEST_CRITERION)
  const text = texts.join('\n').slice(0, LONGEST_TEXT)
  const values = quotedValues(asked)
  if (!values.every((value) => text.includes(value))) return false
  const words = [...new Set(wordsOf(asked).filter(matters).map(stem))]
  if (words.length === 0) return values.length > 0
  const known = new Set(wordsOf(text).map(stem))
  const shared = words.filter((word) => known.has(word)).length
  return shared / words.length >= ENOUGH
}

/** `'a-b'` and `"a-b"`; an apostrophe within a word begins nothing. */
const quotedValues = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w'])'([^'\n]{1,80})'(?!\w)|"([^"\n]{1,80})"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )

const matters = (word: string): boolean => /^\d+$/.test(word) || (word.length > 2 && !COMMON.has(word))

const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word)

const COMMON: ReadonlySet<string> = new Set(
  (
    'the and for are with that this from into when then than not can its has have was were will must should ' +
    'there returns return given each every all any'
  ).split(' '),
)
