/** Which check-ins count: in order of time, each once, and not too many of them. */
import type { Instant } from '../state.ts'

/** What is remembered of one worker's check-ins: those that counted in the hour before the newest. */
export interface Heard {
  readonly recent: readonly Word[]
  /** When it was last said that there are too many. */
  readonly floodedAt: Instant | null
}

export interface Word {
  readonly at: Instant
  /** Everything it says but the time, so that the same can be told from another. */
  readonly content: string
}

export const NOTHING_HEARD: Heard = Object.freeze({ recent: [], floodedAt: null })

/**
 * `counts`: it is kept, and says how the worker is. The others are signs of life and nothing else: `duplicate` was
 * said within the minute, `late` is of an hour that is over, `too_many` comes after those that an hour may have.
 */
export type Weight = 'counts' | 'duplicate' | 'late' | 'too_many'

export interface Weighed {
  readonly weight: Weight
  readonly heard: Heard
  /** Somebody should be told that there are too many: once an hour. */
  readonly isFlood: boolean
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
export const MOST_AN_HOUR = 20

export function weighCheckin(before: Heard, word: Word): Weighed {
  const { recent, floodedAt } = before
  let newest = word.at
  let isSaidBefore = false
  for (const { at, content } of recent) {
    if (at > newest) newest = at
    if (content === word.content && Math.abs(at - word.at) < MINUTE_MS) isSaidBefore = true
  }
  const none = { heard: before, isFlood: false }
  if (word.at <= newest - HOUR_MS) return { weight: 'late', ...none }
  if (isSaidBefore) return { weight: 'duplicate', ...none }
  const isWithin = ({ at }: Word): boolean => at > newest - HOUR_MS
  const within = recent.every(isWithin) ? recent : recent.filter(isWithin)
  if (within.length < MOST_AN_HOUR)
    return { weight: 'counts', heard: { recent: [...within, word], floodedAt }, isFlood: false }
  const isFlood = floodedAt === null || word.at >= floodedAt + HOUR_MS
  return {
    weight: 'too_many',
    heard: { recent: within, floodedAt: isFlood ? word.at : floodedAt },
    isFlood,
  }
}

/** A word that could not be kept was never heard: it may be said again. */
export const unheard = (heard: Heard, word: Word): Heard => ({
  ...heard,
  recent: heard.recent.filter((one) => one !== word),
})
