/** Splits lines into code, string literals and comments in one pass, for files without a grammar, such as C and Java. */
import type { Family } from './families.ts'

export interface CodeLine {
  /** From 1. */
  readonly line: number
  readonly raw: string
  /** Without comments and contents of strings. */
  readonly code: string
  /** Without comments, with the contents of strings. */
  readonly text: string
  /** The text of its comments. */
  readonly comment: string
}

interface Grammar {
  readonly lineComments: readonly string[]
  readonly block: readonly [open: string, close: string] | null
  /** Quotes of single-line strings. */
  readonly quotes: string
  /** Quotes of multi-line strings, the longest first. */
  readonly longQuotes: readonly string[]
  /** Whether `'` quotes only single characters. */
  readonly hasChars: boolean
  /** Whether a letter before a quote starts a raw multi-line string. */
  readonly hasRaw: boolean
  /** Whether a comment has to follow a blank. */
  readonly isSpacedComment: boolean
}

const C_LIKE: Grammar = {
  lineComments: ['//'],
  block: ['/*', '*/'],
  quotes: '"',
  longQuotes: [],
  hasChars: true,
  hasRaw: false,
  isSpacedComment: false,
}
const HASH: Grammar = {
  ...C_LIKE,
  lineComments: ['#'],
  block: null,
  quotes: `"'`,
  hasChars: false,
  isSpacedComment: true,
}

const GRAMMARS: Readonly<Record<Family, Grammar>> = {
  js: { ...C_LIKE, quotes: `"'`, longQuotes: ['`'], hasChars: false },
  python: { ...HASH, longQuotes: ['"""', "'''"], isSpacedComment: false },
  go: { ...C_LIKE, longQuotes: ['`'] },
  rust: { ...C_LIKE, quotes: '', longQuotes: ['"'] },
  c: { ...C_LIKE, hasRaw: true },
  java: { ...C_LIKE, longQuotes: ['"""'] },
  ruby: HASH,
  shell: HASH,
  config: HASH,
  json: { ...C_LIKE, hasChars: false },
}

/** The construct that is open at the end of a line. */
type Open =
  | { readonly kind: 'comment' }
  | { readonly kind: 'quote'; readonly closes: string; readonly hasEscapes: boolean }

const LONGEST_LINE = 20_000

export function readCode(lines: readonly string[], family: Family): readonly CodeLine[] {
  const scanner = new Scanner(GRAMMARS[family])
  return lines.map((raw, place) => scanner.line(raw, place + 1))
}

class Scanner {
  readonly #grammar: Grammar
  readonly #open: Open[] = []
  #code = ''
  #text = ''
  #comment = ''

  constructor(grammar: Grammar) {
    this.#grammar = grammar
  }

  line(raw: string, line: number): CodeLine {
    this.#code = ''
    this.#text = ''
    this.#comment = ''
    const source = raw.slice(0, LONGEST_LINE)
    if (line === 1 && /^#!(?!\[)/.test(source)) this.#comment = source
    else for (let at = 0; at < source.length;) at = this.#step(source, at)
    return { line, raw, code: this.#code, text: this.#text, comment: this.#comment }
  }

  /** Reads one token and returns the start of the next. */
  #step(source: string, at: number): number {
    const open = this.#open.at(-1)
    switch (open?.kind) {
      case 'comment':
        return this.#inComment(source, at)
      case 'quote':
        return this.#inQuote(source, at, open)
      case undefined:
        return this.#inCode(source, at)
    }
  }

  #inComment(source: string, at: number): number {
    const close = this.#grammar.block?.[1] ?? ''
    const end = source.indexOf(close, at)
    this.#comment += source.slice(at, end === -1 ? undefined : end)
    if (end === -1) return source.length
    this.#open.pop()
    return end + close.length
  }

  #inQuote(source: string, at: number, { closes, hasEscapes }: Open & { kind: 'quote' }): number {
    if (hasEscapes && source[at] === '\\') return at + 2
    if (!source.startsWith(closes, at)) return at + 1
    this.#open.pop()
    this.#both(closes)
    return at + closes.length
  }

  #inCode(source: string, at: number): number {
    const { lineComments, block, quotes, longQuotes, hasChars, hasRaw } = this.#grammar
    const char = source.charAt(at)
    if (lineComments.some((mark) => source.startsWith(mark, at)) && this.#mayComment(source, at)) {
      this.#comment += source.slice(at + 1).replace(/^[/#!]+/, '')
      return source.length
    }
    if (block !== null && source.startsWith(block[0], at)) {
      this.#open.push({ kind: 'comment' })
      return at + block[0].length
    }
    const raw = hasRaw && !/\w/.test(source.charAt(at - 1)) ? RAW.exec(source.slice(at, at + 40)) : null
    if (raw !== null) return this.#openRaw(raw, at)
    const long = longQuotes.find((mark) => source.startsWith(mark, at))
    if (long !== undefined) return this.#openLong(long, at)
    if (hasChars && char === "'") {
      const letter = /^'(\\[^']{1,10}|\\'|[^'\\])'/.exec(source.slice(at, at + 14))
      this.#both(letter === null ? "'" : "''")
      return at + (letter?.[0].length ?? 1)
    }
    if (quotes.includes(char)) return this.#quoted(source, at, char)
    this.#both(char)
    return at + 1
  }

  /** `$#` and `a#b` are not comments in a shell. */
  #mayComment(source: string, at: number): boolean {
    return !this.#grammar.isSpacedComment || at === 0 || /[\s;(]/.test(source.charAt(at - 1))
  }

  #openLong(mark: string, at: number): number {
    this.#open.push({ kind: 'quote', closes: mark, hasEscapes: mark !== '`' })
    this.#both(mark)
    return at + mark.length
  }

  /** `R"x(…)x"` of C++. */
  #openRaw([whole, mark = '']: RegExpExecArray, at: number): number {
    this.#open.push({ kind: 'quote', closes: `)${mark}"`, hasEscapes: false })
    this.#both('"')
    return at + whole.length
  }

  #quoted(source: string, at: number, quote: string): number {
    let end = at + 1
    while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1
    this.#code += quote + quote
    this.#text += source.slice(at, end + 1)
    return end + 1
  }

  #both(piece: string): void {
    this.#code += piece
    this.#text += piece
  }
}

const RAW = /^(?:u8|[uUL])?R"([^\s()\\]{0,16})\(/
