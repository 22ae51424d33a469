const SHORTEST = 4
const LONGEST = 18
const CHARACTER_PX = 7.4

/** The width of a column of ids: as wide as the longest, within reason, so that titles begin at one line. */
export function idWidth(ids: readonly string[]): number {
  let longest = SHORTEST
  for (const { length } of ids) longest = Math.max(longest, Math.min(length, LONGEST))
  return Math.ceil(longest * CHARACTER_PX)
}
