import type { Parsed } from '../core/languages/syntax.ts'

export interface FileToParse {
  /** Its name determines the language. */
  readonly path: string
  readonly text: string
}

/**
 * Parses files of the languages in core/languages/languages.ts.
 * - `parse` returns a result for every path and never rejects: a file that has no grammar, is too large, or takes too
 *   much time or memory is Unread, and the others of the same call are still parsed.
 * - Invalid text gives a tree too, with error nodes.
 * - Of two files with the same path the last one counts.
 */
export interface Parser {
  parse(files: readonly FileToParse[]): Promise<ReadonlyMap<string, Parsed>>
}
