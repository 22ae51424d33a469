/** `22:00-07:00` in local time, which usually spans midnight. */
import type { Instant } from '../../state/state.ts'

export const QUIET_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/

const DAY_MINUTES = 24 * 60

/** The end of the quiet hours, if `now` lies in them, else null. `minutes` is the local time of day. */
export function quietUntil(quiet: string | null, now: Instant, minutes: number): Instant | null {
  const found = quiet === null ? null : QUIET_HOURS.exec(quiet)
  if (found === null) return null
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = found.slice(1).map(Number)
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute]
  const isQuiet = from <= to ? minutes >= from && minutes < to : minutes >= from || minutes < to
  if (!isQuiet) return null
  const left = (to - minutes + DAY_MINUTES) % DAY_MINUTES
  return now - (now % 60_000) + left * 60_000
}
