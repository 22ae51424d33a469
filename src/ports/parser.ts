import type { Parsed } from '../core/languages/syntax.ts'

export interface FileToParse {
  /** Its name tells the language. */
  readonly path: string
  readonly text: string
}

/**
 * Parses files of the languages in core/languages/languages.ts.
 * - `parse` answers for every path and never rejects: a file that has no grammar, is too large, or that the parser takes
 *   too long or too much memory for is Unread, and the others of the same call are parsed nevertheless.
 * - Broken text gives a tree too, with error nodes where it is broken.
 * - Of two files with the same path the last one counts.
 */
export interface Parser {
  parse(files: readonly FileToParse[]): Promise<ReadonlyMap<string, Parsed>>
}
