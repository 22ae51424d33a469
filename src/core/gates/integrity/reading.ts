/** Prepares a change for tripwires: added and removed lines, calls and tests of programs. */
import { languageOf, type Family } from '../../languages/languages.ts'
import { isUnread, unreadReason, walk, type Parsed } from '../../languages/syntax.ts'
import { beyond, linesBefore, type Change, type ChangedFile, type ChangeTrees } from '../change.ts'
import { brokenParts, ancestors, type BrokenPart } from './syntax/around.ts'
import { FactReader, firstIn, linesOf, type Fact, type Lines } from './syntax/facts.ts'
import { NODE_KINDS } from './syntax/node-kinds.ts'
import { marksIn, marksOnLines, type Mark } from './wires/test-marks.ts'
import { isDocPath, isLockPath, nameOf, segmentsOf } from '../../languages/paths.ts'
import { isBaseTest, protectionOf } from './protected-names.ts'

export interface FreshLine extends CodeLine {
  /** A source file may contain tests too. */
  readonly role: Role
}

export interface RemovedCodeLine extends CodeLine {
  readonly role: Role
  /** Its current position. */
  readonly at: number
}

export interface FreshFact extends Fact {
  readonly role: Role
  /** Its first added line. */
  readonly line: number
  readonly raw: string
}

export interface Reading {
  readonly file: ChangedFile
  readonly path: string
  readonly family: Family
  readonly role: Role
  /** An entry point of a program. */
  readonly isEntry: boolean
  /** Test input. */
  readonly isFixture: boolean
  readonly now: readonly CodeLine[]
  /** Added lines, without moved ones. */
  readonly added: readonly FreshLine[]
  /** Removed lines, without moved ones. */
  readonly removed: readonly RemovedCodeLine[]
  /** Null if there is no grammar; then rules on lines apply. */
  readonly code: FactReader | null
  /** The file as it was, alike. */
  readonly old: FactReader | null
  /** Facts of statements with added lines. */
  readonly around: readonly Fact[]
  /** Facts on added lines. */
  readonly fresh: readonly FreshFact[]
  /** Tests and assertions: all that are and were there, and those on added and removed lines. */
  readonly marks: {
    readonly before: readonly Mark[]
    readonly now: readonly Mark[]
    readonly added: readonly Mark[]
    readonly removed: readonly Mark[]
  }
  /** Added calls that could not be parsed. */
  readonly broken: readonly BrokenPart[]
}

const MAX_FILES = 5_000
/** Larger changes take too long to check and are not written by hand. */
export const MAX_ADDED = 50_000

/** Files with code, in the order of the change. */
export function readChange(change: Change, trees: ChangeTrees): readonly Reading[] {
  const files = change.files.filter(({ isBinary }) => !isBinary).slice(0, MAX_FILES)
  if (codeLinesIn(files) > MAX_ADDED) return []
  const sides = files.flatMap((file): readonly Sides[] => {
    const { path } = file
    const before = linesBefore(file) ?? []
    const family = familyOf(path, file.lines?.[0] ?? before[0] ?? '')
    if (family === null || isData(path, family)) return []
    const old = sideOf(file.removed.length === 0 ? [] : before, family, trees.before(path), roleOf(path))
    const now = sideOf(file.lines ?? [], family, trees.after(path), roleOf(path))
    return [{ file, family, old, now }]
  })
  const added = sides.flatMap(({ file, now }) => linesAt(now, file.added))
  const removed = sides.flatMap(({ file, old }) => linesAt(old, file.removed))
  const kept = new Set([...beyond(added, removed, lineKey), ...beyond(removed, added, lineKey)])
  return sides.map((both) => readingOf(both, kept))
}

const linesAt = ({ lines }: Side, places: readonly { readonly line: number }[]): readonly CodeLine[] =>
  places.flatMap(({ line }) => lines[line - 1] ?? [])

/**
 * A line that was removed here and added there was moved or indented anew, and counts as neither. What was a string before
 * and is code now did not move.
 */
const lineKey = ({ raw, code }: CodeLine): string => `${code.trim()}\n${raw.trim()}`

/** Values that a program reads. */
const isData = (path: string, family: Family): boolean => family === 'json' && roleOf(path) !== 'settings'

/** The number of added lines of code. */
export function codeLinesIn(files: readonly ChangedFile[]): number {
  return files.reduce((sum, { path, lines, added }) => {
    const family = familyOf(path, lines?.[0] ?? '')
    return family === null || isData(path, family) ? sum : sum + added.length
  }, 0)
}

/** One side of a file. */
interface Side {
  readonly lines: readonly CodeLine[]
  readonly code: FactReader | null
  readonly marks: readonly Mark[]
  readonly roleAt: (line: number) => Role
  readonly unread: string | null
}

/** Null if the file has no tree. */
export function factReader(family: Family, parsed: Parsed | null): FactReader | null {
  const kinds = NODE_KINDS[family]
  return parsed === null || isUnread(parsed) || kinds === undefined ? null : new FactReader(parsed, kinds)
}

function sideOf(text: readonly string[], family: Family, parsed: Parsed | null, role: Role): Side {
  const code = factReader(family, parsed)
  const isLost = family in NODE_KINDS && parsed !== null && isUnread(parsed) && parsed.unread !== 'no_grammar'
  const lines = codeLines(text, family, code)
  const tests = role === 'source' && code !== null ? testLines(code) : []
  const hasTests = (role === 'test' || tests.length > 0) && lines.length > 0
  return {
    lines,
    code,
    marks: !hasTests ? [] : code === null ? marksOnLines(lines, family) : marksIn(code, family),
    roleAt: (line) => (tests.some(({ from, to }) => line >= from && line <= to) ? 'test' : role),
    unread: isLost ? unreadReason(parsed) : null,
  }
}

interface Sides {
  readonly file: ChangedFile
  readonly family: Family
  readonly old: Side
  readonly now: Side
}

/** `kept`: the lines that were not moved. */
function readingOf({ file, family, old, now }: Sides, kept: ReadonlySet<CodeLine>): Reading {
  const { path, lines } = file
  const role = roleOf(path)
  const added = linesAt(now, file.added)
    .filter((line) => kept.has(line))
    .map((line) => ({ ...line, role: now.roleAt(line.line) }))
  const removed = file.removed.flatMap(({ line, at }) =>
    linesAt(old, [{ line }])
      .filter((one) => kept.has(one))
      .map((one) => ({ ...one, at, role: old.roleAt(line) })),
  )
  const addedLines = new Set(added.map(({ line }) => line))
  const removedLines = new Set(removed.map(({ line }) => line))
  const around = now.code === null ? [] : now.code.factsAround(addedLines)
  const fresh = (around ?? []).flatMap((fact): readonly FreshFact[] => {
    const line = firstIn(fact.head, addedLines)
    return line === null ? [] : [{ ...fact, line, role: now.roleAt(line), raw: lines?.[line - 1] ?? '' }]
  })
  const ofTests = ({ marks, roleAt }: Side, some: ReadonlySet<number>): readonly Mark[] =>
    marks.filter(({ reach }) => {
      const line = firstIn(reach, some)
      return line !== null && roleAt(line) === 'test'
    })
  const unread =
    (addedLines.size > 0 ? (now.unread ?? (around === null ? 'it is too large' : null)) : null) ??
    (removedLines.size > 0 && role === 'test' ? old.unread : null)
  return {
    file,
    path,
    family,
    role,
    isEntry: isEntry(path, lines?.[0] ?? '', now.lines),
    isFixture: isFixture(path),
    now: now.lines,
    added,
    removed,
    code: now.code,
    old: old.code,
    around: around ?? [],
    fresh,
    marks: {
      before: old.marks,
      now: now.marks,
      added: ofTests(now, addedLines),
      removed: ofTests(old, removedLines),
    },
    broken:
      unread === null
        ? brokenParts(now.code, addedLines)
        : [{ line: null, text: `could not be parsed: ${unread}` }],
  }
}

/** Lines of a source file that contain tests: `#[cfg(test)] mod …` of Rust, `if (import.meta.vitest) …`. */
function testLines(code: FactReader): readonly Lines[] {
  if (!/\bcfg\s*\(\s*test\b|\bimport\.meta\??\.vitest\b/.test(code.tree.text)) return []
  const { decorators, comments } = code.kinds
  return code.facts.flatMap(({ kind, name, args, node, head }): readonly Lines[] => {
    if (kind === 'decorator' && name === 'cfg' && args?.[0]?.text === 'test') {
      const siblings = node.parent?.children ?? []
      const item = siblings
        .slice(siblings.indexOf(node) + 1)
        .find((one) => one.isNamed && !decorators.has(one.kind) && !comments.has(one.kind))
      return [{ from: head.from, to: item?.lastLine ?? head.to }]
    }
    if (kind !== 'use' || !/^import\.meta\.vitest\b/.test(name)) return []
    const block = ancestors(node).find((one) => one.kind === 'if_statement')
    return block === undefined ? [] : [linesOf(block)]
  })
}

/** Settings files. */
const SETTINGS: readonly (readonly [RegExp, Family])[] = [
  [/^\.(eslint|nyc|c8|mocha|prettier|babel)rc$/, 'json'],
  [
    /\.(ini|cfg|conf|properties|mk|cmake)$|^(gnu)?makefile$|^\.?justfile$|^dockerfile|^jenkinsfile$|^cmakelists\.txt$|^\.(coveragerc|flake8|pylintrc|rspec)$/,
    'config',
  ],
]

/** Null for prose, data and lock files, which do not run. */
export function familyOf(path: string, firstLine: string): Family | null {
  if (isLockPath(path)) return null
  const name = nameOf(path).toLowerCase()
  const settings = SETTINGS.find(([names]) => names.test(name))
  if (settings !== undefined) return settings[1]
  return languageOf(path, isDocPath(path) ? '' : firstLine)?.family ?? null
}

/** `settings` determine how the rest is judged. */
export type Role = 'test' | 'settings' | 'source'

export function roleOf(path: string): Role {
  const protection = protectionOf(path)
  if (protection !== null && protection.kind !== 'agent_settings' && protection.kind !== 'tools')
    return 'settings'
  return isBaseTest(path) ? 'test' : 'source'
}

/** Entry points of programs, which may read arguments and exit. */
function isEntry(path: string, firstLine: string, lines: readonly { readonly text: string }[]): boolean {
  const segments = segmentsOf(path.toLowerCase())
  const name = segments.at(-1) ?? ''
  if (segments.slice(0, -1).some((folder) => /^(bin|cmd|cli|scripts?|tools?|bench|examples?)$/.test(folder)))
    return true
  if (/^(main|cli|__main__|manage|setup|build|entry|run)[.-]/.test(name)) return true
  if (firstLine.startsWith('#!')) return true
  return lines.some(({ text }) => ENTRY_LINE.test(text.slice(0, 300)))
}

const ENTRY_LINE =
  /require\.main\s*===?\s*module|import\.meta\.main|import\.meta\.(url|filename)\b.*argv|__name__\s*==\s*['"]__main__|\bint main\s*\(|^func main\(|^(pub )?fn main\(|static void main\s*\(|\$0\s*==\s*__FILE__|__FILE__\s*==\s*\$/

/** Programs that are test input; their code neither proves nor weakens anything. */
export function isFixture(path: string): boolean {
  return segmentsOf(path.toLowerCase())
    .slice(0, -1)
    .some((folder) => /^(__)?(fixtures?|testdata|samples?|corpus|golden|snapshots|mocks)(__)?$/.test(folder))
}

export interface CodeLine {
  /** From 1. */
  readonly line: number
  readonly raw: string
  /** Without comments and strings. */
  readonly code: string
  /** Without comments, with strings. Without a tree, multi-line strings are left out. */
  readonly text: string
  /** The text of its comments. */
  readonly comment: string
}

/** A part of the text that is not code. */
interface Piece {
  readonly start: number
  readonly end: number
  readonly is: 'comment' | 'text' | 'hidden'
}

const LONGEST_LINE = 20_000

/** Splits lines into code, string literals and comments: by the syntax tree or, without a grammar, by patterns. */
export function codeLines(
  lines: readonly string[],
  family: Family,
  code: FactReader | null,
): readonly CodeLine[] {
  if (code !== null) return splitLines(lines, treePieces(code))
  const cut = lines.map((line) => line.slice(0, LONGEST_LINE))
  return splitLines(cut, matchedPieces(cut.join('\n'), HASH_FAMILIES.has(family) ? HASH_STYLE : SLASH_STYLE))
}

/** `pieces` in order. */
function splitLines(lines: readonly string[], pieces: readonly Piece[]): readonly CodeLine[] {
  let [start, next] = [0, 0]
  return lines.map((raw, place) => {
    const end = start + raw.length
    const parts = { code: '', text: '', comment: '' }
    let at = start
    while (next > 0 && (pieces[next - 1]?.end ?? 0) > start) next -= 1
    for (; next < pieces.length; next++) {
      const piece = pieces[next]
      if (piece === undefined || piece.start >= end) break
      const [from, to] = [Math.max(piece.start, start), Math.min(piece.end, end)]
      if (to <= from) continue
      const [between, inside] = [raw.slice(at - start, from - start), raw.slice(from - start, to - start)]
      parts.code += between
      parts.text += between
      if (piece.is === 'comment') parts.comment += plainComment(inside)
      if (piece.is === 'text') parts.text += inside
      at = to
    }
    const rest = raw.slice(at - start)
    start = end + 1
    return { line: place + 1, raw, code: parts.code + rest, text: parts.text + rest, comment: parts.comment }
  })
}

const plainComment = (source: string): string =>
  source.replace(/^(\/\/[/!]*|\/\*+|#+!?)/, '').replace(/\*\/$/, '')

/** Comments and strings, without code embedded in strings. */
function treePieces(code: FactReader): readonly Piece[] {
  const { comments, texts, holes } = code.kinds
  const pieces: Piece[] = []
  for (const { kind, start, end, children } of walk(code.tree.root, (node) => code.isCode(node))) {
    if (comments.has(kind)) pieces.push({ start, end, is: 'comment' })
    if (!texts.has(kind)) continue
    let at = start
    for (const hole of children.filter((child) => holes.has(child.kind))) {
      pieces.push({ start: at, end: hole.start, is: 'text' })
      at = hole.end
    }
    pieces.push({ start: at, end, is: 'text' })
  }
  return pieces.sort((one, other) => one.start - other.start)
}

const HASH_FAMILIES: ReadonlySet<Family> = new Set(['python', 'ruby', 'shell', 'config'])
/** `$#` and `a#b` are not comments in a shell. */
const HASH_STYLE = new RegExp(
  [
    String.raw`(?<comment>(?<![^\s;(])#[^\n]*)`,
    String.raw`(?<text>"(?:\\[^\n]|[^"\\\n])*"?|'(?:\\[^\n]|[^'\\\n])*'?)`,
  ].join('|'),
  'g',
)
/** C, Java and their relatives, with text blocks and the `R"x(…)x"` of C++. A `'` quotes a single character. */
const SLASH_STYLE = new RegExp(
  [
    String.raw`(?<comment>^#!(?!\[)[^\n]*|//[^\n]*|/\*[^]*?(?:\*/|$))`,
    String.raw`"""(?:\\[^]|[^\\])*?(?:"""|$)`,
    String.raw`(?<!\w)(?:u8|[uUL])?R"(?<mark>[^\s()\\]{0,16})\([^]*?(?:\)\k<mark>"|$)`,
    String.raw`(?<text>"(?:\\[^\n]|[^"\\\n])*"?|'(?:\\[^'\n]{1,10}|\\'|[^'\\\n])')`,
  ].join('|'),
  'g',
)

const matchedPieces = (text: string, style: RegExp): readonly Piece[] =>
  [...text.matchAll(style)].map(({ 0: { length }, index, groups }) => {
    const is =
      groups?.['comment'] !== undefined ? 'comment' : groups?.['text'] !== undefined ? 'text' : 'hidden'
    return { start: index, end: index + length, is }
  })
