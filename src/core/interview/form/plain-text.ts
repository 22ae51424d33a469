/** Text that a person typed, made plain: one line, without Markdown, control characters and decoration. */

/** Lower case, straight quotes, single spaces: what phrases are compared with. */
export const normalised = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019`\u00b4]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()

/** The same without punctuation around it, so that "OK!" is "ok". */
export const bare = (text: string): string =>
  normalised(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

// Controls, and characters that hide or reorder text.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]+/gu
/** What would start a heading, list, quote, comment or rule at the start of a line. */
const DECORATION = /^(?:[\s#>*+|=~_-]+|\[[ xX]?\]\s*|\d{1,3}[.)]\s+|<!--)+/

/** One line that can stand in a spec: nothing in it starts Markdown, and it is at most `most` characters long. */
export function plainLine(text: string, most: number): string {
  const line = text
    .replace(UNPRINTABLE, ' ')
    .replace(/<!--|-->/g, ' ')
    .replace(/\*\*|__|`{2,}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(DECORATION, '')
    .trim()
  return clipped(line, most)
}

/** Cut at a word, with an ellipsis. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  const at = cut.lastIndexOf(' ')
  return `${(at > most / 2 ? cut.slice(0, at) : cut).trimEnd()}…`
}

export const withoutStop = (text: string): string => text.replace(/[\s.;:,]+$/, '')

export const capitalised = (text: string): string => {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}

/** Whether there is a word in it at all, in any script. */
export const hasWords = (text: string): boolean => /\p{L}{2}|[\p{Lo}]/u.test(text)

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by can do does for from has have i if in into is it its me my need of on or our please ' +
    'should so some that the their them then there they this to too us want we will with would you your also just only ' +
    'der die das ein eine und oder ich wir soll sollen auch im auf mit für den dem es ist bitte'
  ).split(' '),
)

/** The words that carry meaning, without endings for the plural. */
export function keywords(text: string): ReadonlySet<string> {
  const words = normalised(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    words
      .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
      .map((word) => word.replace(/(?<=\w{3})s$/, '')),
  )
}

/** The part of the words of `wanted` that `text` has: 0 to 1. */
export function overlap(wanted: string, text: string): number {
  const words = keywords(wanted)
  if (words.size === 0) return 0
  const there = keywords(text)
  return [...words].filter((word) => there.has(word)).length / words.size
}
