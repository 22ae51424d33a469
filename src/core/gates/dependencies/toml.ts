/** TOML as plain JSON values; dates and integers beyond the safe range become strings. */
import { parse, TomlError } from 'smol-toml'
import type { Mapping } from '../documents.ts'
import type { Unreadable } from './locked.ts'

const MAX_DEPTH = 50

export function tomlOf(source: string): Mapping | Unreadable {
  try {
    const parsed = parse(source, { maxDepth: MAX_DEPTH, integersAsBigInt: 'asNeeded' })
    return JSON.parse(JSON.stringify(parsed, withoutBigInt)) as Mapping
  } catch (error) {
    // Keys with thousands of dots nest deeper than the depth limit sees, and than JSON can go.
    return {
      unreadable:
        error instanceof TomlError ? `line ${error.line} is not valid TOML` : 'it is not valid TOML',
    }
  }
}

const withoutBigInt = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value
