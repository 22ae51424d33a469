/** A moment as people write it, worked out from the number alone: the core knows no clock and no zone but UTC. */
import type { Instant } from './state.ts'

const DAY = 86_400_000
const two = (part: number): string => String(part).padStart(2, '0')

/** `15:00 UTC`, and with its day where that is another one than that of `at`. */
export function momentWords(moment: Instant, at: Instant): string {
  const minutes = Math.floor((moment % DAY) / 60_000)
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)} UTC`
  const day = Math.floor(moment / DAY)
  return day === Math.floor(at / DAY) ? time : `${dayWords(day)} ${time}`
}

/** From the days since 1970: years of 400 years' cycles that begin in March, so that the leap day is the last. */
function dayWords(sinceEpoch: number): string {
  const day = sinceEpoch + 719_468
  const ofEra = day % 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + Math.floor(day / 146_097) * 400 + (month <= 2 ? 1 : 0)
  return `${year}-${two(month)}-${two(ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1)}`
}
