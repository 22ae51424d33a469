/** `1 file`, `2 files`. */
export const counted = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`

/** `a, b and 3 more`; with another mark `a; b; and 3 more`. */
export function firstFew(items: readonly string[], most: number, mark: ',' | ';' = ','): string {
  const shown = items.slice(0, most).join(`${mark} `)
  const more = items.length - most
  return more > 0 ? `${shown}${mark === ',' ? '' : mark} and ${more} more` : shown
}
