/** TOML as plain values: as much of it as manifests and lock files use. What is no TOML is told, not guessed. */
import type { Unreadable } from './locked.ts'

type Table = Record<string, unknown>

export function tomlOf(source: string): Readonly<Table> | Unreadable {
  try {
    return new TomlReader(source).read()
  } catch (error) {
    return { unreadable: error instanceof TomlMistake ? error.message : 'it is no valid TOML' }
  }
}

class TomlMistake extends Error {}

class TomlReader {
  readonly #text: string
  #at = 0

  constructor(source: string) {
    this.#text = source.replace(/^\ufeff/, '')
  }

  read(): Table {
    const root: Table = {}
    let table = root
    for (this.#skipAll(); this.#at < this.#text.length; this.#skipAll()) {
      if (this.#text.startsWith('[[', this.#at)) table = this.#header(root, '[[', ']]')
      else if (this.#text.charAt(this.#at) === '[') table = this.#header(root, '[', ']')
      else this.#pair(table)
      this.#endLine()
    }
    return root
  }

  #header(root: Table, open: '[' | '[[', close: ']' | ']]'): Table {
    this.#at += open.length
    const path = this.#keys()
    this.#expect(close)
    const last = path.pop() ?? ''
    const parent = this.#tableAt(root, path)
    if (open === '[') {
      const known = parent[last]
      if (known === undefined) parent[last] = {}
      return asTable(parent[last], this.#mistake())
    }
    const known = parent[last] ?? []
    if (!Array.isArray(known)) throw this.#mistake()
    const table: Table = {}
    known.push(table)
    parent[last] = known
    return table
  }

  /** A list of tables stands for its last one. */
  #tableAt(root: Table, path: readonly string[]): Table {
    let table = root
    for (const key of path) {
      const known = table[key] ?? (table[key] = {})
      const next: unknown = Array.isArray(known) ? known.at(-1) : known
      table = asTable(next, this.#mistake())
    }
    return table
  }

  #pair(table: Table): void {
    const path = this.#keys()
    this.#expect('=')
    this.#skipBlanks()
    const last = path.pop() ?? ''
    const parent = this.#tableAt(table, path)
    if (Object.hasOwn(parent, last)) throw this.#mistake()
    parent[last] = this.#value()
  }

  #keys(): string[] {
    const keys: string[] = []
    do {
      this.#skipBlanks()
      const char = this.#text.charAt(this.#at)
      if (char === '"' || char === "'") keys.push(this.#string())
      else {
        const bare = this.#match(/[A-Za-z0-9_-]+/y)
        if (bare === null) throw this.#mistake()
        keys.push(bare)
      }
      this.#skipBlanks()
    } while (this.#take('.'))
    // No name of a table may reach what every object has.
    if (keys.includes('__proto__')) throw this.#mistake()
    return keys
  }

  #value(depth = 0): unknown {
    if (depth > 50) throw this.#mistake()
    const char = this.#text.charAt(this.#at)
    if (char === '"' || char === "'") return this.#string()
    if (char === '[') return this.#array(depth)
    if (char === '{') return this.#inline(depth)
    const word = this.#match(/[A-Za-z0-9_+.:-]+(?: \d{2}:[\d:.]+\S*)?/y)
    if (word === null) throw this.#mistake()
    if (word === 'true' || word === 'false') return word === 'true'
    const number = Number(word.replaceAll('_', ''))
    return Number.isNaN(number) ? word : number
  }

  #array(depth: number): unknown[] {
    this.#expect('[')
    const values: unknown[] = []
    for (this.#skipAll(); !this.#take(']'); this.#skipAll()) {
      values.push(this.#value(depth + 1))
      this.#skipAll()
      if (!this.#take(',')) {
        this.#skipAll()
        this.#expect(']')
        return values
      }
    }
    return values
  }

  #inline(depth: number): Table {
    this.#expect('{')
    const table: Table = {}
    for (this.#skipAll(); !this.#take('}'); this.#skipAll()) {
      const path = this.#keys()
      this.#expect('=')
      this.#skipAll()
      const last = path.pop() ?? ''
      this.#tableAt(table, path)[last] = this.#value(depth + 1)
      this.#skipAll()
      if (!this.#take(',')) {
        this.#expect('}')
        return table
      }
    }
    return table
  }

  #string(): string {
    const quote = this.#text.charAt(this.#at)
    const long = quote.repeat(3)
    if (this.#text.startsWith(long, this.#at)) {
      const start = this.#at + 3
      const end = this.#endOfLong(long, start)
      this.#at = end + 3
      const inner = this.#text.slice(start, end).replace(/^\r?\n/, '')
      return quote === '"' ? unescaped(inner.replace(/\\\s*\n\s*/g, '')) : inner
    }
    const found = this.#match(quote === '"' ? /"(?:[^"\\\n]|\\.)*"/y : /'[^'\n]*'/y)
    if (found === null) throw this.#mistake()
    const inner = found.slice(1, -1)
    return quote === '"' ? unescaped(inner) : inner
  }

  #endOfLong(long: string, start: number): number {
    for (let at = start; at < this.#text.length; at++) {
      if (long === '"""' && this.#text.charAt(at) === '\\') at++
      else if (this.#text.startsWith(long, at)) return at
    }
    throw this.#mistake()
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? null
    if (found !== null) this.#at += found.length
    return found
  }

  #take(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false
    this.#at += mark.length
    return true
  }

  #expect(mark: string): void {
    this.#skipBlanks()
    if (!this.#take(mark)) throw this.#mistake()
  }

  #skipBlanks(): void {
    this.#match(/[ \t]+/y)
  }

  /** Blanks, comments and ends of lines. */
  #skipAll(): void {
    this.#match(/(?:[ \t\r\n]+|#[^\n]*)+/y)
  }

  #endLine(): void {
    this.#match(/[ \t]*(?:#[^\n]*)?\r?/y)
    if (this.#at < this.#text.length && this.#text.charAt(this.#at) !== '\n') throw this.#mistake()
  }

  #mistake(): TomlMistake {
    const line = this.#text.slice(0, this.#at).split('\n').length
    return new TomlMistake(`line ${line} is no valid TOML`)
  }
}

function asTable(value: unknown, mistake: Error): Table {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mistake
  return value as Table
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', e: '\u001b' }

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([^]))/g,
    (...found: unknown[]) => {
      const digits = [found[1], found[2], found[3]].find((one): one is string => typeof one === 'string')
      if (digits !== undefined) {
        const code = Number.parseInt(digits, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : ''
      }
      const char = String(found[4])
      return ESCAPES[char] ?? char
    },
  )
}
