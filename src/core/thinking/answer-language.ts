/**
 * Whether an answer is written in another script than what it is about. Languages that share a script are not
 * distinguished: names and code in the data would be mistaken for one.
 */
import type { Prompt } from './question.ts'

const SCRIPTS = {
  Latin: /\p{Script=Latin}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Greek: /\p{Script=Greek}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  Thai: /\p{Script=Thai}/gu,
  Hangul: /\p{Script=Hangul}/gu,
  'Chinese or Japanese': /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
} as const
type Script = keyof typeof SCRIPTS

/** Fewer letters may be a name. */
const ENOUGH = 24
const A_FEW = 6
const MAX_LETTERS = 20_000

/** Null where the answer may stand as it is. Code is Latin, so an answer in Latin letters always may. */
export function languageProblem(answer: unknown, { data }: Prompt): string | null {
  const written = mainScript(textsIn(answer).join(' '))
  if (written === null || written === 'Latin') return null
  const asked = data.map(({ text }) => text).join('\n')
  const own = lettersOf(asked.slice(0, MAX_LETTERS), written)
  if (own > 0 || mainScript(asked) === null) return null
  return `It is written in ${written} letters, which the data does not use. Answer in the language of the data.`
}

/**
 * The script that a text should be written in, like the one it is about, and has no letter of; null where it has some. Fewer
 * letters are enough than for data, which is mixed with code.
 */
export function otherScript(text: string, about: string): string | null {
  const script = mainScript(about, A_FEW)
  if (script === null || mainScript(text, A_FEW) === null) return null
  return lettersOf(text.slice(0, MAX_LETTERS), script) > 0 ? null : script
}

/** The script of most letters; null where there are too few. */
function mainScript(text: string, enough = ENOUGH): Script | null {
  const part = text.slice(0, MAX_LETTERS)
  let [most, main]: [number, Script | null] = [enough - 1, null]
  for (const script of Object.keys(SCRIPTS) as Script[]) {
    const letters = lettersOf(part, script)
    if (letters > most) [most, main] = [letters, script]
  }
  return main
}

const lettersOf = (text: string, script: Script): number => text.match(SCRIPTS[script])?.length ?? 0

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
