/**
 * Findings of a linter or compiler in a form that can be compared between trees: each line without numbers, prefixed with
 * its file, and its count. Numbers are dropped because line numbers move with every change.
 */

export interface KnownFindings {
  /** Count per line. */
  readonly lines: Readonly<Record<string, number>>
  /** Totals that the tool prints ("12 errors"), by noun: some tools list only the first few findings. */
  readonly totals: Readonly<Record<string, number>>
}

export interface ToolOutput {
  readonly text: string
  /** Paths of the checkout, which are removed from the lines. */
  readonly folders: readonly string[]
}

const NOUN = '(error|warning|problem|issue|finding|violation|offense|failure)s?'
const TOTAL = new RegExp(`\\b(\\d+) ${NOUN}\\b`, 'gi')
/** Quoted source lines around a finding, and the marks below them. */
const SHOWN_SOURCE = /^\s*(\d+\s*)?[|│]|^[\s|│]*[\^~─-]+\s*$|^\s*[>→]\s*\d+\s*[|│]/u

export function knownFindings({ text, folders }: ToolOutput): KnownFindings {
  const lines = new Map<string, number>()
  const totals = new Map<string, number>()
  let above = ''
  for (const raw of text.split('\n')) {
    const plain = withoutFolders(raw, folders).trimEnd()
    if (plain.trim() === '' || SHOWN_SOURCE.test(plain)) continue
    for (const [, count, noun] of plain.matchAll(TOTAL))
      add(totals, (noun ?? '').toLowerCase(), Number(count))
    const isIndented = /^\s/.test(plain)
    const line = withoutNumbers(plain.trim())
    // Some tools print the file name once and list its findings indented below.
    if (!isIndented) above = line
    add(lines, isIndented ? `${above} › ${line}` : line, 1)
  }
  return { lines: Object.fromEntries(lines), totals: Object.fromEntries(totals) }
}

/** Findings that are new, as the tool prints them but without numbers. */
export function newFindings(now: KnownFindings, before: KnownFindings): readonly string[] {
  const added = Object.entries(now.lines).flatMap(([line, count]) => {
    const more = count - (before.lines[line] ?? 0)
    if (more <= 0) return []
    return [more === 1 ? line : `${line} (${more} times more)`]
  })
  const totals = Object.entries(now.totals).flatMap(([noun, count]) => {
    const known = before.totals[noun] ?? 0
    return count > known ? [`${count} ${noun}s in all, ${known} at the start commit`] : []
  })
  return [...added, ...totals]
}

/** What any of two runs found: tools that end in a hurry do not print everything each time. */
export const foundByEither = (one: KnownFindings, other: KnownFindings): KnownFindings => ({
  lines: higherCounts(one.lines, other.lines),
  totals: higherCounts(one.totals, other.totals),
})

type Counts = Readonly<Record<string, number>>

const higherCounts = (one: Counts, other: Counts): Counts => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([key, count]) => [key, Math.max(count, one[key] ?? 0)] as const),
  ),
})

function withoutFolders(line: string, folders: readonly string[]): string {
  let plain = line
  for (const folder of folders) if (folder !== '') plain = plain.replaceAll(`${folder}/`, '')
  return plain
}

/** Singular and plural totals count as the same line. */
const withoutNumbers = (line: string): string =>
  line
    .replace(/\d+/g, '#')
    .replace(/# (\w+?)s\b/g, '# $1')
    .replace(/\s+/g, ' ')

const add = (counts: Map<string, number>, key: string, more: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + more)
