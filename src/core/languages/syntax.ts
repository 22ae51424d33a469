/** The syntax tree of a file, as a parser read it. The core never parses: trees are passed in. */
import type { Language } from './languages.ts'

export interface SyntaxNode {
  /** The grammar's name for it: `call_expression`, or the text itself of a keyword or mark. */
  readonly kind: string
  /** Its field name in the parent. */
  readonly field: string | null
  /** UTF-16 offsets in the text. */
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly line: number
  /** Keywords and marks are not. */
  readonly isNamed: boolean
  /** What stands here could not be parsed. */
  readonly isError: boolean
  /** The parser put it in, so that the rest could be parsed; it has no text. */
  readonly isMissing: boolean
  readonly children: readonly SyntaxNode[]
}

export interface SyntaxTree {
  readonly language: Language
  readonly text: string
  readonly root: SyntaxNode
}

/** Why a file has no tree. */
export interface Unread {
  readonly unread: 'no_grammar' | 'too_large' | 'timed_out' | 'crashed' | 'unavailable'
}

export type Parsed = SyntaxTree | Unread

export const isUnread = (parsed: Parsed): parsed is Unread => 'unread' in parsed

/** Ends the sentence "<path> could not be parsed: …". */
export function unreadReason({ unread }: Unread): string {
  switch (unread) {
    case 'no_grammar':
      return 'there is no grammar for its language'
    case 'too_large':
      return 'it is too large'
    case 'timed_out':
      return 'the parser took too long'
    case 'crashed':
      return 'the parser crashed'
    case 'unavailable':
      return 'the parser could not be started'
  }
}

export const textOf = (tree: SyntaxTree, node: SyntaxNode): string => tree.text.slice(node.start, node.end)

export const childBy = (node: SyntaxNode, field: string): SyntaxNode | null =>
  node.children.find((child) => child.field === field) ?? null

export const childrenBy = (node: SyntaxNode, field: string): readonly SyntaxNode[] =>
  node.children.filter((child) => child.field === field)

export const childOfKind = (node: SyntaxNode, ...kinds: readonly string[]): SyntaxNode | null =>
  node.children.find((child) => kinds.includes(child.kind)) ?? null

/** Keywords, marks and comments left out. */
export const namedChildren = (node: SyntaxNode): readonly SyntaxNode[] =>
  node.children.filter((child) => child.isNamed && !isComment(child))

/** A comment, or the backslash before a line that goes on. */
export const isComment = ({ kind }: SyntaxNode): boolean => COMMENTS.has(kind)

const COMMENTS: ReadonlySet<string> = new Set([
  'comment',
  'line_comment',
  'block_comment',
  'line_continuation',
])

/** All nodes of these kinds below a node, in the order of the text. */
export function descendants(node: SyntaxNode, ...kinds: readonly string[]): readonly SyntaxNode[] {
  const wanted = new Set(kinds)
  const found: SyntaxNode[] = []
  const open = [...node.children].reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (wanted.has(next.kind)) found.push(next)
    for (let at = next.children.length - 1; at >= 0; at--) open.push(next.children[at] as SyntaxNode)
  }
  return found
}

/** Whether anything in it, itself included, could not be parsed. */
export function hasError(node: SyntaxNode): boolean {
  const open = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.isError || next.isMissing) return true
    open.push(...next.children)
  }
  return false
}
