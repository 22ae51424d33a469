/** Lines of a program told apart: what is code, what is text in quotes, what is comment. In one pass, for any input. */
import type { Family } from './families.ts'

export interface CodeLine {
  /** From 1. */
  readonly line: number
  readonly raw: string
  /** Without comments, and with nothing between quotes. */
  readonly code: string
  /** Without comments; what is between quotes on this line is kept. */
  readonly text: string
  /** What its comments say. */
  readonly comment: string
  /** Open braces and brackets where the line begins. */
  readonly depth: number
}

interface Grammar {
  readonly lineComments: readonly string[]
  readonly block: readonly [open: string, close: string] | null
  /** Quotes that end with their line at the latest. */
  readonly quotes: string
  /** Quotes that may hold several lines, the longest first. */
  readonly longQuotes: readonly string[]
  /** Whether `'` is around one character only, and means something else elsewhere. */
  readonly hasChars: boolean
  /** Whether a letter before a quote makes all in it plain text, over several lines. */
  readonly hasRaw: boolean
  /** Whether `/` may begin a pattern, and a backtick a text with code in it. */
  readonly isScript: boolean
  /** Whether a comment begins only after a blank. */
  readonly isSpacedComment: boolean
}

const C_LIKE: Grammar = {
  lineComments: ['//'],
  block: ['/*', '*/'],
  quotes: '"',
  longQuotes: [],
  hasChars: true,
  hasRaw: false,
  isScript: false,
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
  js: { ...C_LIKE, quotes: `"'`, hasChars: false, isScript: true },
  python: { ...HASH, longQuotes: ['"""', "'''"], isSpacedComment: false },
  go: { ...C_LIKE, longQuotes: ['`'] },
  rust: { ...C_LIKE, quotes: '', longQuotes: ['"'], hasRaw: true },
  c: { ...C_LIKE, hasRaw: true },
  java: { ...C_LIKE, longQuotes: ['"""'] },
  ruby: HASH,
  shell: HASH,
  config: HASH,
  json: { ...C_LIKE, hasChars: false },
}

/** What is open at the end of a line. */
type Open =
  | { readonly kind: 'comment' }
  | { readonly kind: 'quote'; readonly closes: string; readonly hasEscapes: boolean }
  /** A template of a script: code begins again at `${`. */
  | { readonly kind: 'template' }
  /** Code within a template, until the brace that closes it. */
  | { readonly kind: 'hole'; readonly depth: number }

const LONGEST_LINE = 20_000

export function readCode(lines: readonly string[], family: Family): readonly CodeLine[] {
  const scanner = new Scanner(GRAMMARS[family])
  return lines.map((raw, place) => scanner.line(raw, place + 1))
}

class Scanner {
  readonly #grammar: Grammar
  readonly #open: Open[] = []
  #depth = 0
  #code = ''
  #text = ''
  #comment = ''

  constructor(grammar: Grammar) {
    this.#grammar = grammar
  }

  line(raw: string, line: number): CodeLine {
    const depth = this.#depth
    this.#code = ''
    this.#text = ''
    this.#comment = ''
    const source = raw.slice(0, LONGEST_LINE)
    if (line === 1 && /^#!(?!\[)/.test(source)) this.#comment = source
    else for (let at = 0; at < source.length;) at = this.#step(source, at)
    return { line, raw, code: this.#code, text: this.#text, comment: this.#comment, depth }
  }

  /** Reads one piece and says where the next begins. */
  #step(source: string, at: number): number {
    const open = this.#open.at(-1)
    switch (open?.kind) {
      case 'comment':
        return this.#inComment(source, at)
      case 'quote':
        return this.#inQuote(source, at, open)
      case 'template':
        return this.#inTemplate(source, at)
      case 'hole':
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

  #inTemplate(source: string, at: number): number {
    if (source[at] === '\\') return at + 2
    if (source.startsWith('${', at)) {
      this.#open.push({ kind: 'hole', depth: this.#depth })
      this.#both('${')
      return at + 2
    }
    if (source[at] !== '`') return at + 1
    this.#open.pop()
    this.#both('`')
    return at + 1
  }

  #inCode(source: string, at: number): number {
    const { lineComments, block, quotes, longQuotes, hasChars, hasRaw, isScript } = this.#grammar
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
    if (isScript && char === '`') {
      this.#open.push({ kind: 'template' })
      this.#both('`')
      return at + 1
    }
    if (hasChars && char === "'") {
      const letter = /^'(\\[^']{1,10}|\\'|[^'\\])'/.exec(source.slice(at, at + 14))
      this.#both(letter === null ? "'" : "''")
      return at + (letter?.[0].length ?? 1)
    }
    if (quotes.includes(char)) return this.#quoted(source, at, char)
    if (isScript && char === '/' && this.#mayPattern()) return this.#pattern(source, at)
    return this.#plain(char, at)
  }

  #plain(char: string, at: number): number {
    if (char === '{' || char === '(' || char === '[') this.#depth += 1
    if (char === '}' || char === ')' || char === ']') {
      const hole = this.#open.at(-1)
      if (char === '}' && hole?.kind === 'hole' && hole.depth === this.#depth) {
        this.#open.pop()
        this.#both('}')
        return at + 1
      }
      this.#depth = Math.max(0, this.#depth - 1)
    }
    this.#both(char)
    return at + 1
  }

  /** `$#` and `a#b` are no comments in a shell. */
  #mayComment(source: string, at: number): boolean {
    return !this.#grammar.isSpacedComment || at === 0 || /[\s;(]/.test(source.charAt(at - 1))
  }

  #openLong(mark: string, at: number): number {
    this.#open.push({ kind: 'quote', closes: mark, hasEscapes: mark !== '`' })
    this.#both(mark)
    return at + mark.length
  }

  /** `r#"…"#` of Rust, `R"x(…)x"` of C++. */
  #openRaw(raw: RegExpExecArray, at: number): number {
    const [whole, hashes, mark] = raw
    const closes = hashes === undefined ? `)${mark ?? ''}"` : `"${hashes}`
    this.#open.push({ kind: 'quote', closes, hasEscapes: false })
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

  /** A slash after a value divides; anywhere else it begins a pattern. */
  #mayPattern(): boolean {
    const before = this.#code.trimEnd()
    return !/[\w$)\]}"'`]$/.test(before) || /\b(return|typeof|case|in|of|do|else|await|yield)$/.test(before)
  }

  #pattern(source: string, at: number): number {
    let isClass = false
    let end = at + 1
    for (; end < source.length; end++) {
      const char = source[end]
      if (char === '\\') end++
      else if (char === '[') isClass = true
      else if (char === ']') isClass = false
      else if (char === '/' && !isClass) break
    }
    if (end >= source.length) return this.#plain('/', at)
    this.#code += '//'
    this.#text += source.slice(at, end + 1)
    return end + 1
  }

  #both(piece: string): void {
    this.#code += piece
    this.#text += piece
  }
}

const RAW = /^(?:b?r(#{0,9})"|(?:u8|[uUL])?R"([^\s()\\]{0,16})\()/
