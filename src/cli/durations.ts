/** How long something took or is ago, in as few letters as tell it. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d`
}

export const ago = (timestamp: string, now: number): string => shortDuration(now - Date.parse(timestamp))

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of `90m`; null for what is no length of time, or none at all. */
export function durationIn(said: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(said) ?? []
  const ms = Number(count) * (UNITS[unit] ?? 0)
  return ms > 0 ? ms : null
}

/** The moment that `1h` ago or a date means; null for what is neither. */
export function momentOf(said: string, now: number): number | null {
  const [, count = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(said) ?? []
  const size = UNITS[unit]
  if (size !== undefined) return now - Number(count) * size
  const at = Date.parse(said)
  return /^\d{4}-/.test(said) && Number.isFinite(at) ? at : null
}

/** `10:42:07`, in the reader's own time. */
export function timeOfDay(timestamp: string): string {
  const at = new Date(timestamp)
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
