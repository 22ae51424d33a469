/**
 * What a TypeScript or JavaScript module exports. Types are compared as text, so nothing is resolved; what is not
 * annotated has no type here.
 */
import { afterClosing, inside, splitAtCommas, tokensOf, type Token } from './lexer.ts'
import { symbolOf, type FileApi, type PassedOn, type PublicSymbol } from './public-symbol.ts'
import { declaration, functionFrom, type Declarations, type Declared } from './typescript-declarations.ts'
import { callableAt, endOfExpression, functionSymbol, functionValueAt } from './typescript-members.ts'
import { TYPESCRIPT } from './typescript-types.ts'

interface Reading extends Declarations {
  readonly declared: Map<string, Declared[]>
  readonly imported: Map<string, { readonly from: string; readonly original: string }>
  /** Local names and what they are called outside. */
  readonly listed: { readonly local: string; readonly name: string; readonly line: number }[]
  readonly passedOn: PassedOn[]
  readonly own: PublicSymbol[]
}

export function readTypeScript(text: string): FileApi {
  const tokens = tokensOf(text, TYPESCRIPT)
  if (tokens === null) return { symbols: [], passedOn: [], doubts: ['it is too large to be read'] }
  return readModule(tokens, '', 'exported')
}

function readModule(tokens: readonly Token[], prefix: string, shown: 'exported' | 'all'): FileApi {
  const reading: Reading = {
    tokens,
    within: (inner, name, which) => readModule(inner, name, which).symbols,
    declared: new Map(),
    imported: new Map(),
    listed: [],
    passedOn: [],
    own: [],
  }
  let at = 0
  while (at < tokens.length) {
    const end = isStatementStart(tokens, at) ? statement(reading, at, prefix) : null
    if (end !== null && end > at) at = end
    else at = isBracket(tokens[at]) ? afterClosing(tokens, at) : at + 1
  }
  const symbols = [...exportedHere(reading, shown), ...reading.own]
  for (const { local, name, line } of reading.listed) {
    const passed = reading.imported.get(local)
    const found = (reading.declared.get(local) ?? []).flatMap((one) => one.symbols)
    if (passed !== undefined) reading.passedOn.push({ name, ...passed, line })
    else if (found.length > 0) symbols.push(...found.map((symbol) => renamed(symbol, local, name, prefix)))
    else symbols.push(symbolOf({ name: `${prefix}${name}`, kind: 'value', line }))
  }
  return { symbols, passedOn: reading.passedOn, doubts: [] }
}

const isBracket = (token: Token | undefined): boolean => token?.kind === 'mark' && '([{'.includes(token.text)

function isStatementStart(tokens: readonly Token[], at: number): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]]
  if (token?.kind !== 'word') return token?.text === '@'
  return token.isFirst || before === undefined || before.text === ';' || before.text === '}'
}

function exportedHere({ declared }: Reading, shown: 'exported' | 'all'): PublicSymbol[] {
  return [...declared.values()].flatMap((all) =>
    all.filter((one) => shown === 'all' || one.isExported).flatMap((one) => one.symbols),
  )
}

function renamed(symbol: PublicSymbol, local: string, name: string, prefix: string): PublicSymbol {
  const [from, to] = [`${prefix}${local}`, `${prefix}${name}`]
  if (from === to) return symbol
  const rest = symbol.name.slice(from.length)
  return symbolOf({
    ...symbol,
    name: `${to}${rest}`,
    signature: symbol.signature.replace(
      new RegExp(`(?<![\\w$])${from.replace(/[$.]/g, '\\$&')}(?![\\w$])`),
      () => to,
    ),
  })
}

/** The place after the statement at `at`; null where it is nothing of interest. */
function statement(reading: Reading, start: number, prefix: string): number | null {
  const { tokens } = reading
  let at = start
  while (tokens[at]?.text === '@') {
    at += 2
    while (tokens[at]?.text === '.') at += 2
    if (tokens[at]?.text === '(') at = afterClosing(tokens, at)
  }
  const token = tokens[at]
  if (token === undefined) return null
  if (token.text === 'import') return importStatement(reading, at)
  if (token.text === 'module' || token.text === 'exports') {
    const end = commonJs(reading, at, prefix)
    if (end !== null) return end
  }
  if (token.text !== 'export') return declaration(reading, at, { isExported: false, prefix })
  return exportStatement(reading, at + 1, prefix)
}

function exportStatement(reading: Reading, at: number, prefix: string): number | null {
  const { tokens } = reading
  const place = tokens[at]?.text === 'type' && /^[{*]$/.test(tokens[at + 1]?.text ?? '') ? at + 1 : at
  const token = tokens[place]
  if (token?.text === '{') return exportList(reading, place)
  if (token?.text === '*') return exportAll(reading, place)
  if (token?.text === '=') return assigned(reading, place + 1, { name: 'export=', prefix })
  if (token?.text === 'as') return at + 3
  if (token?.text === 'default') return defaultExport(reading, place + 1, prefix)
  return declaration(reading, at, { isExported: true, prefix })
}

function exportList(reading: Reading, at: number): number {
  const { tokens } = reading
  const end = afterClosing(tokens, at)
  const from = tokens[end]?.text === 'from' ? unquoted(tokens[end + 1]) : null
  for (const part of splitAtCommas(inside(tokens, at))) {
    const names = part.filter((token, place) => !(token.text === 'type' && place === 0 && part.length !== 1))
    const [local] = names
    if (local === undefined) continue
    const name = names[1]?.text === 'as' ? unquoted(names[2]) : unquoted(local)
    if (from === null) reading.listed.push({ local: local.text, name, line: local.line })
    else reading.passedOn.push({ name, from, original: unquoted(local), line: local.line })
  }
  return from === null ? end : end + 2
}

function exportAll(reading: Reading, at: number): number | null {
  const { tokens } = reading
  const line = tokens[at]?.line ?? 1
  const isNamed = tokens[at + 1]?.text === 'as'
  const place = isNamed ? at + 3 : at + 1
  if (tokens[place]?.text !== 'from') return null
  const name = isNamed ? unquoted(tokens[at + 2]) : '*'
  reading.passedOn.push({ name, from: unquoted(tokens[place + 1]), original: '*', line })
  return place + 2
}

function defaultExport(reading: Reading, at: number, prefix: string): number | null {
  const { tokens } = reading
  const token = tokens[at]
  const word = token?.text === 'abstract' || token?.text === 'async' ? tokens[at + 1]?.text : token?.text
  if (word === 'function' || word === 'class' || word === 'interface') {
    return declaration(reading, at, { isExported: true, prefix, as: 'default' })
  }
  return assigned(reading, at, { name: 'default', prefix })
}

/** A value that is exported: a name of this module, a function, or an expression nobody can say much about. */
function assigned(
  reading: Reading,
  at: number,
  { name, prefix }: { readonly name: string; readonly prefix: string },
): number {
  const { tokens } = reading
  const token = tokens[at]
  const line = token?.line ?? 1
  const end = Math.max(endOfExpression(tokens, at), at + 1)
  const value = functionValueAt(tokens, at)
  if (value !== null) reading.own.push(functionFrom({ name: `${prefix}${name}`, line, value }))
  else if (token?.kind === 'word' && end === at + 1) reading.listed.push({ local: token.text, name, line })
  else reading.own.push(symbolOf({ name: `${prefix}${name}`, kind: 'value', line }))
  return end
}

function importStatement(reading: Reading, at: number): number | null {
  const { tokens } = reading
  let place = at + 1
  if (tokens[place]?.text === '(' || tokens[place]?.text === '.') return null
  if (tokens[place]?.text === 'type' && tokens[place + 1]?.text !== 'from') place++
  const bound: { readonly local: string; readonly original: string }[] = []
  for (let token = tokens[place]; token !== undefined && token.text !== 'from'; token = tokens[place]) {
    if (token.kind === 'string' || token.text === ';') return place + 1
    if (token.text === '{') {
      for (const part of splitAtCommas(inside(tokens, place))) {
        const names = part.filter((one, index) => !(one.text === 'type' && index === 0 && part.length !== 1))
        const original = unquoted(names[0])
        bound.push({ original, local: names[1]?.text === 'as' ? (names[2]?.text ?? '') : original })
      }
      place = afterClosing(tokens, place)
    } else if (token.text === '*') {
      bound.push({ original: '*', local: tokens[place + 2]?.text ?? '' })
      place += 3
    } else {
      if (token.kind === 'word') bound.push({ original: 'default', local: token.text })
      place++
    }
    if (place - at > 5_000) return null
  }
  const from = unquoted(tokens[place + 1])
  for (const { local, original } of bound) reading.imported.set(local, { from, original })
  return place + 2
}

/** `module.exports = …`, `module.exports.a = …`, `exports.a = …`. */
function commonJs(reading: Reading, at: number, prefix: string): number | null {
  const { tokens } = reading
  let place = at
  if (tokens[place]?.text === 'module') {
    if (tokens[place + 1]?.text !== '.' || tokens[place + 2]?.text !== 'exports') return null
    place += 2
  }
  const isMember = tokens[place + 1]?.text === '.'
  const name = isMember ? (tokens[place + 2]?.text ?? '') : 'default'
  const mark = isMember ? place + 3 : place + 1
  if (tokens[mark]?.text !== '=' || tokens[mark + 1]?.text === '=') return null
  if (isMember || tokens[mark + 1]?.text !== '{') return assigned(reading, mark + 1, { name, prefix })
  for (const part of splitAtCommas(inside(tokens, mark + 1))) {
    const [key, colon] = part
    if (key === undefined || key.kind === 'mark') continue
    const own = unquoted(key)
    if (colon === undefined) reading.listed.push({ local: key.text, name: own, line: key.line })
    else if (colon.text === ':' && part.length === 3 && part[2]?.kind === 'word') {
      reading.listed.push({ local: part[2].text, name: own, line: key.line })
    } else {
      const callable = callableAt(part, 1) ?? functionValueAt(part, 2)?.callable ?? null
      const whole = { name: `${prefix}${own}`, line: key.line }
      reading.own.push(
        callable === null
          ? symbolOf({ ...whole, kind: 'value' })
          : functionSymbol({ ...whole, callable, modifiers: [] }),
      )
    }
  }
  return afterClosing(tokens, mark + 1)
}

const unquoted = (token: Token | undefined): string =>
  token?.kind === 'string' ? token.text.slice(1, -1) : (token?.text ?? '')
