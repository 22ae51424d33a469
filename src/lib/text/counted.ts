/** `1 file`, `2 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** `a, b and 3 more`; with another mark `a; b; and 3 more`. */
export function firstFew(items: readonly string[], most: number, mark: ',' | ';' = ','): string {
  const shown = items.slice(0, most).join(`${mark} `)
  const more = items.length - most
  return more > 0 ? `${shown}${mark === ',' ? '' : mark} and ${more} more` : shown
}
