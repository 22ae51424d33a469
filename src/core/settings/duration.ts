import { parseDuration } from '../../lib/text/format-time.ts'

/** Durations in settings, plans and scripts. */
export const DURATION = /^(\d+)(ms|s|m|h)$/

/** Milliseconds of `500ms`, `15s`, `5m` or `2h`; null for anything else. */
export const durationMs = (text: string): number | null => (DURATION.test(text) ? parseDuration(text) : null)
