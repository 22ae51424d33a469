/** Times as people give them to a command, and as tables show them. */
import { formatDuration, parseDuration } from '../../lib/text/format-time.ts'

export const ago = (timestamp: string, now: number): string => formatDuration(now - Date.parse(timestamp))

/** The moment that `1h` (ago) or a date names; null for anything else. */
export function momentOf(text: string, now: number): number | null {
  const ms = parseDuration(text)
  if (ms !== null) return Math.max(0, now - ms)
  const at = Date.parse(text)
  return /^\d{4}-/.test(text) && Number.isFinite(at) ? at : null
}
