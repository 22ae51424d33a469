/**
 * What a Python module offers: its `__all__`, or every name that does not begin with an underscore. What is imported is
 * offered where a package's `__init__.py` takes it from its own modules.
 */
import { afterClosing, inside, lineOf, splitAtCommas, type Token } from './lexer.ts'
import { symbolOf, type FileApi, type Parameter, type PassedOn, type PublicSymbol } from './public-symbol.ts'
import { logicalLines, type LogicalLine } from './python-lines.ts'

interface Block {
  readonly lines: readonly LogicalLine[]
  /** What its names begin with: a class and a dot. */
  readonly prefix: string
}

interface Found {
  readonly symbols: PublicSymbol[]
  readonly imported: PassedOn[]
  all: string[] | null
}

export function readPython(text: string, path: string): FileApi {
  const lines = logicalLines(text)
  if (lines === null) return { symbols: [], passedOn: [], doubts: ['it is too large to be read'] }
  const found: Found = { symbols: [], imported: [], all: null }
  readBlock({ lines, prefix: '' }, found)
  const isPackage = path.endsWith('__init__.py')
  const { all } = found
  if (all !== null) {
    const wanted = new Set(all)
    const symbols = found.symbols.filter(({ name }) => wanted.has(name.split('.')[0] ?? ''))
    const passedOn = found.imported.filter(({ name }) => wanted.has(name) || name === '*')
    const known = new Set([...symbols, ...passedOn].map(({ name }) => name))
    const missing = passedOn.some(({ name }) => name === '*') ? [] : all.filter((name) => !known.has(name))
    const others = missing.map((name) => symbolOf({ name, kind: 'value', line: 1 }))
    return { symbols: [...symbols, ...others], passedOn, doubts: [] }
  }
  const symbols = found.symbols.filter(({ name }) => !isHidden(name))
  const passedOn = found.imported.filter(
    ({ name, from }) => isPackage && from.startsWith('.') && !isHidden(name),
  )
  return { symbols, passedOn, doubts: [] }
}

const SHOWN_SPECIALS: ReadonlySet<string> = new Set(['__init__', '__call__'])
const isHidden = (name: string): boolean =>
  name.split('.').some((part) => part.startsWith('_') && !SHOWN_SPECIALS.has(part))

/** Blocks of these are part of what is around them. */
const TRANSPARENT: ReadonlySet<string> = new Set(['if', 'elif', 'else', 'try', 'except', 'finally', 'with'])

function readBlock({ lines, prefix }: Block, found: Found): void {
  let decorators: string[] = []
  const overloaded = new Set<string>()
  const readers = new Set<string>()
  for (let at = 0; at < lines.length;) {
    const line = lines[at]
    if (line === undefined) break
    const end = endOfBlock(lines, at)
    const [first, second] = line.tokens
    const isAsync = first?.text === 'async' && second?.text === 'def'
    if (first?.text === '@') {
      decorators.push(lineOf(line.tokens.slice(1)))
      at++
      continue
    }
    if (first?.text === 'def' || isAsync) {
      addFunction({ line, prefix, decorators, isAsync, overloaded, readers }, found)
    } else if (first?.text === 'class') addClass({ lines: lines.slice(at, end), prefix, decorators }, found)
    else if (first !== undefined && TRANSPARENT.has(first.text) && isBlockHead(line)) {
      readBlock({ lines: lines.slice(at + 1, end), prefix }, found)
    } else {
      statement(line, prefix, found)
      decorators = []
      at++
      continue
    }
    decorators = []
    at = end
  }
}

const isBlockHead = (line: LogicalLine): boolean => line.tokens.at(-1)?.text === ':'

/** The place after the lines that stand deeper than this one. */
function endOfBlock(lines: readonly LogicalLine[], at: number): number {
  const indent = lines[at]?.indent ?? 0
  let end = at + 1
  while (end < lines.length && (lines[end]?.indent ?? 0) > indent) end++
  return end
}

interface FunctionLine {
  readonly line: LogicalLine
  readonly prefix: string
  readonly decorators: readonly string[]
  readonly isAsync: boolean
  readonly overloaded: Set<string>
  readonly readers: Set<string>
}

function addFunction(said: FunctionLine, found: Found): void {
  const { line, prefix, decorators, isAsync, overloaded, readers } = said
  const { tokens } = line
  const at = isAsync ? 2 : 1
  const own = tokens[at]?.text ?? ''
  const name = `${prefix}${own}`
  const open = tokens.findIndex((token, place) => place > at && token.text === '(')
  if (open === -1) return
  const has = (word: string): boolean => decorators.some((text) => text === word || text.endsWith(`.${word}`))
  const setter = decorators.find((text) => /\.(setter|deleter)$/.test(text))
  if (setter !== undefined) {
    // What can be set is no longer only to be read.
    const place = found.symbols.findIndex((symbol) => symbol.name === name)
    const known = found.symbols[place]
    if (known !== undefined && setter.endsWith('.setter')) {
      found.symbols[place] = { ...known, modifiers: known.modifiers.filter((word) => word !== 'readonly') }
    }
    return
  }
  const end = afterClosing(tokens, open)
  const type =
    tokens[end]?.text === '->' ? typeOf(tokens.slice(end + 1, tokens.lastIndexOf(lastColon(tokens)))) : null
  if (has('property') || has('cached_property')) {
    readers.add(own)
    const signature = `${name}${type === null ? '' : `: ${type}`}`
    found.symbols.push(
      symbolOf({ name, kind: 'member', line: line.line, type, signature, modifiers: ['readonly'] }),
    )
    return
  }
  if (has('overload')) overloaded.add(own)
  else if (overloaded.has(own)) return
  const isMethod = prefix !== '' && !has('staticmethod')
  const all = pythonParameters(inside(tokens, open))
  const parameters = isMethod && all[0]?.need !== 'rest' ? all.slice(1) : all
  const typeParameters =
    tokens[at + 1]?.text === '[' ? splitAtCommas(inside(tokens, at + 1)).map((part) => lineOf(part)) : []
  const modifiers = [
    ...(isAsync ? ['async'] : []),
    ...(has('classmethod') ? ['classmethod'] : []),
    ...(has('staticmethod') ? ['staticmethod'] : []),
    ...(has('abstractmethod') ? ['abstract'] : []),
  ]
  const words = modifiers.length === 0 ? '' : `${modifiers.join(' ')} `
  const signature = `${words}${name}(${parametersText(parameters)})${type === null ? '' : ` -> ${type}`}`
  const kind = prefix === '' ? 'function' : 'member'
  found.symbols.push(
    symbolOf({ name, kind, line: line.line, signature, parameters, type, typeParameters, modifiers }),
  )
}

/** The colon before the body, not one of a slice or an annotation. */
function lastColon(tokens: readonly Token[]): Token {
  const colon = tokens.findLast((token, at) => token.text === ':' && depthAt(tokens, at) === 0)
  return colon ?? (tokens.at(-1) as Token)
}

function depthAt(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (const token of tokens.slice(0, at)) {
    if (token.kind !== 'mark') continue
    if ('([{'.includes(token.text)) depth++
    if (')]}'.includes(token.text)) depth--
  }
  return depth
}

export function pythonParameters(tokens: readonly Token[]): readonly Parameter[] {
  const parts = withLambdas(splitAtCommas(tokens))
  const slash = parts.findIndex((part) => part.length === 1 && part[0]?.text === '/')
  let isByName = false
  return parts.flatMap((part, place): readonly Parameter[] => {
    const [first] = part
    if (first === undefined || first.text === '/') return []
    if (first.text === '*' && part.length === 1) {
      isByName = true
      return []
    }
    const stars = first.text === '*' || first.text === '**' ? first.text : ''
    const at = stars === '' ? 0 : 1
    const own = part[at]?.text ?? ''
    const equals = part.findIndex((token, index) => token.text === '=' && depthAt(part, index) === 0)
    const colon = part[at + 1]?.text === ':' ? at + 2 : -1
    const type = colon === -1 ? null : typeOf(part.slice(colon, equals === -1 ? part.length : equals))
    if (stars !== '') {
      isByName = true
      return [{ name: `${stars}${own}`, type, need: 'rest' }]
    }
    if (isByName)
      return [{ name: own, type, need: equals === -1 ? 'named' : 'named_optional', isNamed: true }]
    const isNamed = !(place < slash) && !/^__(?!.*__$)/.test(own)
    return [{ name: own, type, need: equals === -1 ? 'required' : 'optional', isNamed }]
  })
}

/** The commas of `lambda a, b: c` divide no parameters. */
function withLambdas(parts: readonly (readonly Token[])[]): readonly (readonly Token[])[] {
  const whole: Token[][] = []
  let isOpen = false
  for (const part of parts) {
    if (isOpen) whole.at(-1)?.push(...part)
    else whole.push([...part])
    const lambda = part.findIndex((token) => token.text === 'lambda')
    const rest: readonly Token[] | null = isOpen ? part : lambda === -1 ? null : part.slice(lambda)
    isOpen = rest !== null && !rest.some((token) => token.text === ':')
  }
  return whole
}

/** An annotation; quotes around it only put off when it is looked at. */
function typeOf(tokens: readonly Token[]): string {
  return lineOf(
    tokens.map((token) => {
      const inner = token.kind === 'string' ? /^[rRuU]?(['"])([^'"\\]*)\1$/.exec(token.text)?.[2] : undefined
      return inner === undefined ? token : { ...token, kind: 'word', text: inner }
    }),
  )
}

function parametersText(parameters: readonly Parameter[]): string {
  const texts: string[] = []
  let isByName = false
  for (const { name, type, need } of parameters) {
    if (need.startsWith('named') && !isByName) texts.push('*')
    if (need.startsWith('named') || (need === 'rest' && name.startsWith('*'))) isByName = true
    const isOptional = need === 'optional' || need === 'named_optional'
    texts.push(`${name}${type === null ? '' : `: ${type}`}${isOptional ? ' = …' : ''}`)
  }
  return texts.join(', ')
}

interface ClassLines {
  /** The first is the head. */
  readonly lines: readonly LogicalLine[]
  readonly prefix: string
  readonly decorators: readonly string[]
}

function addClass({ lines, prefix, decorators }: ClassLines, found: Found): void {
  const [head, ...body] = lines
  if (head === undefined) return
  const { tokens } = head
  const name = `${prefix}${tokens[1]?.text ?? ''}`
  const open = tokens.findIndex((token) => token.text === '(')
  const bases =
    open === -1
      ? []
      : splitAtCommas(inside(tokens, open))
          .filter((part) => part[1]?.text !== '=')
          .map((part) => lineOf(part))
          .filter((base) => base !== 'object')
  const typeParameters =
    tokens[2]?.text === '[' ? splitAtCommas(inside(tokens, 2)).map((part) => lineOf(part)) : []
  const signature = `class ${name}${bases.length === 0 ? '' : `(${bases.join(', ')})`}`
  found.symbols.push(symbolOf({ name, kind: 'class', line: head.line, signature, bases, typeParameters }))
  const own: Found = { symbols: [], imported: [], all: null }
  readBlock({ lines: body, prefix: `${name}.` }, own)
  found.symbols.push(...own.symbols)
  if (own.symbols.some((symbol) => symbol.name === `${name}.__init__`)) return
  const dataclass = decorators.find((text) => /(^|\.)dataclass(\(|$)/.test(text))
  if (dataclass === undefined && bases.length > 0) return
  const parameters = dataclass === undefined ? [] : fieldsOf(body, dataclass)
  const made = `${name}.__init__(${parametersText(parameters)})`
  found.symbols.push(
    symbolOf({ name: `${name}.__init__`, kind: 'member', line: head.line, signature: made, parameters }),
  )
}

/** A dataclass is made of its fields, in their order. */
function fieldsOf(body: readonly LogicalLine[], dataclass: string): readonly Parameter[] {
  const indent = body[0]?.indent ?? 0
  let isByName = /kw_only\s*=\s*True/.test(dataclass)
  return body.flatMap(({ tokens, indent: own }): readonly Parameter[] => {
    const [name, colon] = tokens
    if (own !== indent || name?.kind !== 'word' || colon?.text !== ':') return []
    const equals = tokens.findIndex((token) => token.text === '=')
    const type = typeOf(tokens.slice(2, equals === -1 ? tokens.length : equals))
    if (/^(typing\.)?ClassVar\b/.test(type)) return []
    if (/^(dataclasses\.)?KW_ONLY$/.test(type)) {
      isByName = true
      return []
    }
    const value = equals === -1 ? '' : lineOf(tokens.slice(equals + 1))
    if (/init\s*=\s*False/.test(value)) return []
    const isField = /^(dataclasses\.)?field\(/.test(value)
    const isOptional = equals !== -1 && (!isField || /default(_factory)?\s*=/.test(value))
    const isNamed = isByName || /kw_only\s*=\s*True/.test(value)
    const need = isNamed ? (isOptional ? 'named_optional' : 'named') : isOptional ? 'optional' : 'required'
    return [{ name: name.text, type, need, isNamed: true }]
  })
}

function statement(line: LogicalLine, prefix: string, found: Found): void {
  const { tokens } = line
  const [first, second] = tokens
  if (first?.kind !== 'word') return
  if (first.text === 'from') return importFrom(line, found)
  if (first.text === 'import') return
  if (first.text === '__all__') return allOf(tokens, found)
  if (first.text === 'type' && second?.kind === 'word') {
    const equals = tokens.findIndex((token) => token.text === '=')
    const type = equals === -1 ? null : typeOf(tokens.slice(equals + 1))
    const name = `${prefix}${second.text}`
    found.symbols.push(
      symbolOf({ name, kind: 'type', line: line.line, type, signature: `type ${name} = ${type ?? ''}` }),
    )
    return
  }
  if (second?.text === ':') {
    const equals = tokens.findIndex((token) => token.text === '=')
    const type = typeOf(tokens.slice(2, equals === -1 ? tokens.length : equals))
    add(found, { name: `${prefix}${first.text}`, line: line.line, type, prefix })
    return
  }
  // `a = b = 1` and `a, b = 1, 2` name several.
  const targets = assignedNames(tokens)
  for (const name of targets) add(found, { name: `${prefix}${name}`, line: line.line, type: null, prefix })
}

function add(
  found: Found,
  said: {
    readonly name: string
    readonly line: number
    readonly type: string | null
    readonly prefix: string
  },
): void {
  if (found.symbols.some((symbol) => symbol.name === said.name)) return
  const { name, line, type } = said
  const signature = `${name}${type === null ? '' : `: ${type}`}`
  found.symbols.push(symbolOf({ name, line, type, signature, kind: said.prefix === '' ? 'value' : 'member' }))
}

function assignedNames(tokens: readonly Token[]): readonly string[] {
  const marks = [...tokens.keys()].filter((at) => tokens[at]?.text === '=' && depthAt(tokens, at) === 0)
  const names: string[] = []
  let from = 0
  for (const mark of marks) {
    const target = tokens.slice(from, mark).filter((token) => !'()[]'.includes(token.text))
    const parts = splitAtCommas(target)
    if (parts.every((part) => part.length === 1 && part[0]?.kind === 'word')) {
      names.push(...parts.map((part) => part[0]?.text ?? ''))
    }
    from = mark + 1
  }
  return names
}

/** `__all__ = ['a']`, `__all__ += ['b']`, `__all__.extend(['c'])`. */
function allOf(tokens: readonly Token[], found: Found): void {
  const names = tokens.flatMap((token) => {
    const inner = token.kind === 'string' ? /^(['"])(.*)\1$/.exec(token.text)?.[2] : undefined
    return inner === undefined ? [] : [inner]
  })
  const isNew = tokens[1]?.text === '=' || tokens[1]?.text === ':'
  found.all = [...(isNew ? [] : (found.all ?? [])), ...names]
}

/** `from .a import b as c, d`. */
function importFrom({ tokens, line }: LogicalLine, found: Found): void {
  const at = tokens.findIndex((token) => token.text === 'import')
  if (at === -1) return
  const from = tokens
    .slice(1, at)
    .map((token) => token.text)
    .join('')
  const list = tokens[at + 1]?.text === '(' ? inside(tokens, at + 1) : tokens.slice(at + 1)
  for (const part of splitAtCommas(list)) {
    const original = part[0]?.text ?? ''
    const name = part[1]?.text === 'as' ? (part[2]?.text ?? '') : original
    if (original !== '') found.imported.push({ name, from, original, line })
  }
}
