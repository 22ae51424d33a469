/** Normalizes source text to one line, independent of its layout. */
import {
  childBy,
  isComment,
  namedChildren,
  textOf,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'

export interface Piece {
  readonly kind: 'word' | 'string' | 'number' | 'mark' | 'directive'
  readonly text: string
}

const NO_GAP_BEFORE: ReadonlySet<string> = new Set(', ; ) ] } > . ? : ( [ < ::'.split(' '))
const NO_GAP_AFTER: ReadonlySet<string> = new Set("( [ { < . ... :: ! & * @ ~ '".split(' '))
const GAP_AROUND: ReadonlySet<string> = new Set(['|', '=>', '->', '='])

export function lineOf(pieces: readonly Piece[]): string {
  let line = ''
  let before: Piece | undefined
  for (const piece of pieces) {
    if (before !== undefined && hasGap(before, piece)) line += ' '
    line += piece.kind === 'string' ? plainString(piece.text) : piece.text
    before = piece
  }
  return line
}

function hasGap(before: Piece, after: Piece): boolean {
  if (before.kind !== 'mark' && after.kind !== 'mark') return true
  if (GAP_AROUND.has(after.text) || GAP_AROUND.has(before.text)) return true
  if (after.kind === 'mark' && NO_GAP_BEFORE.has(after.text)) return false
  return !(before.kind === 'mark' && NO_GAP_AFTER.has(before.text))
}

/** 'a' and "a" are equal. */
function plainString(text: string): string {
  const inner = /^"((?:[^"'\\\n])*)"$/.exec(text)?.[1]
  return inner === undefined ? text : `'${inner}'`
}

/** The text of nodes on one line, without comments. */
export const nodeLine = (tree: SyntaxTree, ...nodes: readonly SyntaxNode[]): string =>
  lineOf(piecesOf(tree, nodes))

/** The named children of a field, each on one line. */
export const childLines = (tree: SyntaxTree, node: SyntaxNode, field: string): readonly string[] =>
  namedChildren(childBy(node, field)).map((child) => nodeLine(tree, child))

/** A field on one line; null if the node has none. */
export function fieldLine(tree: SyntaxTree, node: SyntaxNode, field: string): string | null {
  const child = childBy(node, field)
  return child === null ? null : nodeLine(tree, child)
}

/** String nodes of all grammars. */
const STRINGS: ReadonlySet<string> = new Set([
  'string',
  'template_string',
  'template_literal_type',
  'regex',
  'interpreted_string_literal',
  'raw_string_literal',
  'rune_literal',
  'string_literal',
  'char_literal',
])
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}', '>'])

/** Iterative, because large unions are deeply nested. */
export function piecesOf(tree: SyntaxTree, nodes: readonly SyntaxNode[]): readonly Piece[] {
  const pieces: Piece[] = []
  const open: (SyntaxNode | Piece)[] = [...nodes].reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!('children' in next)) pieces.push(next)
    else if (isComment(next)) continue
    else if (STRINGS.has(next.kind)) pieces.push({ kind: 'string', text: textOf(tree, next) })
    else if (next.children.length === 0) pieces.push(...leafPieces(textOf(tree, next)))
    else open.push(...partsOf(next).reverse())
  }
  return pieces
}

function partsOf(node: SyntaxNode): (SyntaxNode | Piece)[] {
  const children = node.children.filter((child) => !isComment(child))
  if (node.kind !== 'object_type')
    return children.filter((child, at) => !isIdle(node, child, children[at + 1]))
  // Members may be separated by commas, semicolons or newlines.
  const members = children.filter((child) => child.isNamed)
  return [
    mark('{'),
    ...members.flatMap((member, at) => (at === 0 ? [member] : [mark(';'), member])),
    mark('}'),
  ]
}

/** Drops trailing commas and leading union marks. */
function isIdle(node: SyntaxNode, child: SyntaxNode, next: SyntaxNode | undefined): boolean {
  if (child.kind === ',') return next !== undefined && CLOSING.has(next.kind)
  const isUnion = node.kind === 'union_type' || node.kind === 'intersection_type'
  return isUnion && child.start === node.start && !child.isNamed
}

const mark = (text: string): Piece => ({ kind: 'mark', text })

const MARKS = /\.\.\.|\.\.=|\.\.|=>|->|<-|::|:=|\?\.|\?\?|\*\*|\/\/|[=!<>]=|[+|]=|./gsu

function leafPieces(text: string): readonly Piece[] {
  if (text === '') return []
  if (/^#?[\p{L}\p{Nl}_$]/u.test(text)) return [{ kind: 'word', text }]
  if (/^\d/.test(text)) return [{ kind: 'number', text }]
  return (text.match(MARKS) ?? []).map(mark)
}
