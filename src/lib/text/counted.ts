/** `1 file`, `2 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** `a, b and 3 more`; with another mark `a; b; and 3 more`. */
export function firstFew(items: readonly string[], most: number, mark: ',' | ';' = ','): string {
  const shown = items.slice(0, most).join(`${mark} `)
  const more = items.length - most
  return more > 0 ? `${shown}${mark === ',' ? '' : mark} and ${more} more` : shown
}

/** Text with every run of white space, line ends too, as one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A pattern that matches exactly this text. */
export const literalPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Long plan ids in lines that name several plans. */

const LONGEST = 20
/** Ids that were cut end with a hash, so the end tells them apart. */
const END = 6

export const shortPlan = (id: string): string =>
  id.length <= LONGEST ? id : `${id.slice(0, LONGEST - END - 1)}…${id.slice(-END)}`

/** What people call a gate; its name is a key. */
export const gateTitle = (gate: string): string => TITLES[gate] ?? gate.replaceAll('_', ' ')

const TITLES: Readonly<Record<string, string>> = {
  tests_to_add: 'new tests',
  tests_to_run: 'required tests',
  lint_typecheck: 'lint and types',
  no_orphan_todo: 'TODO check',
  unit: 'unit tests',
  held_out: 'held-out checks',
}

/** Quotes a text as one shell word. */
export const shellWord = (text: string): string =>
  text.includes("'") ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `'${text}'`

/** The same for people to read: without quotes where a shell needs none. */
export const shellArgument = (text: string): string => (/^[\w./:@%+=-]+$/.test(text) ? text : shellWord(text))
