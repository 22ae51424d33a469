/** What a Go file adds to its package: names that begin with a capital letter. */
import {
  afterClosing,
  inside,
  lineOf as textOf,
  quotedEnd,
  splitAtCommas,
  tokensOf,
  type Dialect,
  type Token,
} from './lexer.ts'
import { NO_API, symbolOf, type FileApi, type Parameter, type PublicSymbol } from './public-symbol.ts'

const GO: Dialect = {
  marks: ['...', ':=', '<-'],
  stringAt: (text, at) => {
    const char = text.charAt(at)
    if (char === '"' || char === "'") return quotedEnd(text, at, false)
    if (char !== '`') return null
    const end = text.indexOf('`', at + 1)
    return end === -1 ? text.length : end + 1
  },
}

/** `[]int` and `map[string]int` are written without a blank. */
const lineOf = (tokens: readonly Token[]): string => textOf(tokens).replace(/\] (?=[\w*([])/g, ']')

export const isExported = (name: string): boolean => /^\p{Lu}/u.test(name)

export function readGo(text: string): FileApi {
  const tokens = tokensOf(text, GO)
  if (tokens === null) return { ...NO_API, doubts: ['it is too large to be read'] }
  const start = tokens.findIndex((token) => token.text === 'package' && token.isFirst)
  // Nobody can import a program.
  if (start === -1 || tokens[start + 1]?.text === 'main') return NO_API
  const symbols: PublicSymbol[] = []
  for (let at = start + 2; at < tokens.length;) {
    const token = tokens[at]
    const isStart = token?.kind === 'word' && (token.isFirst || tokens[at - 1]?.text === ';')
    if (isStart && token.text === 'func') at = functionAt(tokens, at, symbols)
    else if (isStart && /^(type|const|var)$/.test(token.text)) at = groupAt(tokens, at, symbols)
    else at = token?.kind === 'mark' && '([{'.includes(token.text) ? afterClosing(tokens, at) : at + 1
  }
  return { symbols, passedOn: [], doubts: [] }
}

function functionAt(tokens: readonly Token[], start: number, symbols: PublicSymbol[]): number {
  let at = start + 1
  let owner = ''
  let receiver = ''
  if (tokens[at]?.text === '(') {
    const inner = inside(tokens, at)
    const typed = inner.filter((token) => token.kind === 'word')
    const isPointer = inner.some((token) => token.text === '*')
    const bracket = inner.findIndex((token) => token.text === '[')
    const words = bracket === -1 ? typed : inner.slice(0, bracket).filter((token) => token.kind === 'word')
    owner = words.at(-1)?.text ?? ''
    receiver = isPointer ? 'pointer' : ''
    at = afterClosing(tokens, at)
  }
  const own = tokens[at]?.text ?? ''
  const line = tokens[start]?.line ?? 1
  at++
  const called = callAt(tokens, at)
  if (called === null) return at
  if (isExported(own) && (owner === '' || isExported(owner))) {
    const name = owner === '' ? own : `${owner}.${own}`
    const kind = owner === '' ? 'function' : 'member'
    symbols.push(callSymbol({ name, line, called, kind, modifiers: receiver === '' ? [] : [receiver] }))
  }
  return tokens[called.end]?.text === '{' ? afterClosing(tokens, called.end) : called.end
}

interface Call {
  readonly typeParameters: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly type: string | null
  readonly end: number
}

/** `[T any](a, b int) (c, error)`. */
function callAt(tokens: readonly Token[], start: number): Call | null {
  let at = start
  let typeParameters: readonly string[] = []
  if (tokens[at]?.text === '[') {
    typeParameters = groupedTypes(inside(tokens, at)).map(({ name, type }) => `${name} ${type ?? ''}`)
    at = afterClosing(tokens, at)
  }
  if (tokens[at]?.text !== '(') return null
  const parameters = groupedTypes(inside(tokens, at))
  at = afterClosing(tokens, at)
  const next = tokens[at]
  if (next === undefined || next.isFirst) return { typeParameters, parameters, type: null, end: at }
  if (next.text === '(') {
    const results = groupedTypes(inside(tokens, at)).map((one) => one.type ?? '')
    return { typeParameters, parameters, type: `(${results.join(', ')})`, end: afterClosing(tokens, at) }
  }
  const end = endOfType(tokens, at)
  const type = end === at ? null : lineOf(tokens.slice(at, end))
  return { typeParameters, parameters, type, end }
}

/** Where a type ends: with its line, or before a body. */
function endOfType(tokens: readonly Token[], start: number): number {
  let at = start
  while (at < tokens.length) {
    const token = tokens[at]
    if (token === undefined || (token.isFirst && at > start)) return at
    if (token.text === 'struct' || token.text === 'interface') {
      at = tokens[at + 1]?.text === '{' ? afterClosing(tokens, at + 1) : at + 1
    } else if (token.text === '{' || token.text === ';' || token.text === ',' || token.text === '=') return at
    else if (token.kind === 'string') return at
    else if (token.text === ')' || token.text === ']' || token.text === '}') return at
    else at = token.text === '(' || token.text === '[' ? afterClosing(tokens, at) : at + 1
  }
  return at
}

const TYPE_WORDS: ReadonlySet<string> = new Set(['map', 'chan', 'func', 'interface', 'struct'])

/** `a, b int, c ...string`, or types alone: `int, string`. */
function groupedTypes(tokens: readonly Token[]): readonly Parameter[] {
  const parts = splitAtCommas(tokens)
  const isNamed = parts.some((part) => {
    const [first, second] = part
    if (first?.kind !== 'word' || second === undefined || TYPE_WORDS.has(first.text)) return false
    return second.text !== '.' && !(second.text === '[' && second.isTight)
  })
  const read = parts.map((part) => {
    const own = isNamed ? part.slice(1) : part
    const isRest = own[0]?.text === '...'
    return { name: isNamed ? (part[0]?.text ?? '') : '', type: lineOf(isRest ? own.slice(1) : own), isRest }
  })
  return read.map(({ name, type, isRest }, place) => {
    const shared = type === '' ? read.slice(place).find((later) => later.type !== '') : undefined
    return { name, type: shared?.type ?? type, need: isRest ? 'rest' : 'required' }
  })
}

function callSymbol(said: {
  readonly name: string
  readonly line: number
  readonly called: Call
  readonly kind: PublicSymbol['kind']
  readonly modifiers: readonly string[]
}): PublicSymbol {
  const { name, line, called, kind, modifiers } = said
  const { parameters, type, typeParameters } = called
  const taken = parameters.map((one) => {
    const shown = `${one.need === 'rest' ? '...' : ''}${one.type ?? ''}`
    return one.name === '' ? shown : `${one.name} ${shown}`
  })
  const generics = typeParameters.length === 0 ? '' : `[${typeParameters.join(', ')}]`
  const star = modifiers.includes('pointer') ? '*' : ''
  const signature = `${star}${name}${generics}(${taken.join(', ')})${type === null ? '' : ` ${type}`}`
  return symbolOf({ name, line, kind, signature, parameters, type, typeParameters, modifiers })
}

/** `type (…)`, `const (…)`, `var (…)`, or one of them alone. */
function groupAt(tokens: readonly Token[], start: number, symbols: PublicSymbol[]): number {
  const word = tokens[start]?.text ?? ''
  const isGroup = tokens[start + 1]?.text === '('
  const body = isGroup
    ? inside(tokens, start + 1)
    : tokens.slice(start + 1, endOfStatement(tokens, start + 1))
  for (let at = 0; at < body.length;) {
    const end = Math.max(endOfStatement(body, at), at + 1)
    const part = body.slice(at, end)
    if (word === 'type') typeSpec(part, symbols)
    else valueSpec(part, word, symbols)
    at = body[end]?.text === ';' ? end + 1 : end
  }
  return isGroup ? afterClosing(tokens, start + 1) : endOfStatement(tokens, start + 1)
}

const GOES_ON: ReadonlySet<string> = new Set('+ - * / % & | ^ = , . ( [ { := < >'.split(' '))

function endOfStatement(tokens: readonly Token[], start: number): number {
  let at = start
  while (at < tokens.length) {
    const [token, before] = [tokens[at], tokens[at - 1]]
    if (token?.text === ';') return at
    const isGoing = before?.kind === 'mark' && GOES_ON.has(before.text)
    if (token?.isFirst === true && at > start && !isGoing) return at
    at = token?.kind === 'mark' && '([{'.includes(token.text) ? afterClosing(tokens, at) : at + 1
  }
  return at
}

function valueSpec(part: readonly Token[], word: string, symbols: PublicSymbol[]): void {
  const equals = part.findIndex((token) => token.text === '=')
  const left = equals === -1 ? part : part.slice(0, equals)
  const names: Token[] = []
  let at = 0
  while (left[at]?.kind === 'word') {
    names.push(left[at] as Token)
    at++
    if (left[at]?.text !== ',') break
    at++
  }
  const typed = lineOf(left.slice(at))
  const type = typed === '' ? null : typed
  for (const { text: name, line } of names) {
    if (!isExported(name)) continue
    const signature = `${word} ${name}${type === null ? '' : ` ${type}`}`
    symbols.push(symbolOf({ name, line, kind: 'value', signature, type }))
  }
}

function typeSpec(part: readonly Token[], symbols: PublicSymbol[]): void {
  const [named] = part
  const name = named?.text ?? ''
  const line = named?.line ?? 1
  if (!isExported(name)) return
  // `A [3]int` is an array, `A[T any]` takes a type.
  const isGeneric = part[1]?.text === '[' && part[1].isTight && inside(part, 1).length > 1
  const typeParameters = isGeneric
    ? groupedTypes(inside(part, 1)).map((one) => `${one.name} ${one.type ?? ''}`)
    : []
  const at = isGeneric ? afterClosing(part, 1) : 1
  const generics = typeParameters.length === 0 ? '' : `[${typeParameters.join(', ')}]`
  const said = { name, line, kind: 'type', typeParameters } as const
  const word = part[at]?.text ?? ''
  if ((word === 'struct' || word === 'interface') && part[at + 1]?.text === '{') {
    symbols.push(symbolOf({ ...said, type: word, signature: `type ${name}${generics} ${word}` }))
    const body = inside(part, at + 1)
    symbols.push(...(word === 'struct' ? fieldsOf(name, body) : methodsOf(name, body)))
    return
  }
  const type = lineOf(part.slice(at))
  symbols.push(symbolOf({ ...said, type, signature: `type ${name}${generics} ${type}` }))
}

/** Tokens of each line of a body, or between its semicolons. */
function statementsIn(body: readonly Token[]): readonly (readonly Token[])[] {
  const found: (readonly Token[])[] = []
  for (let at = 0; at < body.length;) {
    const end = Math.max(endOfStatement(body, at), at + 1)
    found.push(body.slice(at, end))
    at = body[end]?.text === ';' ? end + 1 : end
  }
  return found
}

function fieldsOf(owner: string, body: readonly Token[]): readonly PublicSymbol[] {
  return statementsIn(body).flatMap((whole) => {
    const part = whole.at(-1)?.kind === 'string' ? whole.slice(0, -1) : whole
    const [first, second] = part
    if (first === undefined) return []
    const isEmbedded = first.text === '*' || second === undefined || second.text === '.'
    if (isEmbedded) {
      const name = part.findLast((token) => token.kind === 'word')?.text ?? ''
      return isExported(name) ? [field(owner, name, first.line, lineOf(part))] : []
    }
    const names: string[] = []
    let at = 0
    while (part[at]?.kind === 'word') {
      names.push(part[at]?.text ?? '')
      at++
      if (part[at]?.text !== ',') break
      at++
    }
    const type = lineOf(part.slice(at))
    return names.filter(isExported).map((name) => field(owner, name, first.line, type))
  })
}

function field(owner: string, own: string, line: number, type: string): PublicSymbol {
  const name = `${owner}.${own}`
  return symbolOf({ name, line, kind: 'member', type, signature: `${name} ${type}` })
}

function methodsOf(owner: string, body: readonly Token[]): readonly PublicSymbol[] {
  return statementsIn(body).flatMap((part) => {
    const [first] = part
    if (first === undefined) return []
    const called = first.kind === 'word' && part[1]?.text === '(' ? callAt(part, 1) : null
    if (called !== null) {
      if (!isExported(first.text)) return []
      const name = `${owner}.${first.text}`
      return [callSymbol({ name, line: first.line, called, kind: 'member', modifiers: [] })]
    }
    const type = lineOf(part)
    return [
      symbolOf({ name: `${owner}.${type}`, line: first.line, kind: 'member', signature: `${owner} ${type}` }),
    ]
  })
}
