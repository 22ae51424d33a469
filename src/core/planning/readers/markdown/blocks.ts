/** Groups lines into blocks: headings, list items, paragraphs and code. */
import { fenceOf, type Line } from './lines.ts'
import { headingOf, itemOf, type Heading } from './marks.ts'
import { labelOf } from './task-fields.ts'

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
  /** It has a check box. */
  readonly isBox: boolean
  readonly isNumbered: boolean
}

export interface CodeBlock {
  readonly kind: 'code'
  /** The line of the opening fence. */
  readonly line: number
  readonly info: string
  readonly code: string
}

export type Block = HeadingBlock | TextBlock | CodeBlock

const RULE = /^([-*_])(?:\s?\1){2,200}\s?$/
const ANY_BOLD_LABEL = /^\*\*[^*]{1,60}(?::\*\*|\*\*:)/
const ANY_LABEL = /^[A-Z][A-Za-z ]{1,24}:\s/
const STEP_START = /^\*{0,2}step\s{1,8}\d/i

export function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const role = lines[at]?.role
    if (role === 'fence') at = addCode(blocks, lines, at)
    else if (role === 'text') at = addText(blocks, lines, at)
    else at++
  }
  return blocks
}

/** Adds the code of the fence that opens at a line; returns the index after it. */
function addCode(blocks: Block[], lines: readonly Line[], at: number): number {
  const { number = 0, text = '' } = lines[at] ?? {}
  const { info = '', indent = 0 } = fenceOf(text) ?? {}
  let end = at + 1
  while (lines[end]?.role === 'code') end++
  const margin = new RegExp(`^ {0,${indent}}`)
  const code = lines.slice(at + 1, end).map((line) => line.text.replace(margin, ''))
  blocks.push({ kind: 'code', line: number, info, code: code.join('\n') })
  const after = lines[end]
  return after?.role === 'fence' && fenceOf(after.text)?.info === '' ? end + 1 : end
}

/** Adds the block that starts at a line of text; returns the index after it. */
function addText(blocks: Block[], lines: readonly Line[], at: number): number {
  const { text = '', number = 0 } = lines[at] ?? {}
  if (text.trim() === '' || RULE.test(text.trim())) return at + 1
  const heading = headingOf(text)
  if (heading !== null) {
    blocks.push({ kind: 'heading', line: number, heading })
    return at + 1
  }
  const item = itemOf(text)
  const start = item?.text ?? text.trim()
  const labelled = labelOf(start) !== null
  const parts = [start]
  let size = start.length
  let next = at + 1
  for (; next < lines.length && !isWholeTitle(start); next++) {
    const more = lines[next]
    if (more === undefined || more.role !== 'text' || startsBlock(more.text, labelled)) break
    const part = more.text.trim()
    size += part.length + 1
    if (size <= MAX_BLOCK_CHARS) parts.push(part)
  }
  blocks.push({
    kind: item === null ? 'paragraph' : 'item',
    line: number,
    indent: text.length - text.trimStart().length,
    text: parts.join(' ').trim(),
    isBox: item?.isBox === true,
    isNumbered: item?.isNumbered === true,
  })
  return next
}

/** `**Step 1: Title**` is complete: the lines below it start a new block. */
function isWholeTitle(text: string): boolean {
  return text.startsWith('**') && text.endsWith('**') && STEP_START.test(text)
}

/** After a labelled line any label starts a block, even an unknown one. */
function startsBlock(text: string, labelled: boolean): boolean {
  const plain = text.trim()
  if (plain === '' || RULE.test(plain) || headingOf(text) !== null || itemOf(text) !== null) return true
  if (plain.startsWith('|') || STEP_START.test(plain) || labelOf(plain) !== null) return true
  return ANY_BOLD_LABEL.test(plain) || (labelled && ANY_LABEL.test(plain))
}
