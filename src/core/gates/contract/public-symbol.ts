/** The public interface of a file, in one form for all languages: names, and the text of their signatures in parts. */

export interface Parameter {
  /** Empty for a pattern, or where only a type is written; `...`, `*` and `**` take the rest. */
  readonly name: string
  /** Empty if not declared. */
  readonly type: string
  readonly isOptional: boolean
  readonly passedBy: 'place' | 'name' | 'either'
}

export interface PublicSymbol {
  /** The name that callers use: `slugify`, `Shop.open`, `GET /todos`. */
  readonly name: string
  readonly line: number
  /** On one line, for people. */
  readonly signature: string
  /** Null if it is not callable. */
  readonly parameters: readonly Parameter[] | null
  /** What stands around the name: modifiers, type parameters, bases. */
  readonly words: string
  /** What it returns, is or stands for; empty if that is not declared. */
  readonly type: string
}

/** A re-exported name: `name` is its name here, `*` stands for all. */
export interface PassedOn {
  readonly name: string
  readonly from: string
  readonly original: string
  readonly line: number
}

export interface FileApi {
  readonly symbols: readonly PublicSymbol[]
  readonly passedOn: readonly PassedOn[]
  /** Why the file could not be read completely; empty if it could. */
  readonly doubts: readonly string[]
  /** The text of parse errors in declarations. */
  readonly unparsed: readonly string[]
  /** Whether the file has any parse error, even in a function body. */
  readonly hasErrors: boolean
}

/** What a reader finds in a syntax tree. */
export type TreeApi = Pick<FileApi, 'symbols' | 'passedOn' | 'unparsed'>

export const NO_API: FileApi = { symbols: [], passedOn: [], doubts: [], unparsed: [], hasErrors: false }

export const symbolOf = (
  given: Pick<PublicSymbol, 'name' | 'line'> & Partial<PublicSymbol>,
): PublicSymbol => {
  const signature = given.signature ?? given.name
  return {
    parameters: null,
    words: '',
    type: '',
    ...given,
    signature: signature.length > LONGEST ? `${signature.slice(0, LONGEST)}…` : signature,
  }
}

const LONGEST = 200
