export const DURATION = /^(\d+)(ms|s|m|h)$/
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of `500ms`, `15s`, `5m` or `2h`; null for anything else. */
export function durationMs(text: string): number | null {
  const match = DURATION.exec(text)
  const unit = UNIT_MS[match?.[2] ?? '']
  return match === null || unit === undefined ? null : Number(match[1]) * unit
}
