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
