/** Declarations of a TypeScript module: functions, classes, interfaces, types, enums, namespaces and variables. */
import { afterAngles, afterClosing, inside, lineOf, splitAtCommas, type Token } from './lexer.ts'
import { symbolOf, type PublicSymbol } from './public-symbol.ts'
import {
  callableAt,
  endOfExpression,
  enumMembers,
  functionSymbol,
  functionValueAt,
  membersIn,
  type Callable,
} from './typescript-members.ts'
import { endOfType, typeParametersIn, typeText } from './typescript-types.ts'

export interface Declared {
  readonly symbols: readonly PublicSymbol[]
  readonly isExported: boolean
}

export interface Declarations {
  readonly tokens: readonly Token[]
  /** By local name; a name may be declared several times: overloads, a type and a value. */
  readonly declared: Map<string, Declared[]>
  /** What a namespace shows of itself, under the name it is given. */
  readonly within: (
    tokens: readonly Token[],
    prefix: string,
    shown: 'exported' | 'all',
  ) => readonly PublicSymbol[]
}

export interface How {
  readonly isExported: boolean
  readonly prefix: string
  /** What it is called outside, where that is not its own name. */
  readonly as?: string
}

export function declaration(reading: Declarations, start: number, how: How): number | null {
  const { tokens } = reading
  let at = start
  const words: string[] = []
  while (/^(declare|abstract|async|default)$/.test(tokens[at]?.text ?? '') && isWordLike(tokens[at + 1])) {
    words.push(tokens[at]?.text ?? '')
    at++
  }
  const keyword = tokens[at]?.text ?? ''
  const line = tokens[start]?.line ?? 1
  const next = tokens[at + 1]
  switch (keyword) {
    case 'function':
      return functionDeclaration(reading, at + 1, { ...how, line, isAsync: words.includes('async') })
    case 'class':
      return classDeclaration(reading, at + 1, { ...how, line, isAbstract: words.includes('abstract') })
    case 'const':
    case 'let':
    case 'var':
      if (next?.text === 'enum') return enumDeclaration(reading, at + 2, { ...how, line })
      return variables(reading, at + 1, { ...how, keyword })
    case 'interface':
      return next?.kind === 'word' && !next.isFirst
        ? interfaceDeclaration(reading, at + 1, { ...how, line })
        : null
    case 'type':
      return next?.kind === 'word' && !next.isFirst
        ? typeDeclaration(reading, at + 1, { ...how, line })
        : null
    case 'enum':
      return next?.kind === 'word' && !next.isFirst
        ? enumDeclaration(reading, at + 1, { ...how, line })
        : null
    case 'namespace':
    case 'module': {
      const shown = words.includes('declare') ? 'all' : 'exported'
      return next?.kind === 'word' && !next.isFirst
        ? namespaceDeclaration(reading, at + 1, { ...how, line, shown })
        : null
    }
    default:
      return null
  }
}

const isWordLike = (token: Token | undefined): boolean => token?.kind === 'word' && !token.isFirst

function keep(reading: Declarations, local: string, how: How, symbols: readonly PublicSymbol[]): void {
  const all = reading.declared.get(local) ?? []
  all.push({ symbols, isExported: how.isExported })
  reading.declared.set(local, all)
}

function functionDeclaration(
  reading: Declarations,
  at: number,
  how: How & { readonly line: number; readonly isAsync: boolean },
): number | null {
  const { tokens } = reading
  const isGenerator = tokens[at]?.text === '*'
  let place = isGenerator ? at + 1 : at
  const own = tokens[place]?.kind === 'word' ? (tokens[place]?.text ?? '') : ''
  if (own !== '') place++
  const callable = callableAt(tokens, place)
  if (callable === null) return null
  const name = how.as ?? own
  const modifiers = [...(how.isAsync ? ['async'] : []), ...(isGenerator ? ['*'] : [])]
  const symbol = functionSymbol({ name: `${how.prefix}${name}`, line: how.line, callable, modifiers })
  const hasBody = tokens[callable.end]?.text === '{'
  const local = own === '' ? name : own
  const before = reading.declared.get(local) ?? []
  const isImplementation = hasBody && before.some(({ symbols }) => symbols[0]?.kind === 'function')
  // Of an overloaded function only the overloads can be called.
  if (!isImplementation) keep(reading, local, how, [symbol])
  return hasBody ? afterClosing(tokens, callable.end) : callable.end
}

function classDeclaration(
  reading: Declarations,
  at: number,
  how: How & { readonly line: number; readonly isAbstract: boolean },
): number | null {
  const { tokens } = reading
  const token = tokens[at]
  const isNamed = token?.kind === 'word' && token.text !== 'extends' && token.text !== 'implements'
  const own = isNamed ? token.text : ''
  const head = headOf(tokens, isNamed ? at + 1 : at)
  if (head === null) return null
  const name = how.as ?? own
  const whole = `${how.prefix}${name}`
  const members = membersIn(whole, inside(tokens, head.body))
  const hasConstructor = members.some((member) => member.name === `${whole}.constructor`)
  // What a class is made with that is made on another is told there.
  const isMadeOn = head.bases.some((base) => base.startsWith('extends '))
  const isImplicit = !hasConstructor && !isMadeOn && !hasHiddenConstructor(tokens, head.body)
  const implicit: Callable = { parameters: [], typeParameters: [], type: null, end: 0 }
  keep(reading, own === '' ? name : own, how, [
    symbolOf({
      name: whole,
      kind: 'class',
      line: how.line,
      signature: ['class', `${whole}${genericText(head.typeParameters)}`, ...head.bases].join(' '),
      typeParameters: head.typeParameters,
      bases: head.bases,
      modifiers: how.isAbstract ? ['abstract'] : [],
    }),
    ...members,
    ...(isImplicit
      ? [
          functionSymbol({
            name: `${whole}.constructor`,
            line: how.line,
            callable: implicit,
            modifiers: [],
            kind: 'member',
          }),
        ]
      : []),
  ])
  return afterClosing(tokens, head.body)
}

function hasHiddenConstructor(tokens: readonly Token[], body: number): boolean {
  return inside(tokens, body).some(
    (token, at, all) => token.text === 'constructor' && /^(private|protected)$/.test(all[at - 1]?.text ?? ''),
  )
}

const genericText = (names: readonly string[]): string => (names.length === 0 ? '' : `<${names.join(', ')}>`)

/** `<T> extends A<B> implements C, D` up to the body. */
function headOf(
  tokens: readonly Token[],
  at: number,
): {
  readonly typeParameters: readonly string[]
  readonly bases: readonly string[]
  readonly body: number
} | null {
  let place = at
  let typeParameters: readonly string[] = []
  if (tokens[place]?.text === '<') {
    const end = afterAngles(tokens, place)
    if (end === null) return null
    typeParameters = typeParametersIn(tokens.slice(place, end))
    place = end
  }
  const first = place
  while (place < tokens.length && tokens[place]?.text !== '{') {
    place = tokens[place]?.text === '(' ? afterClosing(tokens, place) : place + 1
  }
  if (tokens[place]?.text !== '{') return null
  const bases: string[] = []
  let word = ''
  for (const part of splitAtCommas(tokens.slice(first, place))) {
    const starts = [...part.keys()].filter((index) => /^(extends|implements)$/.test(part[index]?.text ?? ''))
    const cuts = [0, ...starts.filter((index) => index > 0), part.length]
    for (let piece = 0; piece + 1 < cuts.length; piece++) {
      const slice = part.slice(cuts[piece], cuts[piece + 1])
      const isKeyword = /^(extends|implements)$/.test(slice[0]?.text ?? '')
      if (isKeyword) word = slice[0]?.text ?? ''
      const text = lineOf(isKeyword ? slice.slice(1) : slice)
      if (text !== '') bases.push(`${word} ${text}`)
    }
  }
  return { typeParameters, bases, body: place }
}

function interfaceDeclaration(
  reading: Declarations,
  at: number,
  how: How & { readonly line: number },
): number | null {
  const { tokens } = reading
  const own = tokens[at]?.text ?? ''
  const head = headOf(tokens, at + 1)
  if (head === null) return null
  const whole = `${how.prefix}${how.as ?? own}`
  keep(reading, own, how, [
    symbolOf({
      name: whole,
      kind: 'type',
      line: how.line,
      signature: ['interface', `${whole}${genericText(head.typeParameters)}`, ...head.bases].join(' '),
      typeParameters: head.typeParameters,
      bases: head.bases,
    }),
    ...membersIn(whole, inside(tokens, head.body)),
  ])
  return afterClosing(tokens, head.body)
}

function typeDeclaration(
  reading: Declarations,
  at: number,
  how: How & { readonly line: number },
): number | null {
  const { tokens } = reading
  const own = tokens[at]?.text ?? ''
  let place = at + 1
  let typeParameters: readonly string[] = []
  if (tokens[place]?.text === '<') {
    const end = afterAngles(tokens, place)
    if (end === null) return null
    typeParameters = typeParametersIn(tokens.slice(place, end))
    place = end
  }
  if (tokens[place]?.text !== '=') return null
  const end = endOfType(tokens, place + 1)
  const whole = `${how.prefix}${own}`
  const said = { name: whole, kind: 'type', line: how.line, typeParameters } as const
  const isObject = tokens[place + 1]?.text === '{' && afterClosing(tokens, place + 1) === end
  const body = isObject ? inside(tokens, place + 1) : []
  // A mapped type has no members of its own.
  const isMapped = body.some((token, index) => token.text === 'in' && body[index - 2]?.text === '[')
  if (isObject && !isMapped) {
    const signature = `type ${whole}${genericText(typeParameters)} = {…}`
    keep(reading, own, how, [symbolOf({ ...said, signature }), ...membersIn(whole, body)])
  } else {
    const type = typeText(tokens.slice(place + 1, end))
    const signature = `type ${whole}${genericText(typeParameters)} = ${type}`
    keep(reading, own, how, [symbolOf({ ...said, signature, type })])
  }
  return end
}

function enumDeclaration(
  reading: Declarations,
  at: number,
  how: How & { readonly line: number },
): number | null {
  const { tokens } = reading
  const own = tokens[at]?.text ?? ''
  if (tokens[at + 1]?.text !== '{') return null
  const whole = `${how.prefix}${own}`
  keep(reading, own, how, [
    symbolOf({ name: whole, kind: 'type', line: how.line, signature: `enum ${whole}` }),
    ...enumMembers(whole, inside(tokens, at + 1)),
  ])
  return afterClosing(tokens, at + 1)
}

function namespaceDeclaration(
  reading: Declarations,
  at: number,
  how: How & { readonly line: number; readonly shown: 'exported' | 'all' },
): number | null {
  const { tokens } = reading
  let place = at + 1
  let own = tokens[at]?.text ?? ''
  while (tokens[place]?.text === '.') {
    own += `.${tokens[place + 1]?.text ?? ''}`
    place += 2
  }
  if (tokens[place]?.text !== '{') return null
  const whole = `${how.prefix}${own}`
  const symbols = reading.within(inside(tokens, place), `${whole}.`, how.shown)
  keep(reading, own, how, [
    symbolOf({ name: whole, kind: 'module', line: how.line, signature: `namespace ${whole}` }),
    ...symbols,
  ])
  return afterClosing(tokens, place)
}

function variables(reading: Declarations, at: number, how: How & { readonly keyword: string }): number {
  const { tokens } = reading
  let place = at
  for (let token = tokens[place]; token !== undefined; token = tokens[place]) {
    if (token.kind === 'mark') {
      if (!'{['.includes(token.text)) return place
      const end = afterClosing(tokens, place)
      for (const name of boundNames(inside(tokens, place))) {
        keep(reading, name, how, [
          symbolOf({ name: `${how.prefix}${name}`, kind: 'value', line: token.line }),
        ])
      }
      place = tokens[end]?.text === '=' ? endOfExpression(tokens, end + 1) : end
    } else place = variable(reading, place, how)
    if (tokens[place]?.text !== ',') return Math.max(place, at + 1)
    place++
  }
  return place
}

function variable(reading: Declarations, at: number, how: How & { readonly keyword: string }): number {
  const { tokens } = reading
  const token = tokens[at]
  const own = token?.text ?? ''
  const line = token?.line ?? 1
  const name = `${how.prefix}${own}`
  let place = tokens[at + 1]?.text === '!' ? at + 2 : at + 1
  let type: string | null = null
  if (tokens[place]?.text === ':') {
    const end = endOfType(tokens, place + 1)
    type = typeText(tokens.slice(place + 1, end))
    place = end
  }
  const hasValue = tokens[place]?.text === '='
  const value = hasValue && type === null ? functionValueAt(tokens, place + 1) : null
  const signature = `${how.keyword} ${name}${type === null ? '' : `: ${type}`}`
  keep(reading, own, how, [
    value === null
      ? symbolOf({ name, kind: 'value', line, signature, type })
      : functionFrom({ name, line, value }),
  ])
  return hasValue ? Math.max(endOfExpression(tokens, place + 1), place + 1) : place
}

/** The names that `{ a, b: c, ...d }` or `[e, f]` binds. */
function boundNames(tokens: readonly Token[]): readonly string[] {
  return splitAtCommas(tokens).flatMap((part) => {
    const colon = part.findIndex((token) => token.text === ':')
    const target = part.slice(colon + 1).filter((token) => token.text !== '...')
    const [first] = target
    if (first === undefined) return []
    return first.kind === 'mark' ? boundNames(inside(target, 0)) : [first.text]
  })
}

export function functionFrom(said: {
  readonly name: string
  readonly line: number
  readonly value: { readonly callable: Callable; readonly isAsync: boolean }
}): PublicSymbol {
  const { name, line, value } = said
  return functionSymbol({ name, line, callable: value.callable, modifiers: value.isAsync ? ['async'] : [] })
}
