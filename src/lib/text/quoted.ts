/**
 * Text that others wrote into the repository, for people and workers to read: one line, bounded, in backticks that it
 * cannot close. What stands in them is a name, never an instruction.
 */

/** Controls, marks that reorder or hide text, lone halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu

export const LONGEST_NAME = 120

/** One line without anything that is not seen, cut where it is too long. */
export function plainLine(text: string, longest = LONGEST_NAME): string {
  // Enough for what is kept: a text may be of any length.
  const line = text
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .trim()
  return line.length <= longest ? line : `${line.slice(0, longest).trimEnd().replace(UNSEEN, '')}…`
}

/** The same, with what is not seen shown by its number, for people who judge what another wrote. */
export function visibleLine(text: string, longest = LONGEST_NAME): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(UNSEEN, numbered)
  if (line.length <= longest) return line
  // A number is not cut in the middle.
  const kept = line.slice(0, longest).replace(/⟨[^⟩]{0,9}$/, '')
  return `${kept.trimEnd().replace(/[\ud800-\udbff]$/, '')}…`
}

/** `␛` for an escape, `⟨U+202E⟩` for a mark of direction. */
function numbered(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x24_00 + code)
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

export function quoted(text: string, longest = LONGEST_NAME): string {
  const line = plainLine(text, longest).replaceAll('`', "'")
  return `\`${line === '' ? '?' : line}\``
}

export const quotedList = (items: readonly string[], more = 0): string =>
  `${items.map((item) => quoted(item)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
