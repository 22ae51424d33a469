/** More time for a worker, as a person says it. */

/** Time that a person gives without saying how much. */
export const EXTENSION_MINUTES = 30
export const MOST_EXTENSION_MINUTES = 24 * 60

/** The first number a person says; null where they say none. */
export function minutesSaid(words: string): number | null {
  const said = /\d+/.exec(words)?.[0]
  return said === undefined ? null : Number(said)
}

export const isExtension = (minutes: number): boolean => minutes > 0 && minutes <= MOST_EXTENSION_MINUTES
