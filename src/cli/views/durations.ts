/** Parses and formats times for the command line. */
import { formatDuration, parseDuration } from '../../lib/text/format-time.ts'

export const ago = (timestamp: string, now: number): string => formatDuration(now - Date.parse(timestamp))

/** Parses `1h` (ago) or a date; null for anything else. */
export function momentOf(text: string, now: number): number | null {
  const ms = parseDuration(text)
  if (ms !== null) return Math.max(0, now - ms)
  const at = Date.parse(text)
  return /^\d{4}-/.test(text) && Number.isFinite(at) ? at : null
}

/** `2026-01-05 09:00:07Z`. */
export const moment = (timestamp: string): string => timestamp.replace('T', ' ').replace(/\.\d+Z$/, 'Z')
