/** Parses when a provider can be used again, in the forms that providers use. */
import type { Instant } from '../../state/state.ts'

/** The moment and the time zones that a text refers to. */
export interface ReadAt {
  readonly now: Instant
  /** The offset of a zone from UTC at that time; null for an unknown name. Without a name, the local zone. */
  readonly offsetMs: (zone: string | null, at: Instant) => number | null
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** No provider limits for longer; such a time was misread. */
export const LONGEST_LIMIT_MS = 7 * DAY

/** Words after which a moment is the one that is sought; an agent that is `retrying` speaks of itself. */
const AFTER = String.raw`\b(?:resets?|(?:re)?try(?!ing)|again|until|available|renews?|expires?)`

/** The reset time in the text; null where there is none, or where it has passed or is implausibly far off. */
export function resetTime(text: string, at: ReadAt): Instant | null {
  for (const read of [epoch, seconds, duration, isoTime, httpDate, timeOfDay]) {
    const until = read(text, at)
    if (until !== null) return until > at.now && until <= at.now + LONGEST_LIMIT_MS ? until : null
  }
  return null
}

/** `usage limit reached|1763215200`, `"resets_at": 1763215200123`, `x-ratelimit-reset: 1763215200`. */
function epoch(text: string): Instant | null {
  const found = /(?:\||reset[\w-]*["']?\s*[:=]?\s*)(\d{13}|\d{10})(?!\d)/i.exec(text)?.[1]
  if (found === undefined) return null
  return found.length === 13 ? Number(found) : Number(found) * 1000
}

/** `Retry-After: 120`, `"resets_in_seconds": 3600`: seconds without a unit. */
function seconds(text: string, { now }: ReadAt): Instant | null {
  const header = /retry-after(?:-seconds)?["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)(?![\w.])/i.exec(text)?.[1]
  const field = /(?:resets?|retry)_(?:in|after)(?:_seconds)?["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)(?![\w.])/i
  const found = header ?? field.exec(text)?.[1]
  return found === undefined ? null : now + Math.ceil(Number(found) * 1000)
}

const UNIT_MS: Readonly<Record<string, number>> = { d: DAY, h: HOUR, m: 60_000, s: 1000 }
const AMOUNT = String.raw`(\d+(?:\.\d+)?)\s*(milliseconds?|ms|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])`

/** `try again in 2h 15m`, `reset after 3h12m5s`, `"retryDelay": "34.5s"`. */
function duration(text: string, { now }: ReadAt): Instant | null {
  const amounts = String.raw`(?:${AMOUNT}[\s,]{0,3}(?:and\s)?){1,5}`
  const pattern = new RegExp(
    String.raw`${AFTER}\w{0,12}[\s"':-]{0,4}(?:in|after)?[\s"':=]{0,4}(${amounts})`,
    'i',
  )
  const found = pattern.exec(text)?.[1]
  if (found === undefined) return null
  let ms = 0
  for (const [, amount, unit = ''] of found.matchAll(new RegExp(AMOUNT, 'gi')))
    ms += Number(amount) * (/^m(s|illi)/i.test(unit) ? 1 : (UNIT_MS[unit.charAt(0).toLowerCase()] ?? 0))
  return ms > 0 ? now + Math.ceil(ms) : null
}

function isoTime(text: string): Instant | null {
  const time = String.raw`(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?\s*(?:Z|UTC|([+-])(\d\d):?(\d\d))?`
  const found = new RegExp(String.raw`${AFTER}[^\n]{0,40}?${time}`, 'i').exec(text)
  if (found === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const [sign, hours, minutes] = found.slice(7)
  const eastMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return Date.UTC(year, month - 1, day, hour, minute, second) - (sign === '-' ? -eastMs : eastMs)
}

/** `Retry-After: Sun, 15 Nov 2026 14:00:00 GMT`. */
function httpDate(text: string): Instant | null {
  const found = /[a-z]{3}, (\d\d) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/i.exec(text)
  if (found === null) return null
  const [, day, month = '', year, hour, minute, second] = found
  const clock = [hour, minute, second].map(Number) as [number, number, number]
  return Date.UTC(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day), ...clock)
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `resets at 3pm (Europe/Berlin)`, `resets Nov 18, 3:30pm (UTC)`, `try again at 15:00`. */
function timeOfDay(text: string, at: ReadAt): Instant | null {
  const date = String.raw`(?:(${MONTHS.join('|')})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:\d{4},?\s+)?(?:at\s+)?)?`
  const clock = String.raw`(\d{1,2})(?::(\d\d))?\s*(am|pm)?(?![\w:])`
  const pattern = new RegExp(
    String.raw`${AFTER}\s+(?:at\s+|on\s+)?${date}${clock}(?:\s*\(([\w/+-]+)\))?`,
    'i',
  )
  const found = pattern.exec(text)
  if (found === null) return null
  const [, month, day, hours = '', minutes, half, zone = null] = found
  // A number alone is no time of day.
  if (minutes === undefined && half === undefined) return null
  const clocked = { hour: hourOf(Number(hours), half?.toLowerCase()), minute: Number(minutes ?? 0) }
  if (clocked.hour > 23 || clocked.minute > 59) return null
  const days = month === undefined ? null : { month: MONTHS.indexOf(month.toLowerCase()), day: Number(day) }
  return nextSuch({ ...clocked, date: days, zone }, at)
}

const hourOf = (hour: number, half: string | undefined): number =>
  half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)

interface WallTime {
  readonly hour: number
  readonly minute: number
  readonly date: { readonly month: number; readonly day: number } | null
  readonly zone: string | null
}

/** The next moment at which clocks in that zone show this. */
function nextSuch({ hour, minute, date, zone }: WallTime, { now, offsetMs }: ReadAt): Instant | null {
  const offset = offsetMs(zone, now)
  if (offset === null) return null
  const clockMs = hour * HOUR + minute * 60_000
  const today = Math.floor((now + offset) / DAY) * DAY
  const year = 1970 + Math.floor(today / (365.2425 * DAY))
  const days =
    date === null ? [today, today + DAY] : [-1, 0, 1].map((on) => Date.UTC(year + on, date.month, date.day))
  for (const day of days) {
    const wall = day + clockMs
    const until = wall - (offsetMs(zone, wall - offset) ?? offset)
    if (until > now) return until
  }
  return null
}
