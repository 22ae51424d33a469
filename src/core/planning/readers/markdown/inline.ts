/** Inline Markdown: code spans, emphasis, links and remarks in parentheses. Every scan is linear. */

export interface CodeSpan {
  readonly code: string
  /** Start and end of the span in the text, including its backticks. */
  readonly start: number
  readonly end: number
}

/** The code spans of a text, in order. */
export function codeSpans(text: string): CodeSpan[] {
  const runs = [...text.matchAll(/`+/g)]
  /** For each run of backticks, the next one of the same length. */
  const closing: (number | undefined)[] = []
  const nearest = new Map<number, number>()
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index]?.[0].length ?? 0
    closing[index] = nearest.get(length)
    nearest.set(length, index)
  }
  const spans: CodeSpan[] = []
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index]
    const close = runs[closing[index] ?? -1]
    if (open === undefined || close === undefined) continue
    const code = text.slice(open.index + open[0].length, close.index).trim()
    spans.push({ code, start: open.index, end: close.index + close[0].length })
    index = closing[index] ?? index
  }
  return spans
}

/** The text with its code spans replaced, and optionally the text between them. */
export function replaceCode(
  text: string,
  ofCode: (code: string) => string,
  ofText: (plain: string) => string = (plain) => plain,
): string {
  let replaced = ''
  let at = 0
  for (const { start, end } of codeSpans(text)) {
    replaced += ofText(text.slice(at, start)) + ofCode(text.slice(start, end))
    at = end
  }
  return replaced + ofText(text.slice(at))
}

/** The text without bold and italic marks, except in code spans. */
export function plainText(text: string): string {
  if (!/\*\*|<!--/.test(text)) return text.trim()
  return replaceCode(text, (code) => code, withoutEmphasis).trim()
}

const COMMENT = /(?<!\\)<!--[^<>]{0,500}-->/g

function withoutEmphasis(text: string): string {
  return text.replace(/\*{2,3}/g, '').replace(COMMENT, '')
}

/** The line without comments that begin and end in it, code spans apart. */
export function withoutComments(line: string): string {
  if (!line.includes('<!--')) return line
  return replaceCode(
    line,
    (code) => code,
    (text) => text.replace(COMMENT, ''),
  )
}

/** The text without parenthesized parts outside code. */
export function withoutParens(text: string): string {
  return splitParens(text).outside
}

/** Splits a text into the parts outside parentheses and their contents. Links and code spans stay whole. */
export function splitParens(text: string): { readonly outside: string; readonly asides: readonly string[] } {
  if (!text.includes('(')) return { outside: text, asides: [] }
  const masked = replaceCode(text, (code) => '`'.repeat(code.length))
  const asides: string[] = []
  const outside: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: paren, index } of masked.matchAll(/[()]/g)) {
    const isLink = paren === '(' && masked[index - 1] === ']'
    if (depth === 0 && (paren === ')' || isLink)) continue
    depth += paren === '(' ? 1 : -1
    if (paren === '(' && depth === 1) outside.push(text.slice(from, index))
    else if (depth === 0) asides.push(text.slice(from, index))
    else continue
    from = index + 1
  }
  const rest = text.slice(from)
  if (depth > 0) asides.push(rest)
  else outside.push(rest)
  return { outside: outside.join(' ').trim(), asides }
}

/** The text of a link, or the text itself. */
export function linkText(text: string): string {
  const match = /^\[([^[\]]{1,500})\]\(([^()\s]{1,1000})\)/.exec(text.trim())
  return match?.[1] ?? text
}

/** At most `limit` characters of a text. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`
}
