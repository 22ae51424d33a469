/** Moments in the time zone of this machine. */
import { formatMoment } from '../text/format-time.ts'

/** `10:04`, and with its date where that is not today. */
export const localMoment = (at: Date, now = new Date()): string => formatMoment(wallTime(at), wallTime(now))

/** `10:42:07`. */
export const localTimeOfDay = (at: Date): string => new Date(wallTime(at)).toISOString().slice(11, 19)

/** The time shifted so that its UTC fields show local time. */
const wallTime = (at: Date): number => at.getTime() + (zoneOffsetMs(null, at.getTime()) ?? 0)

/** How far the clocks of a zone are before UTC at a moment; null for the name of no zone. Without a name, this machine's. */
export function zoneOffsetMs(zone: string | null, at: number): number | null {
  if (zone === null) return -new Date(at).getTimezoneOffset() * 60_000
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
    return sign === '-' ? -offsetMs : offsetMs
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
