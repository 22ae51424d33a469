/** Whether a test mentions what a criterion asks for, compared by words; in doubt no. */
import { wordsOf } from '../languages/paths.ts'

const LONGEST_CRITERION = 2_000
const LONGEST_TEXT = 256 * 1024

/** The share of a criterion's significant words that a test must contain. */
const ENOUGH = 2 / 3

/** The test must contain quoted values literally, and most of the other words. */
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

/** `'a-b'` and `"a-b"`, but not the apostrophe of a word. */
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
