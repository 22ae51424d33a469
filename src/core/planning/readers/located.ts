/** The input of a reader, with parsers for YAML and JSON. */
import type { PlanDraft } from '../draft.ts'
import type { FrontMatter } from './markdown/front-matter.ts'
import type { Line } from './markdown/lines.ts'

export interface PlanText {
  /** The path as the user gave it. */
  readonly source: string
  readonly text: string
}

/** A value parsed from YAML or JSON, with the line of every path in it. */
export interface LocatedValue {
  readonly value: unknown
  readonly lineOf: (path: readonly (string | number)[]) => number
  /** The number at a path as written; null where there is none. */
  readonly numberText: (path: readonly (string | number)[]) => string | null
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

export interface TextParsers {
  readonly yaml: (text: string) => LocatedValue
  readonly json: (text: string) => LocatedValue
}

/** Parsers of YAML and JSON. */
export interface DataForms {
  readonly frontMatter: (source: string, lines: readonly Line[]) => FrontMatter
  readonly yaml: (source: string, text: string) => PlanDraft
  readonly json: (source: string, text: string) => PlanDraft
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
