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

/** A Markdown text of titled sections with a limit: what does not fit is left out, and a note says so. */

export interface Section {
  readonly title: string
  /** Lines; without any the section is left out. */
  readonly body: readonly string[]
  /** Explains rather than asks: shortened before the other sections. */
  readonly isSpare?: boolean
}

/** What remains of a section that is shortened, at least. */
const LEAST = 2000
/** Room for the note itself. */
const NOTE = 200

export function renderSections(sections: readonly Section[], most: number): string {
  const texts = sections
    .filter(({ body }) => body.length > 0)
    .map(({ title, body, isSpare = false }) => ({ title, isSpare, text: body.join('\n') }))
  const whole = texts.map((section) => ({ ...section, cut: section.text }))
  let over = render(whole).length - most
  const longestFirst = whole.toSorted(
    (a, b) => Number(b.isSpare) - Number(a.isSpare) || b.text.length - a.text.length,
  )
  for (const section of longestFirst) {
    if (over <= 0) break
    const room = Math.max(LEAST, section.text.length - over - NOTE)
    if (room + NOTE >= section.text.length) continue
    section.cut = shortened(section, room, most)
    over -= section.text.length - section.cut.length
  }
  return render(whole)
}

const render = (sections: readonly { readonly title: string; readonly cut: string }[]): string =>
  `${sections.map(({ title, cut }) => `## ${title}\n\n${cut}`).join('\n\n')}\n`

function shortened(
  { title, text }: { readonly title: string; readonly text: string },
  room: number,
  most: number,
): string {
  const kept = text.slice(0, text.lastIndexOf('\n', room) + 1 || room).trimEnd()
  const of = `${text.length - kept.length} of ${text.length} characters`
  const note = `[Left out here: the last ${of} of "${title.slice(0, 60)}"; a brief has at most ${most}.]`
  return [kept, ...openFence(kept), '', note].join('\n')
}

/** The fence that a cut text leaves open. */
function openFence(text: string): readonly string[] {
  let open: string | null = null
  for (const [, fence = '', info = ''] of text.matchAll(/^(`{3,})(.*)$/gm)) {
    if (open === null) open = fence
    else if (fence.length >= open.length && info.trim() === '') open = null
  }
  return open === null ? [] : [open]
}
