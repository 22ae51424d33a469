/** Splits lines into code, string literals and comments by the syntax tree. */
import type { SyntaxNode } from '../../../languages/syntax.ts'
import type { CodeLine } from '../code-lines.ts'
import type { FactReader } from './facts.ts'

interface Piece {
  readonly start: number
  readonly end: number
  readonly is: 'comment' | 'text'
}

export function linesOfTree(lines: readonly string[], code: FactReader): readonly CodeLine[] {
  const pieces = piecesOf(code)
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
      else parts.text += inside
      at = to
    }
    const rest = raw.slice(at - start)
    start = end + 1
    return { line: place + 1, raw, code: parts.code + rest, text: parts.text + rest, comment: parts.comment }
  })
}

const plainComment = (source: string): string =>
  source.replace(/^(\/\/[/!]*|\/\*+|#+!?)/, '').replace(/\*\/$/, '')

/** Comments and strings in order, without code embedded in strings. */
function piecesOf({ tree, kinds }: FactReader): readonly Piece[] {
  const pieces: Piece[] = []
  const open: SyntaxNode[] = [tree.root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (kinds.comments.has(node.kind)) {
      pieces.push({ start: node.start, end: node.end, is: 'comment' })
    } else if (kinds.texts.has(node.kind)) {
      let at = node.start
      for (const hole of node.children.filter(({ kind }) => kinds.holes.has(kind))) {
        pieces.push({ start: at, end: hole.start, is: 'text' })
        open.push(hole)
        at = hole.end
      }
      pieces.push({ start: at, end: node.end, is: 'text' })
    } else open.push(...node.children)
  }
  return pieces.sort((one, other) => one.start - other.start)
}
