/** Messages between the daemon and the parser process. */
import { languageOf, parsedText, type Grammar, type Language } from '../core/languages/languages.ts'
import type { PackedTree } from '../core/languages/packed-tree.ts'
import type { Unread } from '../core/languages/syntax.ts'
import type { FileToParse } from '../ports/parser.ts'

export interface ParseRequest {
  readonly grammar: Grammar
  readonly text: string
}

/** Larger files are data or generated code. */
const MAX_CHARACTERS = 2 * 1024 * 1024

export function requestFor({
  path,
  text,
}: FileToParse): { readonly request: ParseRequest; readonly language: Language } | Unread {
  const [firstLine] = text.slice(0, 200).split('\n', 1)
  const language = languageOf(path, firstLine)
  if (language === null || language.grammar === null) return { unread: 'no_grammar' }
  if (text.length > MAX_CHARACTERS) return { unread: 'too_large' }
  return { language, request: { grammar: language.grammar, text: parsedText(language, text) } }
}

export interface ParseAnswer {
  readonly result: PackedTree | Unread
  /** Whether it used so much memory or processor time that the daemon should replace it. */
  readonly isWorn: boolean
}
