/** Python text as logical lines: what stands in brackets or after a backslash is one line, however many it is written on. */
import type { Token } from './lexer.ts'

export interface LogicalLine {
  readonly indent: number
  readonly line: number
  readonly tokens: readonly Token[]
}

const WORD = /[\p{L}_][\p{L}\p{Mn}\p{Nd}\p{Pc}]*/uy
const NUMBER = /\d[\w.]*(?:(?<=[eE])[+-]\d+)?/y
const STRING = /(?:[rbuft]|br|rb|fr|rf|tr|rt)?("""|'''|"|')/iy
const MARKS = ['->', '**', ':=', '...', '==', '!=', '<=', '>=', '//', '+=', '|=']
const MOST_LINES = 200_000

/** Null where the text has too many lines to be read. */
export function logicalLines(text: string): readonly LogicalLine[] | null {
  const lines: LogicalLine[] = []
  let tokens: Token[] = []
  let [at, line, depth, indent, first] = [0, 1, 0, 0, 1]
  let isFresh = true
  const finish = (): void => {
    if (tokens.length > 0) lines.push({ indent, line: first, tokens })
    tokens = []
    isFresh = true
  }
  const push = (kind: Token['kind'], length: number): void => {
    const before = tokens.at(-1)
    const isTight = before !== undefined && before.start + before.text.length === at
    if (tokens.length === 0) first = line
    const own = text.slice(at, at + length)
    tokens.push({ kind, text: own, line, isFirst: tokens.length === 0, isTight, start: at })
    line += own.split('\n').length - 1
    at += length
  }
  while (at < text.length) {
    if (lines.length > MOST_LINES) return null
    if (isFresh) {
      const blank = /[ \t\f\ufeff]*/y
      blank.lastIndex = at
      const space = (blank.exec(text)?.[0] ?? '').replace('\ufeff', '')
      indent = widthOf(space)
      at += space.length
      if (text.charAt(at) === '\ufeff') at++
      isFresh = false
      continue
    }
    const char = text.charAt(at)
    if (char === '\n') {
      line++
      at++
      if (depth === 0) finish()
    } else if (char === ' ' || char === '\t' || char === '\r' || char === '\f') at++
    else if (char === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) {
      at = text.indexOf('\n', at) + 1
      line++
    } else if (char === '#') {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
    } else {
      STRING.lastIndex = at
      const opening = STRING.exec(text)
      if (opening !== null) {
        push('string', stringLength(text, at, opening))
        continue
      }
      WORD.lastIndex = at
      const word = WORD.exec(text)?.[0]
      NUMBER.lastIndex = at
      const number = NUMBER.exec(text)?.[0]
      if (word !== undefined) push('word', word.length)
      else if (number !== undefined) push('number', number.length)
      else {
        if (char === '(' || char === '[' || char === '{') depth++
        if (char === ')' || char === ']' || char === '}') depth = Math.max(0, depth - 1)
        push('mark', (MARKS.find((mark) => text.startsWith(mark, at)) ?? char).length)
      }
    }
  }
  finish()
  return lines
}

function stringLength(text: string, at: number, opening: RegExpExecArray): number {
  const quote = opening[1] ?? '"'
  const isLong = quote.length === 3
  for (let place = at + opening[0].length; place < text.length; place++) {
    if (text.charAt(place) === '\\') place++
    else if (text.startsWith(quote, place)) return place + quote.length - at
    else if (text.charAt(place) === '\n' && !isLong) return place - at
  }
  return text.length - at
}

function widthOf(space: string): number {
  let width = 0
  for (const char of space) width = char === '\t' ? width - (width % 8) + 8 : width + 1
  return width
}
