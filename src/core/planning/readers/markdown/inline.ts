/** Inline Markdown: code spans, emphasis, links and remarks in parentheses. Every scan is linear. */

export interface CodeSpan {
  readonly code: string
  /** Start and end of the span in the text, including its backticks. */
  readonly start: number
  readonly end: number
}

/** The code spans of a text, in order. */
export function codeSpans(text: string): CodeSpan[] {
  const runs = backtickRuns(text)
  const laterOf = new Map<number, number[]>()
  runs.forEach((run, index) => {
    const same = laterOf.get(run.length)
    if (same === undefined) laterOf.set(run.length, [index])
    else same.push(index)
  })
  const spans: CodeSpan[] = []
  const cursor = new Map<number, number>()
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index]
    if (open === undefined) break
    const same = laterOf.get(open.length) ?? []
    let at = cursor.get(open.length) ?? 0
    while (at < same.length && (same[at] ?? 0) <= index) at++
    cursor.set(open.length, at)
    const closeIndex = same[at]
    const close = closeIndex === undefined ? undefined : runs[closeIndex]
    if (closeIndex === undefined || close === undefined) continue
    const end = close.start + close.length
    spans.push({ code: text.slice(open.start + open.length, close.start).trim(), start: open.start, end })
    index = closeIndex
  }
  return spans
}

function backtickRuns(text: string): { readonly start: number; readonly length: number }[] {
  const runs = []
  for (let at = text.indexOf('`'); at !== -1; at = text.indexOf('`', at)) {
    let end = at
    while (text[end] === '`') end++
    runs.push({ start: at, length: end - at })
    at = end
  }
  return runs
}

/** The text without bold and italic marks, except in code spans. */
export function plainText(text: string): string {
  if (!/\*\*|<!--/.test(text)) return text.trim()
  let plain = ''
  let at = 0
  for (const span of codeSpans(text)) {
    plain += withoutEmphasis(text.slice(at, span.start)) + text.slice(span.start, span.end)
    at = span.end
  }
  return (plain + withoutEmphasis(text.slice(at))).trim()
}

function withoutEmphasis(text: string): string {
  return text.replace(/\*{2,3}/g, '').replace(/<!--[^<>]{0,200}-->/g, '')
}

/** The text without parenthesized parts outside code. */
export function withoutParens(text: string): string {
  return splitParens(text).outside
}

/** Splits a text into the parts outside parentheses and their contents. */
export function splitParens(text: string): { readonly outside: string; readonly asides: readonly string[] } {
  if (!text.includes('(')) return { outside: text, asides: [] }
  const spans = codeSpans(text)
  const asides: string[] = []
  const outside: string[] = []
  let depth = 0
  let from = 0
  let spanAt = 0
  for (let at = 0; at < text.length; at++) {
    const span = spans[spanAt]
    if (span !== undefined && at === span.start) {
      at = span.end - 1
      spanAt++
      continue
    }
    const link = text[at - 1] === ']' && depth === 0
    if (text[at] === '(' && !link) {
      if (depth === 0) {
        outside.push(text.slice(from, at))
        from = at + 1
      }
      depth++
    } else if (text[at] === ')' && depth > 0) {
      depth--
      if (depth === 0) {
        asides.push(text.slice(from, at))
        from = at + 1
      }
    }
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
