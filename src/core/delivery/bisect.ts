/**
 * Finds the commit that made a test fail after a layer. Points are the commits of a plan in the order they landed:
 * 0 is the start commit, the last is where the test failed. The test may have failed at the start too, so the search
 * first looks for a point where it passes.
 */

/** `off`: every value is present and one is out of tolerance. `broken`: the test fails in another way. */
export type Sighting = 'good' | 'off' | 'broken' | 'unknown'
type Sightings = ReadonlyMap<number, Sighting>

export type BisectStep =
  | { readonly kind: 'probe'; readonly at: number }
  /** `first` fails and the one before it passes. */
  | { readonly kind: 'found'; readonly first: number }
  /** It passes at `after` and fails at `first`, and the points between could not be run. */
  | { readonly kind: 'between'; readonly after: number; readonly first: number }
  /** It passed at no probed point; `first` is the first one with a value out of tolerance. */
  | { readonly kind: 'never_good'; readonly first: number | null }
  | { readonly kind: 'passes_now' }
  | { readonly kind: 'cannot_tell' }

/** Each probe runs the whole test. */
export const MOST_PROBES = 16

/** The next point to probe, or the result; a pure function of the sightings. */
export function nextProbe(last: number, seen: Sightings): BisectStep {
  const tip = seen.get(last)
  if (tip === undefined) return { kind: 'probe', at: last }
  if (tip === 'good') return { kind: 'passes_now' }
  if (tip === 'unknown') return { kind: 'cannot_tell' }
  const good = lastWhere(seen, (sighting) => sighting === 'good')
  if (good !== null) return narrow(good, firstBadAfter(good, last, seen), seen)
  const next = seen.size < MOST_PROBES ? towardsGood(last, seen) : null
  return next === null
    ? { kind: 'never_good', first: firstWhere(seen, (sighting) => sighting === 'off') }
    : { kind: 'probe', at: next }
}

/** Narrows the range between a passing and a failing point. */
function narrow(good: number, bad: number, seen: Sightings): BisectStep {
  if (bad - good === 1) return { kind: 'found', first: bad }
  const at = seen.size < MOST_PROBES ? nearestUnseen(good, bad, seen) : null
  return at === null ? { kind: 'between', after: good, first: bad } : { kind: 'probe', at }
}

/** Looks for a passing point: before the values went off, else from both ends inward. */
function towardsGood(last: number, seen: Sightings): number | null {
  if (seen.get(last) === 'off') {
    const off = firstWhere(seen, (sighting) => sighting === 'off') ?? last
    const before = lastWhere(seen, (sighting, at) => sighting === 'broken' && at < off) ?? -1
    const at = nearestUnseen(before, off, seen)
    if (at !== null) return at
  }
  if (!seen.has(0)) return 0
  for (let back = 1; back < last; back *= 2) if (!seen.has(last - back)) return last - back
  for (let at = last - 1; at > 0; at--) if (!seen.has(at)) return at
  return null
}

/** The unprobed point nearest to the middle; null where there is none. */
function nearestUnseen(low: number, high: number, seen: Sightings): number | null {
  const middle = (low + high) >> 1
  for (let away = 0; away < high - low; away++) {
    for (const at of [middle - away, middle + away]) if (at > low && at < high && !seen.has(at)) return at
  }
  return null
}

function firstBadAfter(good: number, last: number, seen: Sightings): number {
  const isBad = (sighting: Sighting): boolean => sighting === 'off' || sighting === 'broken'
  return firstWhere(seen, (sighting, at) => at > good && isBad(sighting)) ?? last
}

type Wanted = (sighting: Sighting, at: number) => boolean

const firstWhere = (seen: Sightings, isWanted: Wanted): number | null => where(seen, isWanted)[0] ?? null
const lastWhere = (seen: Sightings, isWanted: Wanted): number | null => where(seen, isWanted).at(-1) ?? null

const where = (seen: Sightings, isWanted: Wanted): readonly number[] =>
  [...seen.keys()].filter((at) => isWanted(seen.get(at) ?? 'unknown', at)).sort((a, b) => a - b)
