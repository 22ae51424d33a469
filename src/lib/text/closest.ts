/** The candidate that was most likely meant, in any case, or null: at most a third of the letters may differ. */
export function closest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null
  let least = Math.floor(Math.max(word.length, 3) / 3) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1
      const least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + change)
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(swapped ? Math.min(least, at(beforeLast, j - 2) + 1) : least)
    }
    beforeLast = last
    last = row
  }
  return at(last, to.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
