/** Decides which check-ins count: in order of time, each once, and a limited number an hour. */
import type { Instant } from '../../state/state.ts'

/**
 * The check-ins of one worker that counted in the hour before the newest. Scanned with every check-in of very many
 * workers, so they are parallel arrays of numbers.
 */
export interface RecentCheckins {
  readonly times: readonly Instant[]
  readonly contents: readonly number[]
  /** When a flood was last reported. */
  readonly floodedAt: Instant | null
}

export interface CheckinDigest {
  readonly at: Instant
  /** The fingerprint of everything but the time, to recognize duplicates. */
  readonly content: number
  /** It has a request, an issue or another status than before. */
  readonly isNews?: boolean
}

export const NO_CHECKINS: RecentCheckins = Object.freeze({ times: [], contents: [], floodedAt: null })

/**
 * `counts`: it is kept and updates the claim. The others are signs of life only: `duplicate` repeats one of the last
 * minute, `late` is an hour older than the newest, `too_many` exceeds the hourly limit.
 */
export type Weight = 'counts' | 'duplicate' | 'late' | 'too_many'

export interface Weighed {
  readonly weight: Weight
  readonly recent: RecentCheckins
  /** There are too many and this should be reported: true once an hour. */
  readonly isFlood: boolean
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
export const MOST_AN_HOUR = 20
/** News (done, blocked, a request) counts beyond the hourly limit, up to this one. */
export const MOST_WITH_NEWS = 2 * MOST_AN_HOUR

export function weighCheckin(before: RecentCheckins, digest: CheckinDigest): Weighed {
  const { times, contents, floodedAt } = before
  let newest = digest.at
  let isDuplicate = false
  for (let index = 0; index < times.length; index++) {
    const at = times[index] ?? 0
    if (at > newest) newest = at
    if (contents[index] === digest.content && Math.abs(at - digest.at) < MINUTE_MS) isDuplicate = true
  }
  const none = { recent: before, isFlood: false }
  if (digest.at <= newest - HOUR_MS) return { weight: 'late', ...none }
  if (isDuplicate) return { weight: 'duplicate', ...none }
  const isAllRecent = times.every((at) => at > newest - HOUR_MS)
  const recent = isAllRecent ? before : without(before, (at) => at <= newest - HOUR_MS)
  if (recent.times.length < (digest.isNews === true ? MOST_WITH_NEWS : MOST_AN_HOUR))
    return { weight: 'counts', recent: withDigest(recent, digest), isFlood: false }
  const isFlood = floodedAt === null || digest.at >= floodedAt + HOUR_MS
  return {
    weight: 'too_many',
    recent: { ...recent, floodedAt: isFlood ? digest.at : floodedAt },
    isFlood,
  }
}

/** Removes a check-in that could not be stored, so that the worker may send it again. */
export const withoutCheckin = (recent: RecentCheckins, digest: CheckinDigest): RecentCheckins =>
  without(recent, (at, content) => at === digest.at && content === digest.content)

const withDigest = (
  { times, contents, floodedAt }: RecentCheckins,
  digest: CheckinDigest,
): RecentCheckins => ({
  times: [...times, digest.at],
  contents: [...contents, digest.content],
  floodedAt,
})

function without(
  { times, contents, floodedAt }: RecentCheckins,
  isGone: (at: Instant, content: number) => boolean,
): RecentCheckins {
  const kept = times.flatMap((at, index) => (isGone(at, contents[index] ?? 0) ? [] : [index]))
  return {
    times: kept.map((index) => times[index] ?? 0),
    contents: kept.map((index) => contents[index] ?? 0),
    floodedAt,
  }
}
