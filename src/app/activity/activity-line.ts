import type { ActivityLine } from '../../protocol/answers.ts'

/** A line of an activity log. Null for what is none: a person may have edited the file. */
export function readActivityLine(text: string): ActivityLine | null {
  try {
    const line: unknown = JSON.parse(text)
    return isLine(line) ? line : null
  } catch {
    // Readers get the number of unreadable lines.
    return null
  }
}

function isLine(value: unknown): value is ActivityLine {
  if (typeof value !== 'object' || value === null) return false
  const { timestamp, event, data } = value as Partial<Record<string, unknown>>
  return (
    typeof timestamp === 'string' && typeof event === 'string' && typeof data === 'object' && data !== null
  )
}
