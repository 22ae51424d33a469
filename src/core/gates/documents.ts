/** Parsed JSON, TOML and YAML documents, read without trusting their shape. */
import type { LocatedValue } from '../planning/readers/schema-problems.ts'

/** A parsed document with the line of every path. */
export type ParsedDocument = Pick<LocatedValue, 'value' | 'lineOf' | 'errors'>

export type DocumentParser = (text: string) => ParsedDocument

export type Mapping = Readonly<Record<string, unknown>>
export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const mapping = (value: unknown): Mapping => (isMapping(value) ? value : {})
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A JSON object; null if the text is none. */
export function jsonObject(source: string): Mapping | null {
  try {
    const value: unknown = JSON.parse(source)
    return isMapping(value) ? value : null
  } catch {
    // Callers say what a file that is not JSON means to them.
    return null
  }
}
