/** More time for a worker, as a person writes it. */

/** Used where a person names no number. */
export const EXTENSION_MINUTES = 30
export const MOST_EXTENSION_MINUTES = 24 * 60

/** The first number in the text; null if there is none. */
export function parseMinutes(text: string): number | null {
  const digits = /\d+/.exec(text)?.[0]
  return digits === undefined ? null : Number(digits)
}

export const isExtension = (minutes: number): boolean => minutes > 0 && minutes <= MOST_EXTENSION_MINUTES
