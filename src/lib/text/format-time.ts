/** Moments and durations as people read and write them. Pure: the clock and the zone come in as arguments. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** As JSON has moments: `2026-01-04T10:04:00.000Z`. */
export const iso = (at: number): string => new Date(at).toISOString()

/** `10:04` in UTC, and `2026-01-04 10:04` where `now` is on another day. */
export function formatMoment(at: number, now: number): string {
  const [day, time] = minuteOf(at)
  return day === minuteOf(now)[0] ? time : `${day} ${time}`
}

function minuteOf(at: number): readonly [day: string, time: string] {
  const text = iso(at)
  return [text.slice(0, -14), text.slice(-13, -8)]
}

/** From here on hours say nothing more. */
const LONG_DAYS = 10

/** `45s`, `12m`, `2h 5m`, `3d 4h`, `12d`. Anything longer than nothing is at least `1s`. */
export function formatDuration(ms: number): string {
  if (ms < MINUTE) return `${Math.max(ms > 0 ? 1 : 0, Math.floor(ms / SECOND))}s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`
  if (ms < DAY) return twoParts(ms, [HOUR, 'h'], [MINUTE, 'm'])
  return ms < LONG_DAYS * DAY ? twoParts(ms, [DAY, 'd'], [HOUR, 'h']) : `${Math.floor(ms / DAY)}d`
}

type Unit = readonly [ms: number, name: string]

function twoParts(ms: number, [whole, name]: Unit, [part, partName]: Unit): string {
  const rest = Math.floor((ms % whole) / part)
  return `${Math.floor(ms / whole)}${name}${rest === 0 ? '' : ` ${rest}${partName}`}`
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY }

/** Milliseconds of `500ms`, `15s`, `5m`, `2h` or `7d`; null for anything else. */
export function parseDuration(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? []
  const unitMs = UNIT_MS[unit]
  return unitMs === undefined ? null : Number(count) * unitMs
}
