/** Tokenizes C headers, which have no grammar. It never throws: unclosed comments and raw strings end with the text. */
import type { Piece } from './one-line.ts'

export interface Token extends Piece {
  /** From 1. */
  readonly line: number
  /** Directly follows the previous token. */
  readonly isTight: boolean
}

const KINDS = ['directive', 'string', 'word', 'number', 'mark'] as const
const group = (kind: (typeof KINDS)[number], ...forms: readonly RegExp[]): string =>
  `(?<${kind}>${forms.map(({ source }) => source).join('|')})`
const TOKEN = new RegExp(
  [
    // Blanks and comments.
    /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))/.source,
    // The first of its line; a backslash at the end continues it.
    group('directive', /#(?<=^[ \t\ufeff]*#)(?:[^\\\n]|\\\r?\n|\\)*/),
    group(
      'string',
      /(?:u8|[uUL])?R"(?<delimiter>[^()\s\\]{0,16})\([^]*?(?:\)\k<delimiter>"|(?![^]))/,
      /"[^"\\\n]*(?:\\[^][^"\\\n]*)*"/,
      /'[^'\\\n]*(?:\\[^][^'\\\n]*)*'/,
    ),
    group('word', /[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$\u200c\u200d]*/u),
    // 1'000 has a digit separator.
    group('number', /[0-9](?:[eEpP][+-]|'?[0-9a-zA-Z_.])*/),
    group('mark', /\.\.\.|::|->|[^]/),
  ].join('|'),
  'gmu',
)
/** Files with more tokens are not read. */
const MOST_TOKENS = 400_000

/** Null if there are too many tokens. */
export function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = []
  let [line, end] = [1, -1]
  for (const { 0: found, index, groups } of text.matchAll(TOKEN)) {
    const kind = KINDS.find((one) => groups?.[one] !== undefined)
    if (kind !== undefined) {
      if (tokens.length === MOST_TOKENS) return null
      tokens.push({ kind, text: found, line, isTight: end === index })
      end = index + found.length
    }
    line += found.split('\n').length - 1
  }
  return tokens
}

const OPEN: ReadonlySet<string> = new Set(['(', '[', '{'])
const CLOSE: ReadonlySet<string> = new Set([')', ']', '}'])

/** The position after the closing bracket, or the end. */
export function afterClosing(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let place = at; place < tokens.length; place++) {
    const token = tokens[place]
    if (token?.kind !== 'mark') continue
    if (OPEN.has(token.text)) depth++
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
    } else if (OPEN.has(token.text)) place = afterClosing(tokens, place) - 1
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
export function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (let at = 0; at < tokens.length;) {
    const { kind, text } = tokens[at] as Token
    const isMark = kind === 'mark'
    const angles = isMark && text === '<' && opensTypes(tokens, at) ? afterAngles(tokens, at) : null
    const end = isMark && OPEN.has(text) ? afterClosing(tokens, at) : (angles ?? at + 1)
    if (isMark && text === ',') parts.push([])
    else parts.at(-1)?.push(...tokens.slice(at, end))
    at = end
  }
  return parts.filter((part, at) => part.length > 0 || at < parts.length - 1)
}

/** `Map<a, b>`; in `a < b` there is a blank before it. */
function opensTypes(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  return before === undefined || before.kind !== 'word' || tokens[at]?.isTight === true
}
