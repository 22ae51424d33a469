/**
 * Splits text into lines, each marked as prose, code or comment. A fence ends by CommonMark's rule, except where that would
 * break a plan: a whole Markdown file in a three-backtick fence with three-backtick fences inside, and a fence that is never
 * closed. A general parser of Markdown takes more than 40 seconds for a plan of two megabytes, and plans may have twenty.
 */
import type { Note } from '../../problems.ts'
import { headingOf, taskHeadingOf } from './marks.ts'

/** Longer lines are cut before anything else. */
export const MAX_LINE_CHARS = 20_000

export type LineRole = 'text' | 'fence' | 'code' | 'comment'

/** One line: its number from 1, its text with leading tabs as four spaces, and what it is part of. */
export interface Line {
  readonly number: number
  readonly text: string
  readonly role: LineRole
}

export interface LinesRead {
  readonly lines: readonly Line[]
  readonly notes: readonly Note[]
}

/** Splits at any line ending, drops a byte order mark, and gives every line its role. */
export function readLines(text: string, longest = MAX_LINE_CHARS): LinesRead {
  const notes: Note[] = []
  const texts = plainLines(text, longest, notes)
  const roles = rolesOf(texts, notes)
  return {
    lines: texts.map((line, index) => ({ number: index + 1, text: line, role: roles[index] ?? 'text' })),
    notes,
  }
}

function plainLines(text: string, longest: number, notes: Note[]): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const long = lines.findIndex((line) => line.length > longest)
  if (long !== -1)
    notes.push({
      line: long + 1,
      message: `line longer than ${longest} characters; the rest is ignored`,
      remedy: 'break the line',
    })
  return lines.map((line) => withoutTabs(line.slice(0, longest)))
}

function withoutTabs(line: string): string {
  return line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '    '))
}

function rolesOf(texts: readonly string[], notes: Note[]): LineRole[] {
  const roles: LineRole[] = Array.from({ length: texts.length }, () => 'text')
  const marks = marksOf(texts)
  const resolve = fenceResolver(marks, texts.length)
  const lastCommentEnd = texts.findLastIndex((line) => line.includes('-->'))
  let markAt = 0
  let index = 0
  while (index < texts.length) {
    while ((marks[markAt]?.index ?? Number.POSITIVE_INFINITY) < index) markAt++
    const mark = marks[markAt]
    if (mark?.kind === 'fence' && mark.index === index) {
      index = markFence(roles, mark, resolve(markAt), notes)
    } else if (opensComment(texts[index] ?? '') && index <= lastCommentEnd) {
      const start = index
      while (index <= lastCommentEnd && !endsComment(texts[index] ?? '', index === start))
        roles[index++] = 'comment'
      roles[index++] = 'comment'
    } else {
      index++
    }
  }
  return roles
}

/** Assigns roles to a fence and its code; returns the first line after it. */
function markFence(roles: LineRole[], mark: FenceMark, end: FenceEnd, notes: Note[]): number {
  roles[mark.index] = 'fence'
  for (let at = mark.index + 1; at < end.index; at++) roles[at] = 'code'
  if (end.closed) {
    roles[end.index] = 'fence'
    return end.index + 1
  }
  const where = end.index < roles.length ? `the task heading in line ${end.index + 1}` : 'the end of the text'
  notes.push({
    line: mark.index + 1,
    message: `code fence is never closed; assuming it ends at ${where}`,
    remedy: `close it with a line of ${mark.char.repeat(mark.length)}`,
  })
  return end.index
}

function opensComment(line: string): boolean {
  return line.trimStart().startsWith('<!--')
}

function endsComment(line: string, first: boolean): boolean {
  return first ? line.indexOf('-->', line.indexOf('<!--') + 4) !== -1 : line.includes('-->')
}

interface Fence {
  readonly char: string
  readonly length: number
  readonly indent: number
  readonly info: string
}

interface FenceMark extends Fence {
  readonly kind: 'fence'
  readonly index: number
}

/** A line that matters when fences are matched: a fence, a task's heading, a step or another heading. */
type Mark =
  | FenceMark
  | { readonly kind: 'task' | 'step'; readonly index: number }
  | { readonly kind: 'heading'; readonly index: number; readonly level: number }

interface FenceEnd {
  readonly index: number
  readonly closed: boolean
}

/** How many marks are examined to find the end of a Markdown file inside a fence. */
const LOOK_AHEAD = 150
const MARKDOWN_INFO = /^(md|mdx|markdown)\b/i
const STEP_START = /^(- \[[ xX]\] )?\*\*(step\b|files\b|commit\b)/i

export function marksOf(texts: readonly string[]): Mark[] {
  const marks: Mark[] = []
  texts.forEach((text, index) => {
    const fence = fenceOf(text)
    const heading = fence === null ? headingOf(text) : null
    if (fence !== null) marks.push({ kind: 'fence', index, ...fence })
    else if (heading !== null && taskHeadingOf(heading) !== null) marks.push({ kind: 'task', index })
    else if (heading !== null) marks.push({ kind: 'heading', index, level: heading.level })
    else if (STEP_START.test(text)) marks.push({ kind: 'step', index })
  })
  return marks
}

/** A line of three or more backticks or tildes at any depth of indentation. */
export function fenceOf(text: string): Fence | null {
  const [, indent = '', marks = '', after = ''] = /^( *)(`{3,}|~{3,})(.*)$/s.exec(text) ?? []
  const [char = ''] = marks
  const info = after.trim()
  if (char === '' || (char === '`' && info.includes('`'))) return null
  return { char, length: marks.length, indent: indent.length, info }
}

function closes(open: FenceMark, mark: FenceMark): boolean {
  return (
    mark.char === open.char &&
    mark.length >= open.length &&
    mark.info === '' &&
    mark.indent <= open.indent + 3
  )
}

/** Finds where the fence opened at `marks[at]` ends in a text of `size` lines. */
export function fenceResolver(marks: readonly Mark[], size: number): (at: number) => FenceEnd {
  /** Fences known to have no closing line: one that is as long and no deeper has none either. */
  const unclosed: FenceMark[] = []
  return (at) => {
    const open = marks[at]
    if (open?.kind !== 'fence') return { index: size, closed: false }
    if (unclosed.some((other) => isHarderToClose(open, other))) {
      return { index: nextTask(marks, at) ?? size, closed: false }
    }
    const plain = plainEnd(marks, at, open)
    if (!plain.closed) {
      if (!plain.forgotten) unclosed.push(open)
      return { index: plain.task ?? size, closed: false }
    }
    if (!MARKDOWN_INFO.test(open.info) || !plain.nested) return { index: plain.index, closed: true }
    return { index: nestedEnd(marks, at, open) ?? plain.index, closed: true }
  }
}

function isHarderToClose(open: FenceMark, other: FenceMark): boolean {
  return open.char === other.char && open.length >= other.length && open.indent <= other.indent
}

function nextTask(marks: readonly Mark[], at: number): number | null {
  for (let next = at + 1; next < marks.length; next++) {
    const mark = marks[next]
    if (mark?.kind === 'task') return mark.index
  }
  return null
}

type PlainEnd =
  | { readonly closed: true; readonly index: number; readonly nested: boolean }
  | { readonly closed: false; readonly task: number | null; readonly forgotten: boolean }

/** Whether a fence would begin at `mark` if `open` had been closed. Fences of four marks are meant to contain fences. */
function isSibling(open: FenceMark, mark: FenceMark): boolean {
  return mark.info !== '' && open.length === 3 && mark.char === open.char && mark.length === 3
}

/**
 * CommonMark's end. A three-mark code fence that spans a task's heading and then the start of another fence was left
 * open: the heading ends it.
 */
function plainEnd(marks: readonly Mark[], at: number, open: FenceMark): PlainEnd {
  const code = open.info !== '' && !MARKDOWN_INFO.test(open.info)
  let task: number | null = null
  let nested = false
  for (let next = at + 1; next < marks.length; next++) {
    const mark = marks[next]
    if (mark === undefined) break
    if (mark.kind === 'task') task ??= mark.index
    if (mark.kind !== 'fence') continue
    if (closes(open, mark)) return { closed: true, index: mark.index, nested }
    if (mark.char === open.char && mark.info !== '') nested = true
    if (code && task !== null && isSibling(open, mark)) return { closed: false, task, forgotten: true }
  }
  return { closed: false, task, forgotten: false }
}

/**
 * The end of a Markdown file whose inner fences are as long as its own: inner fences are counted
 * as pairs; where that leaves headings in the open before the plan's next step, the last closing
 * line before that step is the end. Null: neither reading holds.
 */
function nestedEnd(marks: readonly Mark[], at: number, open: FenceMark): number | null {
  const ahead = untilNextStep(marks, at)
  let depth = 1
  let last: number | null = null
  let balanced: { readonly index: number; readonly at: number } | null = null
  for (const [offset, mark] of ahead.entries()) {
    if (mark.kind !== 'fence' || mark.char !== open.char || mark.length < open.length) continue
    if (mark.info !== '') {
      depth++
      continue
    }
    if (closes(open, mark)) last = mark.index
    depth--
    if (depth === 0 && balanced === null) balanced = { index: mark.index, at: offset }
  }
  if (balanced === null) return null
  return isOrderly(ahead.slice(balanced.at + 1)) ? balanced.index : last
}

function untilNextStep(marks: readonly Mark[], at: number): readonly Mark[] {
  const ahead = marks.slice(at + 1, at + 1 + LOOK_AHEAD)
  const stop = ahead.findIndex((mark) => mark.kind === 'task' || mark.kind === 'step')
  return stop === -1 ? ahead : ahead.slice(0, stop)
}

/**
 * Whether every fence among these marks is closed, only Markdown holds other fences, and no heading
 * stands in the open or in a fence without a language. (A single `#` there is a comment.)
 */
function isOrderly(marks: readonly Mark[]): boolean {
  const open: string[] = []
  for (const mark of marks) {
    const outer = open.at(-1)
    if (mark.kind !== 'fence') {
      if (outer === undefined || (outer === '' && mark.kind === 'heading' && mark.level > 1)) return false
    } else if (mark.info !== '') {
      if (outer !== undefined && !MARKDOWN_INFO.test(outer)) return false
      open.push(mark.info)
    } else if (outer === undefined) {
      open.push('')
    } else {
      open.pop()
    }
  }
  return open.length === 0
}
