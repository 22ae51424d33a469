/** Which check-ins count: in order of time, each once, and not too many of them. */
import type { Instant } from '../../state/state.ts'

/**
 * What is remembered of one worker's check-ins: those that counted in the hour before the newest. Looked through with
 * every check-in of very many workers, so they are plain numbers side by side.
 */
export interface Heard {
  readonly times: readonly Instant[]
  readonly contents: readonly number[]
  /** When it was last said that there are too many. */
  readonly floodedAt: Instant | null
}

export interface Word {
  readonly at: Instant
  /** The fingerprint of everything it says but the time, so that the same can be told from another. */
  readonly content: number
  /** It asks for something, or says that it is otherwise with the worker than before. */
  readonly isNews?: boolean
}

export const NOTHING_HEARD: Heard = Object.freeze({ times: [], contents: [], floodedAt: null })

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
/** Who says too much has to be heard all the same when it is done, cannot go on or asks. */
export const MOST_WITH_NEWS = 2 * MOST_AN_HOUR

export function weighCheckin(before: Heard, word: Word): Weighed {
  const { times, contents, floodedAt } = before
  let newest = word.at
  let isSaidBefore = false
  for (let index = 0; index < times.length; index++) {
    const at = times[index] ?? 0
    if (at > newest) newest = at
    if (contents[index] === word.content && Math.abs(at - word.at) < MINUTE_MS) isSaidBefore = true
  }
  const none = { heard: before, isFlood: false }
  if (word.at <= newest - HOUR_MS) return { weight: 'late', ...none }
  if (isSaidBefore) return { weight: 'duplicate', ...none }
  const isAllRecent = times.every((at) => at > newest - HOUR_MS)
  const recent = isAllRecent ? before : without(before, (at) => at <= newest - HOUR_MS)
  if (recent.times.length < (word.isNews === true ? MOST_WITH_NEWS : MOST_AN_HOUR))
    return { weight: 'counts', heard: withWord(recent, word), isFlood: false }
  const isFlood = floodedAt === null || word.at >= floodedAt + HOUR_MS
  return {
    weight: 'too_many',
    heard: { ...recent, floodedAt: isFlood ? word.at : floodedAt },
    isFlood,
  }
}

/** A word that could not be kept was never heard: it may be said again. */
export const unheard = (heard: Heard, word: Word): Heard =>
  without(heard, (at, content) => at === word.at && content === word.content)

const withWord = ({ times, contents, floodedAt }: Heard, word: Word): Heard => ({
  times: [...times, word.at],
  contents: [...contents, word.content],
  floodedAt,
})

function without(
  { times, contents, floodedAt }: Heard,
  isGone: (at: Instant, content: number) => boolean,
): Heard {
  const kept = times.flatMap((at, index) => (isGone(at, contents[index] ?? 0) ? [] : [index]))
  return {
    times: kept.map((index) => times[index] ?? 0),
    contents: kept.map((index) => contents[index] ?? 0),
    floodedAt,
  }
}
