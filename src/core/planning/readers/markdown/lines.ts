/** Splits a plan's text into lines, each marked as prose, code or comment. */
import type { Note } from '../../problems.ts'
import { fenceResolver, marksOf, type FenceEnd, type FenceMark } from './fences.ts'

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
