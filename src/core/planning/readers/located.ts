/** Text given to a reader, and the parsers it may call for what is not Markdown. */

export interface PlanText {
  /** The path as the user gave it. */
  readonly source: string
  readonly text: string
}

/** A value parsed from YAML or JSON, with the line of every path in it. */
export interface LocatedValue {
  readonly value: unknown
  readonly lineOf: (path: readonly (string | number)[]) => number
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

export interface TextParsers {
  readonly yaml: (text: string) => LocatedValue
  readonly json: (text: string) => LocatedValue
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
