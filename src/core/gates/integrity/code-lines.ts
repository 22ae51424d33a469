/** Splits lines into code, string literals and comments: by the syntax tree or, without a grammar, by patterns. */
import type { Family } from '../../languages/languages.ts'
import { walk } from '../../languages/syntax.ts'
import type { FactReader } from './syntax/facts.ts'

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
