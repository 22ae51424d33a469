/** What a Rust file makes public: items with a bare `pub`, their public parts, and what is implemented for them. */
import { afterClosing, inside, lineOf, splitAtCommas, tokensOf, type Token } from './lexer.ts'
import { NO_API, symbolOf, type FileApi, type PublicSymbol } from './public-symbol.ts'
import {
  calledAt,
  endOfItem,
  endOfType,
  genericsAt,
  RUST,
  splitTypes,
  visibilityAt,
  withoutAttributes,
  type Called,
} from './rust-parts.ts'

export function readRust(text: string): FileApi {
  const tokens = tokensOf(text, RUST)
  if (tokens === null) return { ...NO_API, doubts: ['it is too large to be read'] }
  return { symbols: itemsIn(tokens, ''), passedOn: [], doubts: [] }
}

const WORDS: ReadonlySet<string> = new Set(['unsafe', 'async', 'const', 'default', 'extern', 'safe'])

interface Item {
  readonly isPublic: boolean
  readonly attributes: readonly string[]
  readonly words: readonly string[]
  readonly line: number
  readonly prefix: string
}

function itemsIn(tokens: readonly Token[], prefix: string): PublicSymbol[] {
  const symbols: PublicSymbol[] = []
  for (let at = 0; at < tokens.length;) {
    const attributes: string[] = []
    while (tokens[at]?.text === '#') {
      const open = tokens[at + 1]?.text === '!' ? at + 2 : at + 1
      attributes.push(lineOf(inside(tokens, open)))
      at = Math.max(afterClosing(tokens, open), at + 1)
    }
    const visible = visibilityAt(tokens, at)
    at = visible.end
    const words: string[] = []
    while (WORDS.has(tokens[at]?.text ?? '') && isItemWord(tokens[at + 1])) {
      words.push(tokens[at]?.text ?? '')
      at += tokens[at]?.text === 'extern' && tokens[at + 1]?.kind === 'string' ? 2 : 1
    }
    const line = tokens[visible.start]?.line ?? 1
    const { isPublic } = visible
    const end = itemAt(tokens, at, { isPublic, attributes, words, line, prefix }, symbols)
    at = Math.max(end, at + 1)
  }
  return symbols
}

const isItemWord = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'string' || /^(fn|unsafe|async|const|extern|trait|impl|safe)$/.test(token.text))

/** The place after the item at `at`. */
function itemAt(tokens: readonly Token[], at: number, item: Item, symbols: PublicSymbol[]): number {
  const isTest = item.attributes.some((text) => /^cfg\(test\)$|^test$|^doc\(hidden\)$/.test(text))
  const into = isTest ? [] : symbols
  const word = tokens[at]?.text ?? ''
  switch (word) {
    case 'fn':
      return functionAt(tokens, at, item, into)
    case 'struct':
    case 'union':
      return structAt(tokens, at, item, into)
    case 'enum':
      return enumAt(tokens, at, item, into)
    case 'trait':
      return traitAt(tokens, at, item, into)
    case 'impl':
      return implAt(tokens, at, item, into)
    case 'mod':
      return moduleAt(tokens, at, item, into)
    case 'use': {
      const end = endOfItem(tokens, at)
      if (item.isPublic) into.push(...usedNames(tokens.slice(at + 1, end), item))
      return end
    }
    case 'type':
    case 'const':
    case 'static':
      return valueAt(tokens, at, item, into)
    case 'macro_rules': {
      const name = tokens[at + 2]?.text ?? ''
      if (item.attributes.includes('macro_export')) {
        into.push(symbolOf({ name: `${name}!`, kind: 'macro', line: item.line }))
      }
      return endOfItem(tokens, at)
    }
    default:
      return endOfItem(tokens, at)
  }
}

function functionSymbol(name: string, called: Called, item: Item, kind: PublicSymbol['kind']): PublicSymbol {
  const { parameters, receiver, type, typeParameters } = called
  const taken = [
    ...(receiver === null ? [] : [receiver]),
    ...parameters.map((one) => (one.name === '' ? (one.type ?? '') : `${one.name}: ${one.type ?? ''}`)),
  ]
  const generics = typeParameters.filter((text) => !text.startsWith('where '))
  const words = item.words.filter((word) => word !== 'default')
  const signature = `${[...words, 'fn'].join(' ')} ${name}${generics.length === 0 ? '' : `<${generics.join(', ')}>`}(${taken.join(', ')})${type === null ? '' : ` -> ${type}`}`
  const modifiers = [...words, ...(receiver === null ? [] : [`on ${receiver}`])]
  return symbolOf({ name, kind, line: item.line, signature, parameters, type, typeParameters, modifiers })
}

function functionAt(tokens: readonly Token[], at: number, item: Item, symbols: PublicSymbol[]): number {
  const called = calledAt(tokens, at + 2)
  if (called === null) return endOfItem(tokens, at)
  if (item.isPublic) {
    const kind = item.prefix.endsWith('.') ? 'member' : 'function'
    symbols.push(functionSymbol(`${item.prefix}${tokens[at + 1]?.text ?? ''}`, called, item, kind))
  }
  return endOfItem(tokens, called.end)
}

function structAt(tokens: readonly Token[], at: number, item: Item, symbols: PublicSymbol[]): number {
  const word = tokens[at]?.text ?? ''
  const name = `${item.prefix}${tokens[at + 1]?.text ?? ''}`
  const generics = genericsAt(tokens, at + 2)
  let place = generics.end
  while (place < tokens.length && !'{(;'.includes(tokens[place]?.text ?? ';')) place++
  const end = tokens[place]?.text === '(' ? endOfItem(tokens, place) : endOfItem(tokens, at)
  if (!item.isPublic) return end
  const shown = generics.names.length === 0 ? '' : `<${generics.names.join(', ')}>`
  const signature = `${word} ${name}${shown}`
  symbols.push(
    symbolOf({ name, kind: 'type', line: item.line, signature, typeParameters: generics.names }),
    ...fieldsOf(name, tokens, place),
  )
  return end
}

function fieldsOf(owner: string, tokens: readonly Token[], at: number): readonly PublicSymbol[] {
  const open = tokens[at]?.text
  if (open !== '{' && open !== '(') return []
  return splitTypes(inside(tokens, at)).flatMap((whole, place) => {
    const part = withoutAttributes(whole)
    const visible = visibilityAt(part, 0)
    if (!visible.isPublic) return []
    const rest = part.slice(visible.end)
    const own = open === '(' ? String(place) : (rest[0]?.text ?? '')
    const type = lineOf(open === '(' ? rest : rest.slice(2))
    const line = part[0]?.line ?? 1
    const name = `${owner}.${own}`
    return [symbolOf({ name, kind: 'member', line, type, signature: `${name}: ${type}` })]
  })
}

function enumAt(tokens: readonly Token[], at: number, item: Item, symbols: PublicSymbol[]): number {
  const name = `${item.prefix}${tokens[at + 1]?.text ?? ''}`
  const generics = genericsAt(tokens, at + 2)
  let body = generics.end
  while (body < tokens.length && tokens[body]?.text !== '{') body++
  const end = afterClosing(tokens, body)
  if (!item.isPublic) return end
  const shown = generics.names.length === 0 ? '' : `<${generics.names.join(', ')}>`
  symbols.push(
    symbolOf({
      name,
      kind: 'type',
      line: item.line,
      signature: `enum ${name}${shown}`,
      typeParameters: generics.names,
    }),
  )
  for (const whole of splitTypes(inside(tokens, body))) {
    const part = withoutAttributes(whole)
    const [variant] = part
    if (variant === undefined) continue
    const equals = part.findIndex((token) => token.text === '=')
    const held = lineOf(part.slice(1, equals === -1 ? part.length : equals))
    const value = equals === -1 ? null : lineOf(part.slice(equals + 1))
    const whose = `${name}.${variant.text}`
    const type = held === '' ? null : held
    symbols.push(
      symbolOf({
        name: whose,
        kind: 'member',
        line: variant.line,
        type,
        value,
        signature: `${whose}${held}`,
      }),
    )
  }
  return end
}

function traitAt(tokens: readonly Token[], at: number, item: Item, symbols: PublicSymbol[]): number {
  const name = `${item.prefix}${tokens[at + 1]?.text ?? ''}`
  const generics = genericsAt(tokens, at + 2)
  let body = generics.end
  while (body < tokens.length && tokens[body]?.text !== '{') body++
  if (item.isPublic) {
    const bases =
      tokens[generics.end]?.text === ':' ? lineOf(tokens.slice(generics.end + 1, body)).split(' + ') : []
    const signature = `trait ${name}${bases.length === 0 ? '' : `: ${bases.join(' + ')}`}`
    const said = { name, kind: 'type', line: item.line, signature, bases } as const
    symbols.push(symbolOf({ ...said, typeParameters: generics.names, modifiers: item.words }))
    symbols.push(...membersIn(inside(tokens, body), `${name}.`, 'all'))
  }
  return afterClosing(tokens, body)
}

/** What a trait or an `impl` holds; of a trait everything is public. */
function membersIn(body: readonly Token[], prefix: string, shown: 'all' | 'pub'): readonly PublicSymbol[] {
  return itemsIn(shown === 'all' ? madePublic(body) : body, prefix).map((symbol) => ({
    ...symbol,
    kind: 'member',
  }))
}

function madePublic(body: readonly Token[]): readonly Token[] {
  const tokens: Token[] = []
  let depth = 0
  body.forEach((token, at) => {
    const before = body[at - 1]
    const isStart =
      depth === 0 &&
      (before === undefined || before.text === ';' || before.text === '}' || before.text === ']')
    if (isStart && token.kind === 'word') tokens.push({ ...token, text: 'pub' })
    if (token.kind === 'mark' && '([{'.includes(token.text)) depth++
    if (token.kind === 'mark' && ')]}'.includes(token.text)) depth--
    tokens.push(token)
  })
  return tokens
}

/** `impl<T> Type<T> { … }` adds to the type; `impl Trait for Type` is what the type can do. */
function implAt(tokens: readonly Token[], at: number, item: Item, symbols: PublicSymbol[]): number {
  const generics = genericsAt(tokens, at + 1)
  let body = generics.end
  while (body < tokens.length && tokens[body]?.text !== '{') body++
  const head = tokens.slice(generics.end, body)
  const where = head.findIndex((token) => token.text === 'where')
  const typed = where === -1 ? head : head.slice(0, where)
  const of = typed.findIndex((token) => token.text === 'for' && typed[0]?.text !== 'for')
  const target = of === -1 ? typed : typed.slice(of + 1)
  const owner = target.find((token) => token.kind === 'word' && !/^(dyn|mut)$/.test(token.text))
  const path = target.slice(
    0,
    Math.max(
      target.findIndex((token) => token.text === '<'),
      0,
    ) || target.length,
  )
  const name = `${item.prefix}${path.findLast((token) => token.kind === 'word')?.text ?? owner?.text ?? ''}`
  if (of === -1) symbols.push(...membersIn(inside(tokens, body), `${name}.`, 'pub'))
  else {
    const trait = lineOf(typed.slice(0, of))
    const whole = `${name}.impl ${trait}`
    symbols.push(
      symbolOf({ name: whole, kind: 'member', line: item.line, signature: `impl ${trait} for ${name}` }),
    )
  }
  return afterClosing(tokens, body)
}

function moduleAt(tokens: readonly Token[], at: number, item: Item, symbols: PublicSymbol[]): number {
  const name = `${item.prefix}${tokens[at + 1]?.text ?? ''}`
  const isInline = tokens[at + 2]?.text === '{'
  if (item.isPublic) {
    symbols.push(symbolOf({ name, kind: 'module', line: item.line, signature: `mod ${name}` }))
    if (isInline) symbols.push(...itemsIn(inside(tokens, at + 2), `${name}::`))
  }
  return isInline ? afterClosing(tokens, at + 2) : endOfItem(tokens, at)
}

/** `a::{b, c as d, e::*}` brings b, d and all of e. */
function usedNames(tokens: readonly Token[], item: Item, path = ''): readonly PublicSymbol[] {
  const part = tokens.filter((token) => token.text !== ';')
  const brace = part.findIndex((token) => token.text === '{')
  if (brace !== -1) {
    const before = `${path}${lineOf(part.slice(0, brace))}`
    return splitAtCommas(inside(part, brace)).flatMap((one) => usedNames(one, item, before))
  }
  const as = part.findIndex((token) => token.text === 'as')
  const whole = `${path}${lineOf(as === -1 ? part : part.slice(0, as))}`
  const last = part.findLast((token) => token.kind === 'word')?.text ?? ''
  const isAll = part.at(-1)?.text === '*'
  const own = isAll
    ? whole
    : last === 'self'
      ? (path.split('::').findLast((text) => text !== '') ?? '')
      : last
  if (own === '' || own === '_') return []
  return [
    symbolOf({ name: `${item.prefix}${own}`, kind: 'module', line: item.line, signature: `use ${whole}` }),
  ]
}

function valueAt(tokens: readonly Token[], at: number, item: Item, symbols: PublicSymbol[]): number {
  const word = tokens[at]?.text ?? ''
  const place = tokens[at + 1]?.text === 'mut' ? at + 2 : at + 1
  const name = `${item.prefix}${tokens[place]?.text ?? ''}`
  const end = endOfItem(tokens, at)
  if (!item.isPublic) return end
  const generics = genericsAt(tokens, place + 1)
  const mark = tokens[generics.end]?.text
  const from = generics.end + 1
  const to = word === 'type' ? end - 1 : endOfType(tokens, from)
  const isTyped = mark === ':' || (word === 'type' && mark === '=')
  const type = isTyped ? lineOf(tokens.slice(from, to)) : null
  const signature = `${word} ${name}${type === null ? '' : `${word === 'type' ? ' =' : ':'} ${type}`}`
  const kind = word === 'type' ? 'type' : 'value'
  symbols.push(symbolOf({ name, kind, line: item.line, type, signature, typeParameters: generics.names }))
  return end
}
