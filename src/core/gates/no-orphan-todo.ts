/** Gate 5: a TODO must name its follow-up task, and conflict markers are never allowed. */
import { counted } from '../../lib/text/counted.ts'
import type { Finding } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { idSlug, taskName } from '../planning/ids.ts'
import { isDocPath, isLockPath, isTestPath } from '../languages/paths.ts'
import type { Change, ChangeTrees, ChangedFile } from './change.ts'
import { blocking, note, verdict } from './verdicts.ts'
import { codeLines, familyOf, isFixture, factReader } from './integrity/reading.ts'

export interface TodoFacts {
  readonly change: Change
  /** At least of files with conflict markers. */
  readonly trees: Pick<ChangeTrees, 'after'>
  /** Ids of later tasks; called only if there is a TODO. */
  readonly followUps: () => readonly string[]
  /** Findings of earlier runs that a person has let through. */
  readonly letThrough?: readonly LetThrough[]
}

/** A TODO that a person has let through, with its reason, when its task was held up by it. */
export interface LetThrough {
  readonly file: string
  /** The finding, with the line that it is about. */
  readonly text: string
  readonly by: string
}

const WORD = /(?<![\w-])(TODO|FIXME|HACK|XXX)(?![\w-])/g

export function noOrphanTodo({ change, trees, followUps, letThrough = [] }: TodoFacts): Verdict {
  let known: readonly { readonly id: string; readonly tokens: readonly string[] }[] | null = null
  const names = () => (known ??= followUps().map((id) => ({ id, tokens: tokensFor(id) })))
  const findings: Finding[] = []
  for (const file of change.files) {
    if (isLockPath(file.path) || file.isBinary) continue
    const isDoc = isDocPath(file.path)
    for (const { line, text } of file.added) {
      const word = isDoc ? markerInProse(text) : markerInCode(text)
      if (word === null) continue
      const task = names().find(({ tokens }) => tokens.some((token) => hasToken(text, token)))
      const orphan = `${word} without a follow-up task: ${text.trim()}`
      const known = letThrough.find((one) => one.file === file.path && one.text === orphan)
      findings.push(
        task !== undefined
          ? note(`${word}, followed up by ${taskName(task.id)}`, file.path, line)
          : known !== undefined
            ? note(`${orphan} (let through by ${known.by})`, file.path, line)
            : blocking(orphan, file.path, line),
      )
    }
  }
  const conflicts = conflictMarkers(change, trees)
  const [conflict, ...more] = conflicts.filter(({ weight }) => weight === 'blocks')
  const orphans = findings.filter(({ weight }) => weight === 'blocks').length
  const left =
    findings.length === 0
      ? 'no TODO was left'
      : `${counted(findings.length, 'TODO')} with a follow-up task${letThrough.length === 0 ? '' : ' or let through by a person'}`
  findings.push(...conflicts)
  if (conflict !== undefined) {
    const places = more.length > 0 ? `, and in ${more.length} more places` : ''
    const summary = `conflict markers left in ${conflict.file}:${conflict.line}${places}`
    return verdict('no_orphan_todo', 'failed', summary, { findings })
  }
  if (orphans > 0) {
    return verdict('no_orphan_todo', 'failed', `${counted(orphans, 'TODO')} without a follow-up task`, {
      findings,
    })
  }
  return verdict('no_orphan_todo', 'passed', left, { findings })
}

/** Ways to write a follow-up: `task-7`, `task 7`, `#7`, `(7)`. */
function tokensFor(id: string): readonly string[] {
  const forms = [...new Set([id.toLowerCase(), idSlug(id)])]
  const name = taskName(id)
  return [
    name,
    ...forms.flatMap((form) => [`task ${form}`, `task-${form}`, `#${form}`, `(${form})`, `[${form}]`]),
  ]
}

/** Whether the text contains the token, not as part of a longer one. */
function hasToken(text: string, token: string): boolean {
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(token); at !== -1; at = lower.indexOf(token, at + 1)) {
    const [before, after] = [lower.charAt(at - 1), lower.charAt(at + token.length)]
    const isBracketed = token.startsWith('(') || token.startsWith('[')
    if (isBracketed || (!/[\w-]/.test(before) && !/[\w-]/.test(after))) return true
  }
  return false
}

/** Comments and bare words count; string literals do not, unless they announce missing work. */
function markerInCode(text: string): string | null {
  for (const match of text.matchAll(WORD)) {
    const quoted = stringAround(text, match.index)
    if (quoted === null || isStub(quoted) || isCommented(text, match.index)) return match[0]
  }
  return null
}

/** `'TODO: implement'` is a stub; `'TODO list'` is a title. */
function isStub(quoted: string): boolean {
  return /^\s{0,9}(TODO|FIXME|HACK|XXX)\s{0,9}(:|$|-\s|not |implement|add |finish|write |handle )/i.test(
    quoted,
  )
}

/** A comment mark right before the word: a stray apostrophe can make a comment look like a string. */
function isCommented(text: string, at: number): boolean {
  return /(\/\/+|#+|\/\*+|<!--|--)\s*$/.test(text.slice(Math.max(0, at - 12), at))
}

/** A comment, or a string literal with its contents. */
const COMMENT_OR_STRING = /(?:\/\/|\/\*|<!--|(?<=^| )#).*|(["'`])((?:\\.|(?!\1)[^\\])*)\1/g

/** The string literal around a position, or null. Quotes in comments do not count. */
function stringAround(text: string, place: number): string | null {
  const found = [...text.matchAll(COMMENT_OR_STRING)].find(
    ({ 0: { length }, index }) => index < place && index + length > place,
  )
  return found?.[2] ?? null
}

/** In prose the word is a marker if it starts a line or item, or is followed by a colon or a name. */
function markerInProse(text: string): string | null {
  const line = text.slice(0, 2_000)
  const leading = /^[\s>*+\-#\d.[\]x]{0,20}(TODO|FIXME|HACK|XXX)\b(?!`)/.exec(line)
  if (leading !== null) return leading[1] ?? null
  const named = /(?<![\w`/])(TODO|FIXME|HACK|XXX)(?=[:(])/.exec(line)
  return named?.[1] ?? null
}

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

/** Finds conflict markers in a change, as git writes them: all three in order, each at the start of a line. */
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
