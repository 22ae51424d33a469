/** The syntax tree of a file. The core never parses: trees are passed in. */
import type { Language } from './languages.ts'

export interface SyntaxNode {
  /** The grammar's name: `call_expression`, or the text of a keyword or punctuation. */
  readonly kind: string
  /** Its field name in the parent. */
  readonly field: string | null
  readonly parent: SyntaxNode | null
  readonly text: string
  /** UTF-16 offsets in the text. */
  readonly start: number
  readonly end: number
  /** The line of its start, from 1. */
  readonly line: number
  /** The line of its end. */
  readonly lastLine: number
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

/** Why a file has no tree. Each completes the sentence "<path> could not be parsed: …". */
const UNREAD_REASONS = {
  no_grammar: 'no grammar for its language',
  too_large: 'the file is too large',
  timed_out: 'the parser took too long',
  crashed: 'the parser crashed',
  unavailable: 'the parser could not be started',
} as const

export interface Unread {
  readonly unread: keyof typeof UNREAD_REASONS
}

export type Parsed = SyntaxTree | Unread

export const isUnread = (parsed: Parsed): parsed is Unread => 'unread' in parsed

export const unreadReason = ({ unread }: Unread): string => UNREAD_REASONS[unread]

export const childBy = (node: SyntaxNode | null, field: string): SyntaxNode | null =>
  node?.children.find((child) => child.field === field) ?? null

/** The text of a field; empty where there is none. */
export const textBy = (node: SyntaxNode | null, field: string): string => childBy(node, field)?.text ?? ''

export const childrenBy = (node: SyntaxNode, field: string): readonly SyntaxNode[] =>
  node.children.filter((child) => child.field === field)

export const childOfKind = (node: SyntaxNode, ...kinds: readonly string[]): SyntaxNode | null =>
  node.children.find((child) => kinds.includes(child.kind)) ?? null

/** Without keywords, punctuation and comments. */
export const namedChildren = (node: SyntaxNode | null): readonly SyntaxNode[] =>
  (node?.children ?? []).filter((child) => child.isNamed && !isComment(child))

/** A comment, or the backslash of a continued line. */
export const isComment = ({ kind }: SyntaxNode): boolean => COMMENTS.has(kind)

const COMMENTS = new Set(['comment', 'line_comment', 'block_comment', 'line_continuation'])

/** The node and its descendants in text order, without descendants that are not wanted and what is below them. */
export function* walk(
  node: SyntaxNode,
  isWanted: (descendant: SyntaxNode) => boolean = () => true,
): Generator<SyntaxNode, undefined> {
  const open = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    for (let at = next.children.length - 1; at >= 0; at--) {
      const child = next.children[at]
      if (child !== undefined && isWanted(child)) open.push(child)
    }
  }
}

/** All descendants of these kinds, in text order. */
export function descendants(node: SyntaxNode, ...kinds: readonly string[]): readonly SyntaxNode[] {
  const wanted = new Set(kinds)
  return walk(node)
    .filter((one) => one !== node && wanted.has(one.kind))
    .toArray()
}

/** Whether the node or any descendant could not be parsed. */
export const hasError = (node: SyntaxNode): boolean =>
  walk(node).some(({ isError, isMissing }) => isError || isMissing)
