/**
 * Reads the public names of a Python module: its `__all__`, or every name without a leading underscore. Imports count only
 * in an `__init__.py` that re-exports its own modules.
 */
import {
  childBy,
  childOfKind,
  childrenBy,
  descendants,
  namedChildren,
  type SyntaxNode,
} from '../../languages/syntax.ts'
import { declarationsIn, declared, lineOf } from './declarations.ts'
import { symbolOf, type Parameter, type PassedOn, type PublicSymbol, type TreeApi } from './compare.ts'

/** A module or a class, as far as it is read. */
interface Scope {
  /** What its names begin with: a class and a dot. */
  readonly prefix: string
  readonly symbols: PublicSymbol[]
  readonly imported: PassedOn[]
  readonly overloaded: Set<string>
  all: string[] | null
}

export function readPython(root: SyntaxNode, path: string): TreeApi {
  const scope: Scope = {
    prefix: '',
    symbols: [],
    imported: [],
    overloaded: new Set(),
    all: null,
  }
  readStatements(scope, root)
  const { symbols, imported, all } = scope
  if (all === null) {
    const isPackage = path.endsWith('__init__.py')
    return {
      symbols: symbols.filter(({ name }) => !isHidden(name)),
      passedOn: imported.filter(({ name, from }) => isPackage && from.startsWith('.') && !isHidden(name)),
    }
  }
  const wanted = new Set(all)
  const own = symbols.filter(({ name }) => wanted.has(name.split('.')[0] ?? ''))
  const passedOn = imported.filter(({ name }) => wanted.has(name) || name === '*')
  const known = new Set([...own, ...passedOn].map(({ name }) => name))
  const missing = known.has('*') ? [] : all.filter((name) => !known.has(name))
  return { symbols: [...own, ...missing.map((name) => symbolOf({ name, line: 1 }))], passedOn }
}

const isHidden = (name: string): boolean =>
  name.split('.').some((part) => part.startsWith('_') && part !== '__init__' && part !== '__call__')

/** Blocks of conditions and loops belong to the enclosing scope. */
function readStatements(scope: Scope, body: SyntaxNode): void {
  for (const node of declarationsIn(body)) {
    const definition = node.kind === 'decorated_definition' ? childBy(node, 'definition') : node
    if (definition?.kind.endsWith('_definition') === true) {
      const decorators = childrenOf(node, 'decorator').map((one) => lineOf(...namedChildren(one)))
      const define = definition.kind === 'class_definition' ? defineClass : defineFunction
      define(scope, definition, decorators)
    } else if (node.kind === 'expression_statement') {
      for (const expression of namedChildren(node)) readExpression(scope, expression)
    } else if (node.kind === 'import_from_statement') importFrom(scope, node)
    else if (node.kind === 'type_alias_statement') {
      const [name, type] = [descendants(node, 'identifier')[0], childBy(node, 'right')]
      if (name !== undefined) addName(scope, node, name.text, type)
    } else if (/_statement$|_clause$|^block$/.test(node.kind)) readStatements(scope, node)
  }
}

const childrenOf = ({ children }: SyntaxNode, wanted: string): readonly SyntaxNode[] =>
  children.filter(({ kind }) => kind === wanted)

function defineFunction(scope: Scope, node: SyntaxNode, decorators: readonly string[]): void {
  const { prefix, symbols, overloaded } = scope
  const [named, list] = [childBy(node, 'name'), childBy(node, 'parameters')]
  if (named === null || list === null) return
  const own = named.text
  const name = `${prefix}${own}`
  const has = (word: string): boolean => decorators.some((text) => text === word || text.endsWith(`.${word}`))
  if (has('overload')) overloaded.add(own)
  else if (overloaded.has(own)) return
  const kinds = ['classmethod', 'staticmethod', 'abstractmethod', 'property', 'setter', 'deleter'].filter(has)
  const symbol = declared(node, { name, words: kinds.join(' ') })
  const all = parametersOf(list)
  const isMethod = prefix !== '' && !has('staticmethod')
  const parameters = isMethod && all[0]?.name.startsWith('*') === false ? all.slice(1) : all
  const isValue = has('property') || has('cached_property') || has('setter') || has('deleter')
  symbols.push({ ...symbol, parameters: isValue ? null : parameters })
}

function parametersOf(list: SyntaxNode): readonly Parameter[] {
  const nodes = namedChildren(list)
  const slash = nodes.findIndex(({ kind }) => kind === 'positional_separator')
  let isByName = false
  return nodes.flatMap((node, place): readonly Parameter[] => {
    if (node.kind === 'keyword_separator') isByName = true
    if (node.kind.endsWith('_separator') || node.isError) return []
    const bound = childBy(node, 'name') ?? (node.kind === 'typed_parameter' ? namedChildren(node)[0] : node)
    const name = (bound?.text ?? '').replace(/\s/g, '')
    const typed = childBy(node, 'type')
    const type = lineOf(typed)
    const [stars] = /^\*+/.exec(name) ?? []
    if (stars !== undefined) {
      isByName = true
      return [{ name: stars, type, isOptional: true, passedBy: 'name' }]
    }
    const isPlaceOnly = place < slash || /^__(?!.*__$)/.test(name)
    const passedBy = isByName ? 'name' : isPlaceOnly ? 'place' : 'either'
    return [{ name, type, isOptional: childBy(node, 'value') !== null, passedBy }]
  })
}

function defineClass(scope: Scope, node: SyntaxNode, decorators: readonly string[]): void {
  const { symbols } = scope
  const [named, body] = [childBy(node, 'name'), childBy(node, 'body')]
  if (named === null || body === null) return
  const name = `${scope.prefix}${named.text}`
  const own = declared(node, { name })
  const inner: Scope = { ...scope, prefix: `${name}.`, symbols: [], overloaded: new Set() }
  readStatements(inner, body)
  symbols.push(own, ...inner.symbols)
  const made = `${name}.__init__`
  const isDataclass = decorators.some((text) => /(^|\.)dataclass(\(|$)/.test(text))
  const bases = namedChildren(childBy(node, 'superclasses')).filter(({ kind }) => kind !== 'keyword_argument')
  const isDerived = bases.some((base) => base.text !== 'object')
  if (inner.symbols.some((symbol) => symbol.name === made) || (isDerived && !isDataclass)) return
  const parameters = isDataclass ? fieldsOf(body) : []
  symbols.push(symbolOf({ name: made, line: node.line, signature: `${made}()`, parameters }))
}

/** The constructor of a dataclass takes its fields in order. */
const fieldsOf = (body: SyntaxNode): readonly Parameter[] =>
  descendants(body, 'assignment').flatMap((node): readonly Parameter[] => {
    const [left, typed] = [childBy(node, 'left'), childBy(node, 'type')]
    if (node.parent?.parent !== body || left === null || typed === null) return []
    const type = lineOf(typed)
    if (/ClassVar|KW_ONLY/.test(type)) return []
    return [{ name: left.text, type, isOptional: childBy(node, 'right') !== null, passedBy: 'either' }]
  })

function readExpression(scope: Scope, node: SyntaxNode): void {
  if (/^__all__\b/.test(node.text)) {
    // `__all__ = ['a']`, `__all__ += ['b']`, `__all__.extend(['c'])`.
    const names = descendants(node, 'string_content').map((content) => content.text)
    scope.all = [...(node.kind === 'assignment' ? [] : (scope.all ?? [])), ...names]
    return
  }
  if (node.kind !== 'assignment') return
  const [left, right] = [childBy(node, 'left'), childBy(node, 'right')]
  for (const name of left === null ? [] : targetNames(left)) addName(scope, node, name)
  // `a = b = 1` names several.
  if (right?.kind === 'assignment') readExpression(scope, right)
}

/** `a, b = 1, 2` names several; `a.b = 1` and `a[0] = 1` name nothing new. */
function targetNames(target: SyntaxNode): readonly string[] {
  if (target.kind === 'identifier') return [target.text]
  const isList = /^(pattern_list|tuple_pattern|list_pattern|list_splat_pattern)$/.test(target.kind)
  return isList ? namedChildren(target).flatMap((inner) => targetNames(inner)) : []
}

function addName({ prefix, symbols }: Scope, node: SyntaxNode, own: string, type?: SyntaxNode | null): void {
  const name = `${prefix}${own}`
  if (symbols.some((symbol) => symbol.name === name)) return
  symbols.push({ ...declared(node, { name, ...(type === undefined ? {} : { type }) }), words: '' })
}

/** `from .a import b as c, d`. */
function importFrom({ imported }: Scope, node: SyntaxNode): void {
  const module = childBy(node, 'module_name')
  if (module === null) return
  const from = module.text.replace(/\s/g, '')
  const { line } = node
  if (childOfKind(node, 'wildcard_import') !== null) imported.push({ name: '*', from, original: '*', line })
  for (const one of childrenBy(node, 'name')) {
    const [named, alias] = [childBy(one, 'name') ?? one, childBy(one, 'alias')]
    const original = named.text
    imported.push({ name: alias === null ? original : alias.text, from, original, line })
  }
}
