/** Moments in the time zone of this machine. */
import { formatMoment } from '../text/format-time.ts'
import { zoneOffsetMs } from './zone-offset.ts'

/** `10:04`, and with its date where that is not today. */
export const localMoment = (at: Date, now = new Date()): string => formatMoment(wallTime(at), wallTime(now))

/** `10:42:07`. */
export const localTimeOfDay = (at: Date): string => new Date(wallTime(at)).toISOString().slice(11, 19)

/** The time shifted so that its UTC fields show local time. */
const wallTime = (at: Date): number => at.getTime() + (zoneOffsetMs(null, at.getTime()) ?? 0)
