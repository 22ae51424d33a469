/** The parts of Rust that signatures are made of: strings, lists of types, parameters. */
import { afterClosing, inside, lineOf, quotedEnd, splitAtCommas, type Dialect, type Token } from './lexer.ts'
import type { Parameter } from './public-symbol.ts'

export const RUST: Dialect = {
  marks: ['...', '..=', '..', '::', '->', '=>'],
  hasNestedComments: true,
  stringAt: (text, at) => {
    const raw = /^(?:b|c)?r(#*)"/.exec(text.slice(at, at + 40))
    if (raw !== null) {
      const end = text.indexOf(`"${raw[1] ?? ''}`, at + raw[0].length)
      return end === -1 ? text.length : end + 1 + (raw[1] ?? '').length
    }
    const char = text.charAt(at)
    if (char === '"') return quotedEnd(text, at, true)
    if ((char === 'b' || char === 'c') && text.charAt(at + 1) === '"') return quotedEnd(text, at + 1, true)
    // `'a'` is a character, `'a` a lifetime.
    if (char === "'" && /^'(?:\\[^\n]{1,10}?|[^\\'\n]{1,2})'/u.test(text.slice(at, at + 14))) {
      return quotedEnd(text, at, false)
    }
    return null
  },
}

/** After a semicolon, or after a body. */
export function endOfItem(tokens: readonly Token[], start: number): number {
  for (let at = start; at < tokens.length;) {
    const token = tokens[at]
    if (token?.text === ';') return at + 1
    if (token?.text === '{') return afterClosing(tokens, at)
    if (token?.text === '}') return at + 1
    at = token?.kind === 'mark' && '(['.includes(token.text) ? afterClosing(tokens, at) : at + 1
  }
  return tokens.length
}

/** `<T: A, 'b>`; the arrow of `Fn() -> T` closes nothing. */
export function genericsAt(
  tokens: readonly Token[],
  at: number,
): { readonly names: readonly string[]; readonly end: number } {
  if (tokens[at]?.text !== '<') return { names: [], end: at }
  let depth = 0
  for (let place = at; place < tokens.length; place++) {
    const text = tokens[place]?.text
    if (text === '<') depth++
    else if (text === '>' && --depth === 0) {
      const inner = tokens.slice(at + 1, place)
      return { names: splitTypes(inner).map((part) => lineOf(part)), end: place + 1 }
    }
  }
  return { names: [], end: tokens.length }
}

/** Parts between commas, where every `<` opens a list of types. */
export function splitTypes(tokens: readonly Token[]): readonly (readonly Token[])[] {
  return splitAtCommas(tokens.map((token) => (token.text === '<' ? { ...token, isTight: true } : token)))
}

export interface Called {
  readonly typeParameters: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly receiver: string | null
  readonly type: string | null
  readonly end: number
}

export function calledAt(tokens: readonly Token[], start: number): Called | null {
  const generics = genericsAt(tokens, start)
  if (tokens[generics.end]?.text !== '(') return null
  let receiver: string | null = null
  const parameters = splitTypes(inside(tokens, generics.end)).flatMap((whole): readonly Parameter[] => {
    const part = withoutAttributes(whole)
    const colon = part.findIndex((token) => token.text === ':')
    if (part.some((token) => token.text === 'self') && (colon === -1 || part[0]?.text === 'self')) {
      receiver = lineOf(part.filter((token) => token.text !== 'mut' || part[0]?.text === '&'))
      return []
    }
    if (part.length === 0) return []
    const name = colon > 0 ? (part[colon - 1]?.text ?? '') : ''
    return [
      { name: colon === 2 || colon === 1 ? name : '', type: lineOf(part.slice(colon + 1)), need: 'required' },
    ]
  })
  let at = afterClosing(tokens, generics.end)
  let type: string | null = null
  if (tokens[at]?.text === '->') {
    const end = endOfType(tokens, at + 1)
    type = lineOf(tokens.slice(at + 1, end))
    at = end
  }
  const bounds: string[] = []
  if (tokens[at]?.text === 'where') {
    const end = endOfType(tokens, at + 1)
    bounds.push(...splitTypes(tokens.slice(at + 1, end)).map((part) => `where ${lineOf(part)}`))
    at = end
  }
  return { typeParameters: [...generics.names, ...bounds], parameters, receiver, type, end: at }
}

export function withoutAttributes(part: readonly Token[]): readonly Token[] {
  return part[0]?.text === '#' ? withoutAttributes(part.slice(afterClosing(part, 1))) : part
}

/** Up to a body, a semicolon, an equals sign or `where`. */
export function endOfType(tokens: readonly Token[], start: number): number {
  for (let at = start; at < tokens.length;) {
    const token = tokens[at]
    if (token === undefined || '{;='.includes(token.text) || token.text === 'where') return at
    at = token.kind === 'mark' && '(['.includes(token.text) ? afterClosing(tokens, at) : at + 1
  }
  return tokens.length
}

export function visibilityAt(
  tokens: readonly Token[],
  start: number,
): { readonly isPublic: boolean; readonly start: number; readonly end: number } {
  if (tokens[start]?.text !== 'pub') return { isPublic: false, start, end: start }
  const isLimited =
    tokens[start + 1]?.text === '(' && /^(crate|super|self|in)$/.test(tokens[start + 2]?.text ?? '')
  return { isPublic: !isLimited, start, end: isLimited ? afterClosing(tokens, start + 1) : start + 1 }
}
