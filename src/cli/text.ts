/** Rows of cells, each column as wide as its widest cell, the last one cut to what is left. */
import { terminalLine, cutText, fitText, textWidth } from '../lib/text/terminal-text.ts'
import type { Style } from './terminal/terminal.ts'
import { formatDuration, parseDuration } from '../lib/text/format-time.ts'

const GAP = '  '
const WIDEST_COLUMN = 48

export function textTable(
  rows: readonly (readonly string[])[],
  width: number,
  widest = WIDEST_COLUMN,
): readonly string[] {
  const clean = rows.map((row) => row.map(terminalLine))
  const columns = Math.max(0, ...clean.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.min(widest, Math.max(...clean.map((row) => textWidth(row[at] ?? '')))),
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

/** The first of many lines, and how many are left out. */
export const atMost = (
  most: number,
  lines: readonly string[],
  left: (count: number) => string,
): readonly string[] => (lines.length <= most ? lines : [...lines.slice(0, most), left(lines.length - most)])

/** A block of lines below its title; empty without lines. */
export const section = (style: Style, title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [style.bold(title), ...lines.map((line) => `  ${line}`)]

/** Parses and formats times for the command line. */
export const ago = (timestamp: string, now: number): string => formatDuration(now - Date.parse(timestamp))

/** Parses `1h` (ago) or a date; null for anything else. */
export function momentOf(text: string, now: number): number | null {
  const ms = parseDuration(text)
  if (ms !== null) return Math.max(0, now - ms)
  const at = Date.parse(text)
  return /^\d{4}-/.test(text) && Number.isFinite(at) ? at : null
}

/** `2026-01-05 09:00:07Z`. */
export const moment = (timestamp: string): string => timestamp.replace('T', ' ').replace(/\.\d+Z$/, 'Z')
