/** Groups a task's lines into blocks: headings, list items, paragraphs and code. */
import { headingOf, type Heading } from './headings.ts'
import { labelOf } from './labels.ts'
import type { Line } from './lines.ts'

/** Continuation lines beyond this are left out of a block. */
const MAX_BLOCK_CHARS = 20_000

export interface HeadingBlock {
  readonly kind: 'heading'
  readonly line: number
  readonly heading: Heading
}

export interface TextBlock {
  readonly kind: 'item' | 'paragraph'
  readonly line: number
  readonly indent: number
  readonly text: string
  /** Whether its check box is ticked; null without one. */
  readonly ticked: boolean | null
  /** In a numbered list. */
  readonly numbered: boolean
}

export interface CodeBlock {
  readonly kind: 'code'
  /** The line of the opening fence. */
  readonly line: number
  readonly info: string
  readonly code: string
}

export type Block = HeadingBlock | TextBlock | CodeBlock

const BOX = /^\[([ xX])\](?:\s|$)/
const RULE = /^([-*_])(?:\s?\1){2,200}\s?$/
const ANY_BOLD_LABEL = /^\*\*[^*]{1,60}(?::\*\*|\*\*:)/
const ANY_LABEL = /^[A-Z][A-Za-z ]{1,24}:\s/
const STEP_START = /^\*{0,2}step\s{1,8}\d/i

export function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]
    if (line === undefined) break
    if (line.role === 'fence') {
      const end = codeEnd(lines, at)
      blocks.push(codeBlock(lines, at, end))
      at = end
    } else if (line.role === 'comment' || line.role === 'code') {
      at++
    } else {
      at = addText(blocks, lines, at)
    }
  }
  return blocks
}

/** The index after a fence's last line. */
function codeEnd(lines: readonly Line[], open: number): number {
  let at = open + 1
  while (lines[at]?.role === 'code') at++
  return lines[at]?.role === 'fence' && isClosing(lines[at]?.text ?? '') ? at + 1 : at
}

function isClosing(text: string): boolean {
  return /^ *(?:`{3,}|~{3,})\s*$/.test(text)
}

function codeBlock(lines: readonly Line[], open: number, end: number): CodeBlock {
  const first = lines[open]
  const fence = first?.text.trim() ?? ''
  let marks = 0
  while (fence[marks] === fence[0]) marks++
  const body = lines.slice(open + 1, end).filter((line) => line.role === 'code')
  const indent = (first?.text.length ?? 0) - (first?.text.trimStart().length ?? 0)
  return {
    kind: 'code',
    line: first?.number ?? 0,
    info: fence.slice(marks).trim(),
    code: body.map((line) => dedent(line.text, indent)).join('\n'),
  }
}

function dedent(text: string, indent: number): string {
  let at = 0
  while (at < indent && text[at] === ' ') at++
  return text.slice(at)
}

/** Adds the block that starts at a line of text; returns the index after it. */
function addText(blocks: Block[], lines: readonly Line[], at: number): number {
  const line = lines[at]
  if (line === undefined || isBlank(line.text) || RULE.test(line.text.trim())) return at + 1
  const heading = headingOf(line.text)
  if (heading !== null) {
    blocks.push({ kind: 'heading', line: line.number, heading })
    return at + 1
  }
  const start = textStart(line)
  const labelled = labelOf(start.text) !== null
  const parts = [start.text]
  let size = start.text.length
  let next = at + 1
  for (; next < lines.length && !isWholeTitle(start.text); next++) {
    const more = lines[next]
    if (more === undefined || more.role !== 'text' || startsBlock(more.text, labelled)) break
    const part = more.text.trim()
    size += part.length + 1
    if (size <= MAX_BLOCK_CHARS) parts.push(part)
  }
  blocks.push({ ...start, text: parts.join(' ').trim() })
  return next
}

/** `**Step 1: Title**` is complete: the lines below it start a new block. */
function isWholeTitle(text: string): boolean {
  return text.startsWith('**') && text.endsWith('**') && STEP_START.test(text)
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** After a labelled line any label starts a block, even an unknown one. */
function startsBlock(text: string, labelled: boolean): boolean {
  const plain = text.trim()
  if (plain === '' || RULE.test(plain) || headingOf(text) !== null || markerLength(plain) > 0) return true
  if (plain.startsWith('|') || STEP_START.test(plain) || labelOf(plain) !== null) return true
  return ANY_BOLD_LABEL.test(plain) || (labelled && ANY_LABEL.test(plain))
}

/** The length of a list marker with the blank after it; 0 if not a list item. */
function markerLength(plain: string): number {
  if (/^[-*+](?:\s|$)/.test(plain)) return 2
  const numbered = /^\d{1,6}[.)]\s/.exec(plain)
  return numbered === null ? 0 : numbered[0].length
}

function textStart(line: Line): TextBlock {
  const plain = line.text.trim()
  const indent = line.text.length - line.text.trimStart().length
  const marker = markerLength(plain)
  const text = plain.slice(marker).trim()
  const box = BOX.exec(text)
  return {
    kind: marker === 0 ? 'paragraph' : 'item',
    line: line.number,
    indent,
    text: box === null ? text : text.slice(box[0].length).trim(),
    ticked: box === null ? null : box[1] !== ' ',
    numbered: marker > 0 && /^\d/.test(plain),
  }
}
