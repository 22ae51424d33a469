/** Rows of cells, each column as wide as its widest cell, the last one cut to what is left. */
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { cutText, fitText, textWidth } from '../../lib/text/text-width.ts'

const GAP = '  '
const WIDEST_COLUMN = 48

export function textTable(rows: readonly (readonly string[])[], width: number): readonly string[] {
  const clean = rows.map((row) => row.map(terminalLine))
  const columns = Math.max(0, ...clean.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.min(WIDEST_COLUMN, Math.max(...clean.map((row) => textWidth(row[at] ?? '')))),
  )
  return clean.map((row) => {
    const cells = row.map((cell, at) => (at === row.length - 1 ? cell : fitText(cell, widths[at] ?? 0)))
    return cutText(cells.join(GAP), width).trimEnd()
  })
}

/** Blocks of lines with an empty line between them; empty blocks are left out. */
export function blockText(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((lines) => lines.length > 0)
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
