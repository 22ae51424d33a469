/** The syntax tree of a file. The core never parses: trees are passed in. */
import type { Language } from './languages.ts'

export interface SyntaxNode {
  /** The grammar's name: `call_expression`, or the text of a keyword or punctuation. */
  readonly kind: string
  /** Its field name in the parent. */
  readonly field: string | null
  /** UTF-16 offsets in the text. */
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly line: number
  /** False for keywords and punctuation. */
  readonly isNamed: boolean
  /** The text here could not be parsed. */
  readonly isError: boolean
  /** Inserted by the parser for error recovery; it has no text. */
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

/** Completes the sentence "<path> could not be parsed: …". */
export function unreadReason({ unread }: Unread): string {
  switch (unread) {
    case 'no_grammar':
      return 'no grammar for its language'
    case 'too_large':
      return 'the file is too large'
    case 'timed_out':
      return 'the parser took too long'
    case 'crashed':
      return 'the parser crashed'
    case 'unavailable':
      return 'the parser could not be started'
  }
}

export const textOf = (tree: SyntaxTree, node: SyntaxNode): string => tree.text.slice(node.start, node.end)

export const childBy = (node: SyntaxNode | null, field: string): SyntaxNode | null =>
  node?.children.find((child) => child.field === field) ?? null

export const childrenBy = (node: SyntaxNode, field: string): readonly SyntaxNode[] =>
  node.children.filter((child) => child.field === field)

export const childOfKind = (node: SyntaxNode, ...kinds: readonly string[]): SyntaxNode | null =>
  node.children.find((child) => kinds.includes(child.kind)) ?? null

/** Without keywords, punctuation and comments. */
export const namedChildren = (node: SyntaxNode | null): readonly SyntaxNode[] =>
  (node?.children ?? []).filter((child) => child.isNamed && !isComment(child))

/** A comment, or the backslash of a continued line. */
export const isComment = ({ kind }: SyntaxNode): boolean => COMMENTS.has(kind)

const COMMENTS: ReadonlySet<string> = new Set([
  'comment',
  'line_comment',
  'block_comment',
  'line_continuation',
])

/** All descendants of these kinds, in text order. */
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

/** Whether the node or any descendant could not be parsed. */
export function hasError(node: SyntaxNode): boolean {
  const open = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.isError || next.isMissing) return true
    open.push(...next.children)
  }
  return false
}
