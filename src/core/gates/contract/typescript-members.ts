/** Members of classes and interfaces, and what can be called. */
import { afterAngles, afterClosing, inside, splitAtCommas, lineOf, type Token } from './lexer.ts'
import { symbolOf, type PublicSymbol } from './public-symbol.ts'
import {
  endOfType,
  parametersIn,
  parameterText,
  typeParametersIn,
  typeText,
  type ReadParameter,
} from './typescript-types.ts'

export interface Callable {
  readonly parameters: readonly ReadParameter[]
  readonly typeParameters: readonly string[]
  readonly type: string | null
  /** The place after it, where a body may stand. */
  readonly end: number
}

/** `<T>(a: b): c` from `at`; null where there is none. */
export function callableAt(tokens: readonly Token[], at: number): Callable | null {
  let place = at
  let typeParameters: readonly string[] = []
  if (tokens[place]?.text === '<') {
    const end = afterAngles(tokens, place)
    if (end === null) return null
    typeParameters = typeParametersIn(tokens.slice(place, end))
    place = end
  }
  if (tokens[place]?.text !== '(') return null
  const parameters = parametersIn(inside(tokens, place))
  place = afterClosing(tokens, place)
  if (tokens[place]?.text !== ':') return { parameters, typeParameters, type: null, end: place }
  const end = endOfType(tokens, place + 1)
  return { parameters, typeParameters, type: typeText(tokens.slice(place + 1, end)), end }
}

/** A function that is written as a value: `async <T>(a) => b`, `a => b`, `function (a) {}`. */
export function functionValueAt(
  tokens: readonly Token[],
  at: number,
): { readonly callable: Callable; readonly isAsync: boolean } | null {
  const isAsync = tokens[at]?.text === 'async' && tokens[at + 1]?.isFirst === false
  let place = isAsync ? at + 1 : at
  if (tokens[place]?.text === 'function') {
    place++
    if (tokens[place]?.text === '*') place++
    if (tokens[place]?.kind === 'word') place++
    const callable = callableAt(tokens, place)
    return callable === null ? null : { callable, isAsync }
  }
  const only = tokens[place]
  if (only?.kind === 'word' && tokens[place + 1]?.text === '=>') {
    const parameters: readonly ReadParameter[] = [
      { name: only.text, type: null, need: 'required', access: [] },
    ]
    return { callable: { parameters, typeParameters: [], type: null, end: place + 1 }, isAsync }
  }
  const callable = callableAt(tokens, place)
  return callable !== null && tokens[callable.end]?.text === '=>' ? { callable, isAsync } : null
}

export function functionSymbol(said: {
  readonly name: string
  readonly line: number
  readonly callable: Callable
  readonly modifiers: readonly string[]
  readonly kind?: PublicSymbol['kind']
}): PublicSymbol {
  const { name, line, callable, modifiers } = said
  const { parameters, typeParameters, type } = callable
  // What an async function gives is told by its type, where it has one.
  const told = type === null ? modifiers : modifiers.filter((word) => word !== 'async')
  const generics = typeParameters.length === 0 ? '' : `<${typeParameters.join(', ')}>`
  const words = told.length === 0 ? '' : `${told.join(' ')} `
  const returns = type === null ? '' : `: ${type}`
  return symbolOf({
    name,
    line,
    kind: said.kind ?? 'function',
    signature: `${words}${name}${generics}(${parameters.map(parameterText).join(', ')})${returns}`,
    parameters: parameters.map(({ access: _access, ...parameter }) => parameter),
    type,
    typeParameters,
    modifiers: told,
  })
}

const MODIFIERS: ReadonlySet<string> = new Set(
  'public private protected static abstract readonly override declare async accessor get set'.split(' '),
)
const HIDDEN: ReadonlySet<string> = new Set(['private', 'protected'])
/** Words that say nothing to those who use a member. */
const SILENT: ReadonlySet<string> = new Set(['public', 'override', 'declare', 'accessor', 'get', 'set'])

interface Member {
  readonly name: string
  readonly line: number
  readonly words: readonly string[]
  readonly isOptional: boolean
  readonly callable: Callable | null
  readonly type: string | null
}

/** The public members in the body of a class or an interface, `tokens` being what stands between the braces. */
export function membersIn(owner: string, tokens: readonly Token[]): readonly PublicSymbol[] {
  const members = readMembers(tokens)
  const symbols: PublicSymbol[] = []
  for (const member of members) {
    const { name, line, words, callable } = member
    if (words.some((word) => HIDDEN.has(word)) || name.startsWith('#')) continue
    const accessor = words.find((word) => word === 'get' || word === 'set')
    const hasOther =
      accessor !== undefined && members.some((other) => other.name === name && other !== member)
    if (accessor === 'set' && hasOther) continue
    const modifiers = [
      ...words.filter((word) => !SILENT.has(word)),
      ...(accessor === 'get' && !hasOther ? ['readonly'] : []),
      ...(member.isOptional ? ['optional'] : []),
    ]
    const whole = `${owner}.${name}`
    if (callable !== null && accessor === undefined) {
      symbols.push(functionSymbol({ name: whole, line, callable, modifiers, kind: 'member' }))
      symbols.push(...(name === 'constructor' ? parameterMembers(owner, line, callable) : []))
      continue
    }
    const type =
      accessor === 'set' ? (callable?.parameters[0]?.type ?? null) : (callable?.type ?? member.type)
    symbols.push(propertySymbol({ name: whole, line, type, modifiers }))
  }
  return symbols
}

/** `constructor(readonly name: string)` makes a member of its parameter. */
function parameterMembers(owner: string, line: number, { parameters }: Callable): readonly PublicSymbol[] {
  return parameters.flatMap(({ name, type, need, access }) => {
    if (access.length === 0 || access.some((word) => HIDDEN.has(word))) return []
    const modifiers = [
      ...access.filter((word) => word === 'readonly'),
      ...(need === 'optional' ? ['optional'] : []),
    ]
    return [propertySymbol({ name: `${owner}.${name}`, line, type, modifiers })]
  })
}

function propertySymbol(said: {
  readonly name: string
  readonly line: number
  readonly type: string | null
  readonly modifiers: readonly string[]
}): PublicSymbol {
  const { name, line, type, modifiers } = said
  const words = modifiers.filter((word) => word !== 'optional')
  const mark = modifiers.includes('optional') ? '?' : ''
  const signature = `${[...words, name].join(' ')}${mark}${type === null ? '' : `: ${type}`}`
  return symbolOf({ name, line, kind: 'member', signature, type, modifiers })
}

function readMembers(tokens: readonly Token[]): readonly Member[] {
  const members: Member[] = []
  let at = 0
  while (at < tokens.length) {
    const before = at
    at = afterDecorators(tokens, at)
    const words: string[] = []
    for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
      if (!MODIFIERS.has(token.text) || !isMemberName(tokens[at + 1])) break
      words.push(token.text)
      at++
    }
    if (tokens[at]?.text === '*') at++
    const token = tokens[at]
    if (token === undefined) break
    if (token.text === '{') {
      at = afterClosing(tokens, at)
      continue
    }
    const named = memberName(tokens, at)
    if (named === null) {
      at = Math.max(at, before) + 1
      continue
    }
    at = named.end
    const isOptional = tokens[at]?.text === '?'
    if (isOptional || tokens[at]?.text === '!') at++
    const read = memberRest(tokens, at, named.type)
    members.push({
      name: named.name,
      line: token.line,
      words,
      isOptional,
      callable: read.callable,
      type: read.type,
    })
    at = Math.max(read.end, before + 1)
  }
  return members
}

function memberRest(
  tokens: readonly Token[],
  at: number,
  ownType: string | null,
): { readonly callable: Callable | null; readonly type: string | null; readonly end: number } {
  const callable = callableAt(tokens, at)
  if (callable !== null) {
    const hasBody = tokens[callable.end]?.text === '{'
    return { callable, type: null, end: hasBody ? afterClosing(tokens, callable.end) : callable.end }
  }
  let place = at
  let type = ownType
  if (tokens[place]?.text === ':') {
    const end = endOfType(tokens, place + 1)
    type = typeText(tokens.slice(place + 1, end))
    place = end
  }
  if (tokens[place]?.text !== '=') return { callable: null, type, end: place }
  const value = type === null ? functionValueAt(tokens, place + 1) : null
  return { callable: value?.callable ?? null, type, end: endOfExpression(tokens, place + 1) }
}

/** `name`, `'name'`, `[key: string]: T`, `(a): b`, `new (a): b`. */
function memberName(
  tokens: readonly Token[],
  at: number,
): { readonly name: string; readonly type: string | null; readonly end: number } | null {
  const token = tokens[at]
  if (token === undefined) return null
  if (token.text === '(' || token.text === '<') return { name: '()', type: null, end: at }
  if (token.text === 'new' && (tokens[at + 1]?.text === '(' || tokens[at + 1]?.text === '<')) {
    return { name: 'new', type: null, end: at + 1 }
  }
  if (token.text === '[') {
    const end = afterClosing(tokens, at)
    const key = typeText(tokens.slice(at, end))
    // The name of an index says nothing.
    return { name: /^\[\w+: /.test(key) ? key.replace(/^\[\w+: /, '[') : key, type: null, end }
  }
  if (token.kind === 'mark') return null
  return { name: token.kind === 'string' ? token.text.slice(1, -1) : token.text, type: null, end: at + 1 }
}

const isMemberName = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind !== 'mark' || token.text === '[' || token.text === '*' || token.text === '{')

function afterDecorators(tokens: readonly Token[], at: number): number {
  let place = at
  while (tokens[place]?.text === '@') {
    place += 2
    while (tokens[place]?.text === '.') place += 2
    if (tokens[place]?.text === '(') place = afterClosing(tokens, place)
  }
  return place
}

const GOES_ON_BEFORE: ReadonlySet<string> = new Set(
  '. ? : + - * / % & | ^ = , => ?? ?. && || ( [ {'.split(' '),
)
const GOES_ON_AFTER: ReadonlySet<string> = new Set('. ? : + - * / % & | ^ = < > ?? ?. => ( [ ,'.split(' '))

/** Where an expression ends: at a semicolon or a comma, or with a line that goes on in neither direction. */
export function endOfExpression(tokens: readonly Token[], at: number): number {
  let place = at
  while (place < tokens.length) {
    const token = tokens[place]
    const before = tokens[place - 1]
    if (token === undefined || (token.kind === 'mark' && (token.text === ';' || token.text === ',')))
      return place
    if (token.kind === 'mark' && (token.text === ')' || token.text === ']' || token.text === '}'))
      return place
    if (token.isFirst && place > at && before !== undefined) {
      const isGoing =
        (before.kind === 'mark' && GOES_ON_BEFORE.has(before.text)) ||
        (token.kind === 'mark' && GOES_ON_AFTER.has(token.text)) ||
        /^(in|of|instanceof|as|satisfies|extends)$/.test(token.text)
      if (!isGoing) return place
    }
    place = afterPart(tokens, place, token)
  }
  return place
}

/** Commas in brackets and in lists of types divide no expressions. */
function afterPart(tokens: readonly Token[], at: number, token: Token): number {
  if (token.kind === 'word' && (token.text === 'as' || token.text === 'satisfies')) {
    return Math.max(endOfType(tokens, at + 1), at + 1)
  }
  if (token.kind !== 'mark') return at + 1
  if ('([{'.includes(token.text)) return afterClosing(tokens, at)
  const end = token.text === '<' && token.isTight ? afterAngles(tokens, at) : null
  return end !== null && tokens[end]?.text === '(' ? end : at + 1
}

/** Members of an enum, with the values that are written down. */
export function enumMembers(owner: string, tokens: readonly Token[]): readonly PublicSymbol[] {
  return splitAtCommas(tokens).flatMap((part) => {
    const [name, mark, ...rest] = part
    if (name === undefined) return []
    const own = name.kind === 'string' ? name.text.slice(1, -1) : name.text
    const value = mark?.text === '=' ? lineOf(rest) : null
    const signature = `${owner}.${own}${value === null ? '' : ` = ${value}`}`
    return [symbolOf({ name: `${owner}.${own}`, line: name.line, kind: 'member', signature, value })]
  })
}
