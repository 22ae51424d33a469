/** What others may use of a file, in the same form for every language. */

export interface Parameter {
  /** Empty where the language has none, or the author wrote a pattern. */
  readonly name: string
  /** Null where it is not said. */
  readonly type: string | null
  /** `rest` takes any number; `named` can only be passed by its name. */
  readonly need: 'required' | 'optional' | 'rest' | 'named' | 'named_optional'
  /** Callers may pass it by its name, so its name is part of the contract. */
  readonly isNamed?: boolean
}

export interface PublicSymbol {
  /** As it is called by those who use it: `slugify`, `Shop.open`, `GET /todos`. */
  readonly name: string
  readonly kind: SymbolKind
  readonly line: number
  /** On one line, as people read it. */
  readonly signature: string
  /** Null for what cannot be called. */
  readonly parameters: readonly Parameter[] | null
  /** What a call gives, or the type of a value; null where it is not said. */
  readonly type: string | null
  /** `<T extends X = Y>`, one a parameter. */
  readonly typeParameters: readonly string[]
  /** Words that change how it is used: `async`, `static`, `abstract`, `readonly`. */
  readonly modifiers: readonly string[]
  /** What it is made on: base classes, interfaces, traits. */
  readonly bases: readonly string[]
  /** A constant's value, where it is part of the contract. */
  readonly value: string | null
}

export type SymbolKind = 'function' | 'class' | 'type' | 'value' | 'member' | 'macro' | 'endpoint' | 'module'

/** A name that this file passes on from another: `name` is what it is called here, `*` stands for all. */
export interface PassedOn {
  readonly name: string
  readonly from: string
  readonly original: string
  readonly line: number
}

export interface FileApi {
  readonly symbols: readonly PublicSymbol[]
  readonly passedOn: readonly PassedOn[]
  /** Why not everything could be read; empty where it could. */
  readonly doubts: readonly string[]
  /** The text of what could not be parsed where a declaration stands, or may stand. */
  readonly unparsed: readonly string[]
  /** Whether anything in the file could not be parsed, be it in the body of a function. */
  readonly hasErrors: boolean
}

export const NO_API: FileApi = {
  symbols: [],
  passedOn: [],
  doubts: [],
  unparsed: [],
  hasErrors: false,
}

export function symbolOf(
  said: Pick<PublicSymbol, 'name' | 'kind' | 'line'> & Partial<PublicSymbol>,
): PublicSymbol {
  const whole = {
    signature: said.name,
    parameters: null,
    type: null,
    typeParameters: [],
    modifiers: [],
    bases: [],
    value: null,
    ...said,
  }
  return { ...whole, signature: cutSignature(whole.signature) }
}

const LONGEST = 200
const cutSignature = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}
