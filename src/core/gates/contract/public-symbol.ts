/** The public interface of a file, in one form for all languages. */
import { oneLine } from '../../../lib/text/one-line.ts'

export interface Parameter {
  /** Empty where the language has none, or the author wrote a pattern. */
  readonly name: string
  /** Null if not declared. */
  readonly type: string | null
  /** `rest` takes any number; `named` can only be passed by name. */
  readonly need: 'required' | 'optional' | 'rest' | 'named' | 'named_optional'
  /** Callers may pass it by name, so the name is part of the interface. */
  readonly isNamed?: boolean
}

export interface PublicSymbol {
  /** The name that callers use: `slugify`, `Shop.open`, `GET /todos`. */
  readonly name: string
  readonly kind: SymbolKind
  readonly line: number
  /** On one line, for people. */
  readonly signature: string
  /** Null if it is not callable. */
  readonly parameters: readonly Parameter[] | null
  /** The return type, or the type of a value; null if not declared. */
  readonly type: string | null
  /** `<T extends X = Y>`, one per parameter. */
  readonly typeParameters: readonly string[]
  /** Modifiers that matter to callers: `async`, `static`, `abstract`, `readonly`. */
  readonly modifiers: readonly string[]
  /** Base classes, interfaces, traits. */
  readonly bases: readonly string[]
  /** The value of a constant, if it is part of the interface. */
  readonly value: string | null
}

export type SymbolKind = 'function' | 'class' | 'type' | 'value' | 'member' | 'macro' | 'endpoint' | 'module'

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

export const NO_API: FileApi = {
  symbols: [],
  passedOn: [],
  doubts: [],
  unparsed: [],
  hasErrors: false,
}

export function symbolOf(
  given: Pick<PublicSymbol, 'name' | 'kind' | 'line'> & Partial<PublicSymbol>,
): PublicSymbol {
  const whole = {
    signature: given.name,
    parameters: null,
    type: null,
    typeParameters: [],
    modifiers: [],
    bases: [],
    value: null,
    ...given,
  }
  return { ...whole, signature: cutText(oneLine(whole.signature), LONGEST) }
}

const LONGEST = 200

export const cutText = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text

/** `name: type`; the name alone if no type is declared. */
export const withType = (name: string, type: string | null, mark = ': '): string =>
  type === null ? name : `${name}${mark}${type}`

/** `<A, B>`; nothing if there are none. */
export const genericText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `<${names.join(', ')}>`
