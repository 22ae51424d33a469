/** A row of evidence, and how its words are found; and words that are quoted twice, once misspelt. */

export interface EvidenceRow {
  readonly pattern: RegExp
  readonly weight: number
  /** As in the reason "mentions a crash". */
  readonly what: string
}

export const any = (...parts: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${parts.join('|')})(?![\\p{L}\\p{N}_-])`, 'iu')

/** Words of languages that do not put spaces between them. */
export const anywhere = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'u')

const QUOTED = /["“„«'`]([\p{L}][\p{L} ’-]{2,38}[\p{L}])[!?.]?["”“»'`]/gu
const MOST_QUOTED = 20
/** Two letters swapped are two edits. */
const MOST_EDITS = 2

/** The two spellings, as written; null where no two quoted words are nearly the same. */
export function misspeltIn(prose: string): string | null {
  const words = [...prose.slice(0, 2000).matchAll(QUOTED)].map(([, word = '']) => word).slice(0, MOST_QUOTED)
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    if (next === undefined) break
    const isSame = word.toLowerCase() === next.toLowerCase()
    if (!isSame && word.length >= 5 && edits(word.toLowerCase(), next.toLowerCase()) <= MOST_EDITS)
      return `“${word}”, “${next}”`
  }
  return null
}

/** Levenshtein's distance. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of one.split('').entries()) {
    const next = [at + 1]
    for (const [column, against] of other.split('').entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === against ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
