/** Reads a C or C++ header: functions, types with public members, enumerations, variables, macros. */
import { afterAngles, afterClosing, inside, splitAtCommas, tokensOf, type Token } from './c-lexer.ts'
import {
  declaratorOf,
  endOfDeclaration,
  functionIn,
  plainTokens,
  typeText,
  type Declared,
} from './c-parts.ts'
import { lineOf } from './one-line.ts'
import { NO_API, symbolOf, type FileApi, type PublicSymbol } from './public-symbol.ts'

interface Scope {
  /** `ns::` or `Class::`. */
  readonly prefix: string
  /** The class it is in; null outside of classes. */
  readonly owner: string | null
  access: 'public' | 'private'
}

export function readCHeader(text: string): FileApi {
  const tokens = tokensOf(text)
  if (tokens === null) return { ...NO_API, doubts: ['it is too large to be read'] }
  const symbols: PublicSymbol[] = []
  scopeIn(tokens, { prefix: '', owner: null, access: 'public' }, symbols)
  return { ...NO_API, symbols: [...macrosIn(tokens), ...symbols] }
}

/** Macros with a value; include guards and empty macros do not count. */
function macrosIn(tokens: readonly Token[]): readonly PublicSymbol[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'directive') return []
    const found = /^#\s*define\s+([A-Za-z]\w*)(\(([^)]*)\))?([^]*)$/.exec(token.text)
    const [, name = '', call, names = '', body = ''] = found ?? []
    if (name === '' || (call === undefined && body.replace(/\/[/*].*/, '').trim() === '')) return []
    const parameters =
      call === undefined
        ? null
        : names
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one !== '')
            .map((one) => ({
              name: one,
              type: null,
              need: one.endsWith('...') ? ('rest' as const) : ('required' as const),
            }))
    const signature = `#define ${name}${call === undefined ? '' : call.replace(/\s+/g, ' ')}`
    return [symbolOf({ name, kind: 'macro', line: token.line, signature, parameters })]
  })
}

/** Private namespaces. */
const HIDDEN = /^(detail|details|internal|impl|_.*|)$/

function scopeIn(tokens: readonly Token[], scope: Scope, symbols: PublicSymbol[]): void {
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'directive' || token.text === ';') {
      at++
      continue
    }
    if (/^(public|private|protected)$/.test(token.text) && tokens[at + 1]?.text === ':') {
      scope.access = token.text === 'public' ? 'public' : 'private'
      at += 2
      continue
    }
    at = Math.max(statementAt(tokens, at, scope, symbols), at + 1)
  }
}

function statementAt(tokens: readonly Token[], start: number, scope: Scope, symbols: PublicSymbol[]): number {
  let at = start
  const templates: string[] = []
  while (tokens[at]?.text === 'template' && tokens[at + 1]?.text === '<') {
    const end = afterAngles(tokens, at + 1)
    if (end === null) break
    templates.push(...splitAtCommas(tokens.slice(at + 2, end - 1)).map((part) => lineOf(part)))
    at = end
  }
  const token = tokens[at]
  const isInline = token?.text === 'inline' && tokens[at + 1]?.text === 'namespace'
  if (token?.text === 'namespace' || isInline)
    return namespaceAt(tokens, isInline ? at + 1 : at, scope, symbols)
  if (token?.text === 'extern' && tokens[at + 1]?.kind === 'string' && tokens[at + 2]?.text === '{') {
    scopeIn(inside(tokens, at + 2), scope, symbols)
    return afterClosing(tokens, at + 2)
  }
  const { head, end } = endOfDeclaration(tokens, at)
  const words = plainTokens(tokens.slice(at, head))
  const line = tokens[start]?.line ?? 1
  const place: Place = { line, templates, scope, symbols }
  const [first] = words
  if (first === undefined) return end
  const isTypedef = first.text === 'typedef'
  const isUsing = first.text === 'using'
  const record = isUsing ? -1 : words.findIndex((word) => /^(struct|class|union|enum)$/.test(word.text))
  if (record !== -1 && tokens[head]?.text === '{' && (isTypedef || functionIn(words) === null)) {
    return recordAt(tokens, { head, words: words.slice(record), isTypedef }, place)
  }
  const declared = functionIn(words)
  const isOpaque = record === 0 && words.length <= 3 && !words.some((word) => word.text === '*')
  if (isTypedef) addTypedef(words.slice(1), place)
  else if (isUsing) addUsing(words.slice(1), place)
  else if (/^(static_assert|_Static_assert)$/.test(first.text)) return end
  else if (isOpaque && tokens[head]?.text === ';')
    push(place, { name: lastWord(words), kind: 'type', signature: `${first.text} ${lastWord(words)}` })
  else if (declared !== null) addFunction(declared, place)
  else variablesIn(words, place)
  return end
}

const lastWord = (tokens: readonly Token[]): string =>
  tokens.findLast(({ kind }) => kind === 'word')?.text ?? ''

interface Place {
  readonly line: number
  readonly templates: readonly string[]
  readonly scope: Scope
  readonly symbols: PublicSymbol[]
}

function push(
  { line, templates, scope, symbols }: Place,
  given: { readonly name: string; readonly kind: PublicSymbol['kind'] } & Partial<PublicSymbol>,
): void {
  if (scope.access === 'private' || given.name === '') return
  const name = scope.owner === null ? `${scope.prefix}${given.name}` : `${scope.owner}.${given.name}`
  symbols.push(symbolOf({ line, typeParameters: templates, ...given, name }))
}

function namespaceAt(tokens: readonly Token[], at: number, scope: Scope, symbols: PublicSymbol[]): number {
  let open = at + 1
  while (open < tokens.length && !/^[{;=]$/.test(tokens[open]?.text ?? '')) open++
  if (tokens[open]?.text !== '{') return endOfDeclaration(tokens, at).end
  const name = tokens
    .slice(at + 1, open)
    .filter(({ kind, text }) => kind === 'word' || text === '::')
    .map(({ text }) => text)
    .join('')
  const end = afterClosing(tokens, open)
  if (name.split('::').some((part) => HIDDEN.test(part))) return end
  const inner: Scope = { prefix: `${scope.prefix}${name}::`, owner: null, access: 'public' }
  scopeIn(inside(tokens, open), inner, symbols)
  return end
}

function addFunction(declared: Declared, place: Place): void {
  const { name, parameters, type, modifiers } = declared
  const shown = parameters.map(
    (one) => [one.type, one.name].filter((text) => text !== '' && text !== '...').join(' ') || '...',
  )
  const isMember = place.scope.owner !== null
  // A `static` function of a header is visible to every file that includes it.
  const relevant = isMember ? modifiers : modifiers.filter((word) => word !== 'static')
  const before = relevant.filter((word) => /^(static|explicit|constexpr|consteval)$/.test(word))
  const after = relevant.filter((word) => !before.includes(word)).map((word) => word.replace(/^on /, ''))
  const signature = [...before, type, `${name}(${shown.join(', ')})`, ...after]
    .filter((text) => text !== '')
    .join(' ')
  const kind = isMember ? 'member' : 'function'
  push(place, { name, kind, signature, parameters, type: type === '' ? null : type, modifiers: relevant })
}

/** `extern const int a, *b;` */
function variablesIn(words: readonly Token[], place: Place): void {
  const [first, ...others] = splitAtCommas(words)
  if (first === undefined || !first.some((word) => word.kind === 'word')) return
  const parts = [first, ...others].map((part) => {
    const cut = part.findIndex(
      (word) => word.text === '=' || (word.text === ':' && place.scope.owner !== null),
    )
    return cut === -1 ? part : part.slice(0, cut)
  })
  const base = (parts[0] ?? []).filter((word) => word.kind === 'word').slice(0, -1)
  parts.forEach((part, at) => {
    const declared = declaratorOf(at === 0 ? part : [...base, ...part])
    if (declared.name === '') return
    const kind = place.scope.owner === null ? 'value' : 'member'
    const type = declared.type.replace(/^(static|constexpr) /, '')
    push(place, { name: declared.name, kind, type, signature: `${declared.type} ${declared.name}` })
  })
}

/** `struct A : public B { … } c;`, `typedef struct { … } A;` */
function recordAt(
  tokens: readonly Token[],
  {
    head,
    words,
    isTypedef,
  }: { readonly head: number; readonly words: readonly Token[]; readonly isTypedef: boolean },
  place: Place,
): number {
  const word = words[0]?.text ?? ''
  const after = afterClosing(tokens, head)
  const semicolon = endOfDeclaration(tokens, after)
  const declared = splitAtCommas(plainTokens(tokens.slice(after, semicolon.head))).map(lastWord)
  const isScoped = word === 'enum' && /^(class|struct)$/.test(words[1]?.text ?? '')
  const names = words.slice(isScoped ? 2 : 1)
  const colon = names.findIndex((token) => token.text === ':')
  const own = (colon === -1 ? names : names.slice(0, colon)).filter((token) => token.text !== 'final')
  const name = isTypedef ? (declared[0] ?? '') : lastWord(own)
  const body = inside(tokens, head)
  if (word === 'enum')
    addEnum({ name, isScoped, body, type: colon === -1 ? null : lineOf(names.slice(colon + 1)) }, place)
  else {
    const bases = colon === -1 ? [] : basesOf(names.slice(colon + 1))
    const signature = [...(isTypedef ? ['typedef'] : []), word, name, ...bases].join(' ')
    push(place, { name, kind: word === 'class' ? 'class' : 'type', signature, bases })
    addMembers(name, body, { word, place })
  }
  if (!isTypedef && name !== '' && place.scope.owner !== null) {
    for (const variable of declared)
      push(place, { name: variable, kind: 'member', type: name, signature: `${name} ${variable}` })
  }
  return semicolon.end
}

function addMembers(
  name: string,
  body: readonly Token[],
  { word, place }: { readonly word: string; readonly place: Place },
): void {
  if (place.scope.access === 'private') return
  const { prefix, owner } = place.scope
  const whole = owner === null ? `${prefix}${name}` : `${owner}.${name}`
  // Members of an anonymous union belong to the enclosing type.
  const inner: Scope = {
    prefix,
    owner: name === '' ? owner : whole,
    access: word === 'class' ? 'private' : 'public',
  }
  scopeIn(body, inner, place.symbols)
}

function basesOf(tokens: readonly Token[]): readonly string[] {
  return splitAtCommas(tokens)
    .filter((part) => !part.some((token) => token.text === 'private' || token.text === 'protected'))
    .map((part) => `: ${lineOf(part.filter((token) => token.text !== 'public' && token.text !== 'virtual'))}`)
}

function addEnum(
  given: {
    readonly name: string
    readonly isScoped: boolean
    readonly body: readonly Token[]
    readonly type: string | null
  },
  place: Place,
): void {
  const { name, isScoped, body, type } = given
  if (name !== '')
    push(place, { name, kind: 'type', type, signature: `enum ${isScoped ? 'class ' : ''}${name}` })
  for (const part of splitAtCommas(plainTokens(body))) {
    const [member] = part
    if (member === undefined) continue
    const equals = part.findIndex((token) => token.text === '=')
    const value = equals === -1 ? null : lineOf(part.slice(equals + 1))
    const own = isScoped ? `${name}.${member.text}` : member.text
    const kind = isScoped || place.scope.owner !== null ? 'member' : 'value'
    push(
      { ...place, line: member.line },
      { name: own, kind, value, type: name === '' ? null : name, signature: own },
    )
  }
}

/** `typedef int (*B)(int);`, `typedef C D;` */
function addTypedef(words: readonly Token[], place: Place): void {
  const called = functionIn(words)
  const { name, type } = called === null ? declaratorOf(words) : { name: called.name, type: typeText(words) }
  push(place, { name, kind: 'type', type, signature: `typedef ${type} ${name}` })
}

/** `using A = B<C>;`, `using D::e;` */
function addUsing(words: readonly Token[], place: Place): void {
  const equals = words.findIndex((word) => word.text === '=')
  const [first] = words
  if (first?.text === 'namespace') return
  if (equals === -1) {
    const kind = place.scope.owner === null ? 'type' : 'member'
    push(place, { name: lastWord(words), kind, signature: `using ${lineOf(words)}` })
    return
  }
  const type = typeText(words.slice(equals + 1))
  const name = first?.text ?? ''
  push(place, { name, kind: 'type', type, signature: `using ${name} = ${type}` })
}
