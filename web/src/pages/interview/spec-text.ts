/** The parts of a spec that the page shows apart from each other. */

export interface SpecParts {
  /** `version: "1.0"` as pairs. */
  readonly facts: readonly (readonly [string, string])[]
  readonly body: string
}

const FRONT_MATTER = /^---\n([\s\S]{0,4000}?)\n---\n?/

/** The front matter as facts: as Markdown it would be a heading between rules. */
export function specParts(markdown: string): SpecParts {
  const text = markdown.replaceAll('\r\n', '\n')
  const found = FRONT_MATTER.exec(text)
  if (found === null) return { facts: [], body: text }
  const facts = (found[1] ?? '').split('\n').flatMap((line) => {
    const pair = /^([\w-]{1,40}):\s*(.{0,200})$/.exec(line)
    return pair === null ? [] : [[pair[1] ?? '', (pair[2] ?? '').replaceAll('"', '')] as const]
  })
  return { facts, body: text.slice(found[0].length) }
}
