/** Finds conflict markers in a change, as git writes them: all three in order, each at the start of a line. */
import type { Finding } from '../event-schemas/evidence.ts'
import { isTestPath } from '../languages/paths.ts'
import type { Change, ChangedFile } from './change.ts'
import type { ChangeTrees } from './change-trees.ts'
import { codeLines } from './integrity/code-lines.ts'
import { familyOf, isFixture } from './integrity/file-roles.ts'
import { factReader } from './integrity/reading.ts'
import { blocking, note } from './verdicts.ts'

const OPENS = /^<{7}( |$)/
/** The divider stands alone on its line, like the underline of a heading. */
const DIVIDES = /^={7}$/
const CLOSES = /^>{7}( |$)/

/** The lines of one conflict's markers. */
interface Markers {
  readonly opens: number
  readonly divides: number
  readonly closes: number
}

/** The files that may have markers; only those have to be parsed. */
export const filesWithMarkers = ({ files }: Change): readonly ChangedFile[] =>
  files.filter((file) => !file.isBinary && file.kind !== 'deleted' && markersIn(file).length > 0)

export function conflictMarkers(change: Change, trees: Pick<ChangeTrees, 'after'>): readonly Finding[] {
  return filesWithMarkers(change).flatMap((file) => {
    const found = markersIn(file)
    const isShown = shownLines(file, trees)
    return found.map(({ opens, divides, closes }) => {
      const isQuoted = isFixtureFile(file) || [opens, divides, closes].every(isShown)
      const weigh = isQuoted ? note : blocking
      const text = isQuoted ? 'conflict markers, quoted' : 'conflict markers; resolve the conflict'
      return weigh(`${text} (lines ${opens}, ${divides} and ${closes})`, file.path, opens)
    })
  })
}

function markersIn({ added }: ChangedFile): readonly Markers[] {
  const found: Markers[] = []
  let opens: number | null = null
  let divides: number | null = null
  for (const { line, text } of added) {
    const plain = text.endsWith('\r') ? text.slice(0, -1) : text
    if (OPENS.test(plain)) {
      opens = line
      divides = null
    } else if (opens !== null && divides === null && DIVIDES.test(plain)) {
      divides = line
    } else if (opens !== null && divides !== null && CLOSES.test(plain)) {
      found.push({ opens, divides, closes: line })
      opens = null
      divides = null
    }
  }
  return found
}

/** Test fixtures about conflicts. */
const isFixtureFile = ({ path }: ChangedFile): boolean =>
  isFixture(path) && (isTestPath(path) || familyOf(path, '') === null)

/** Lines in code blocks of documents or in string literals. */
function shownLines(
  { path, lines }: ChangedFile,
  { after }: Pick<ChangeTrees, 'after'>,
): (line: number) => boolean {
  const all = lines ?? []
  if (/\.(md|mdx|markdown)$/i.test(path)) {
    const fenced = fencedLines(all)
    return (line) => fenced.has(line)
  }
  const family = familyOf(path, all[0] ?? '')
  if (family === null || family === 'config' || family === 'json') return () => false
  const code = codeLines(all, family, factReader(family, after(path)))
  return (line) => {
    const here = code[line - 1]
    return here !== undefined && here.code.trim() === '' && here.comment.trim() === ''
  }
}

function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fenced = new Set<number>()
  let fence: string | null = null
  for (const [at, text] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(text)
    if (fence === null) fence = mark?.[1] ?? null
    else if (mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === '') fence = null
    else fenced.add(at + 1)
  }
  return fence === null ? fenced : new Set()
}
