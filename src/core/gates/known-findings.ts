/**
 * What a linter or a compiler reports, in a form that two trees can be compared by: each line without its numbers, under
 * the file that it belongs to, and how often it comes. Line numbers move with every change; what is found does not.
 */

export interface KnownFindings {
  /** How often each line comes. */
  readonly lines: Readonly<Record<string, number>>
  /** What the tool says in sum ("12 errors"), by noun: some print only the first few of what they find. */
  readonly totals: Readonly<Record<string, number>>
}

export interface ToolOutput {
  readonly text: string
  /** What the checkout is called: a path in it is told from its root. */
  readonly folders: readonly string[]
}

const NOUN = '(error|warning|problem|issue|finding|violation|offense|failure)s?'
const TOTAL = new RegExp(`\\b(\\d+) ${NOUN}\\b`, 'gi')
/** Lines of source that are shown around a finding, and the marks below them. */
const SHOWN_SOURCE = /^\s*(\d+\s*)?[|│]|^[\s|│]*[\^~─-]+\s*$|^\s*[>→]\s*\d+\s*[|│]/u

export function knownFindings({ text, folders }: ToolOutput): KnownFindings {
  const lines = new Map<string, number>()
  const totals = new Map<string, number>()
  let above = ''
  for (const raw of text.split('\n')) {
    const told = withoutFolders(raw, folders).trimEnd()
    if (told.trim() === '' || SHOWN_SOURCE.test(told)) continue
    for (const [, count, noun] of told.matchAll(TOTAL)) add(totals, (noun ?? '').toLowerCase(), Number(count))
    const isIndented = /^\s/.test(told)
    const line = withoutNumbers(told.trim())
    // Some tools name the file once, and what they found in it below.
    if (!isIndented) above = line
    add(lines, isIndented ? `${above} › ${line}` : line, 1)
  }
  return { lines: Object.fromEntries(lines), totals: Object.fromEntries(totals) }
}

/** What is reported now and was not before: in the words of the tool, without numbers. */
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

function withoutFolders(line: string, folders: readonly string[]): string {
  let told = line
  for (const folder of folders) if (folder !== '') told = told.replaceAll(`${folder}/`, '')
  return told
}

/** A sum in the singular is the same line as one in the plural. */
const withoutNumbers = (line: string): string =>
  line
    .replace(/\d+/g, '#')
    .replace(/# (\w+?)s\b/g, '# $1')
    .replace(/\s+/g, ' ')

const add = (counts: Map<string, number>, key: string, more: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + more)
