/** Tokenizes C headers, which have no grammar. It never throws: unclosed strings end with their line or the text. */
import type { Piece } from './one-line.ts'

export interface Token extends Piece {
  /** From 1. */
  readonly line: number
  /** The first token of its line. */
  readonly isFirst: boolean
  /** Directly follows the previous token. */
  readonly isTight: boolean
  readonly start: number
}

const MARKS = ['...', '::', '->']
const WORD_START = /[\p{L}\p{Nl}_$]/u
const WORD = /[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$\u200c\u200d]*/uy
const NUMBER = /[0-9][0-9a-zA-Z_.]*(?:(?<=[eEpP])[+-][0-9]+)?/y
/** Files with more tokens are not read. */
const MOST_TOKENS = 400_000

/** Null if there are too many tokens. */
export function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = []
  let line = 1
  let isFirst = true
  let end = -1
  let at = 0
  const newLines = (from: number, to: number): void => {
    for (let next = text.indexOf('\n', from); next !== -1 && next < to; next = text.indexOf('\n', next + 1)) {
      line++
      isFirst = true
    }
  }
  const push = (kind: Token['kind'], to: number): void => {
    tokens.push({ kind, text: text.slice(at, to), line, isFirst, isTight: end === at, start: at })
    isFirst = false
    newLinesWithin(at, to)
    at = to
    end = to
  }
  const newLinesWithin = (from: number, to: number): void => {
    newLines(from, to)
    isFirst = false
  }
  while (at < text.length) {
    if (tokens.length > MOST_TOKENS) return null
    const char = text.charAt(at)
    if (char === '\n') {
      line++
      isFirst = true
      at++
      continue
    }
    if (char === ' ' || char === '\t' || char === '\r' || char === '\f' || char === '\ufeff') {
      at++
      continue
    }
    const comment = commentEnd(text, at)
    if (comment !== null) {
      newLines(at, comment)
      at = comment
      continue
    }
    if (char === '#' && isFirst) {
      push('directive', directiveEnd(text, at))
      continue
    }
    const string = stringEnd(text, at, tokens.at(-1))
    if (string !== null) {
      push('string', string)
      continue
    }
    const code = text.codePointAt(at) ?? 0
    const point = String.fromCodePoint(code)
    if (WORD_START.test(point) || (char === '#' && WORD_START.test(text.charAt(at + 1)))) {
      WORD.lastIndex = at + point.length
      const rest = WORD.exec(text)?.[0] ?? ''
      push('word', at + point.length + rest.length)
      continue
    }
    if (char >= '0' && char <= '9') {
      NUMBER.lastIndex = at
      const found = NUMBER.exec(text)?.[0] ?? char
      push('number', at + found.length)
      continue
    }
    const mark = MARKS.find((known) => text.startsWith(known, at)) ?? point
    push('mark', at + mark.length)
  }
  return tokens
}

function commentEnd(text: string, at: number): number | null {
  if (text.charAt(at) !== '/') return null
  const next = text.charAt(at + 1)
  if (next === '/') return lineEnd(text, at)
  if (next !== '*') return null
  const close = text.indexOf('*/', at + 2)
  return close === -1 ? text.length : close + 2
}

/** The end of the string that starts here, or null. */
function stringEnd(text: string, at: number, before: Token | undefined): number | null {
  const raw = /^(?:u8|u|U|L)?R"([^()\s\\]{0,16})\(/.exec(text.slice(at, at + 24))
  if (raw !== null) {
    const close = `)${raw[1] ?? ''}"`
    const end = text.indexOf(close, at)
    return end === -1 ? text.length : end + close.length
  }
  const char = text.charAt(at)
  // In 1'000 it is a digit separator.
  return char === '"' || (char === "'" && before?.kind !== 'number') ? quotedEnd(text, at) : null
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function directiveEnd(text: string, at: number): number {
  let end = lineEnd(text, at)
  while (/\\\r?$/.test(text.slice(Math.max(at, end - 2), end)) && end < text.length)
    end = lineEnd(text, end + 1)
  return end
}

/** The end of an escaped string; null if it is not closed on its line. */
function quotedEnd(text: string, at: number): number | null {
  const quote = text.charAt(at)
  for (let place = at + 1; place < text.length; place++) {
    const char = text.charAt(place)
    if (char === '\\') place++
    else if (char === quote) return place + 1
    else if (char === '\n') return null
  }
  return null
}

const OPEN: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const CLOSE: ReadonlySet<string> = new Set([')', ']', '}'])

/** The position after the closing bracket, or the end. */
export function afterClosing(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let place = at; place < tokens.length; place++) {
    const token = tokens[place]
    if (token?.kind !== 'mark') continue
    if (OPEN[token.text] !== undefined) depth++
    else if (CLOSE.has(token.text) && --depth <= 0) return place + 1
  }
  return tokens.length
}

/** The position after the `>` that closes the `<` at `at`; null if it is not a type list. */
export function afterAngles(tokens: readonly Token[], at: number): number | null {
  let depth = 0
  for (let place = at; place < tokens.length; place++) {
    const token = tokens[place]
    if (token?.kind !== 'mark') continue
    if (token.text === '<') depth++
    else if (token.text === '>') {
      if (--depth === 0) return place + 1
    } else if (OPEN[token.text] !== undefined) place = afterClosing(tokens, place) - 1
    else if (CLOSE.has(token.text) || token.text === ';') return null
  }
  return null
}

/** The tokens between the bracket at `at` and its closing bracket. */
export function inside(tokens: readonly Token[], at: number): readonly Token[] {
  const end = afterClosing(tokens, at)
  const isClosed = CLOSE.has(tokens[end - 1]?.text ?? '') && end - 1 > at
  return tokens.slice(at + 1, isClosed ? end - 1 : end)
}

/** Splits at top-level commas. `<` counts as a bracket only in a type list. */
export function splitAtCommas(tokens: readonly Token[], separator = ','): readonly (readonly Token[])[] {
  const parts: Token[][] = []
  let part: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'mark' && token.text === separator) {
      parts.push(part)
      part = []
      continue
    }
    const isBracket = token.kind === 'mark' && OPEN[token.text] !== undefined
    const angles =
      token.kind === 'mark' && token.text === '<' && opensTypes(tokens, at) ? afterAngles(tokens, at) : null
    const end = isBracket ? afterClosing(tokens, at) : (angles ?? at + 1)
    part.push(...tokens.slice(at, end))
    at = end - 1
  }
  if (part.length > 0) parts.push(part)
  return parts
}

/** `Map<a, b>` and `<T>(a) => b`; in `a < b` there is a blank before it. */
function opensTypes(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  return before === undefined || before.kind !== 'word' || tokens[at]?.isTight === true
}
