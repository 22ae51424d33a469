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
  textOf,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { brokenParts, declarationsIn } from './doubts.ts'
import { childLines, nodeLine } from './one-line.ts'
import { symbolOf, withType, type PassedOn, type PublicSymbol, type TreeApi } from './public-symbol.ts'
import { annotation, dataclassFields, parametersText, pythonParameters } from './python-parameters.ts'

/** A module or a class, as far as it is read. */
interface Scope {
  readonly tree: SyntaxTree
  /** What its names begin with: a class and a dot. */
  readonly prefix: string
  readonly symbols: PublicSymbol[]
  readonly imported: PassedOn[]
  readonly unparsed: string[]
  readonly overloaded: Set<string>
  all: string[] | null
}

const scopeOf = (tree: SyntaxTree, prefix: string): Scope => ({
  tree,
  prefix,
  symbols: [],
  imported: [],
  unparsed: [],
  overloaded: new Set(),
  all: null,
})

export function readPython(tree: SyntaxTree, path: string): TreeApi {
  const scope = scopeOf(tree, '')
  readStatements(scope, tree.root)
  return { ...offered(scope, path), unparsed: scope.unparsed }
}

function offered({ symbols, imported, all }: Scope, path: string): Omit<TreeApi, 'unparsed'> {
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
  const missing = passedOn.some(({ name }) => name === '*') ? [] : all.filter((name) => !known.has(name))
  return {
    symbols: [...own, ...missing.map((name) => symbolOf({ name, kind: 'value', line: 1 }))],
    passedOn,
  }
}

const SHOWN_SPECIALS: ReadonlySet<string> = new Set(['__init__', '__call__'])
const isHidden = (name: string): boolean =>
  name.split('.').some((part) => part.startsWith('_') && !SHOWN_SPECIALS.has(part))

/** Blocks of conditions and loops belong to the enclosing scope. */
function readStatements(scope: Scope, body: SyntaxNode): void {
  for (const node of declarationsIn(scope.tree, body, scope.unparsed)) {
    switch (node.kind) {
      case 'decorated_definition': {
        const definition = childBy(node, 'definition')
        const decorators = node.children
          .filter(({ kind }) => kind === 'decorator')
          .map((decorator) => nodeLine(scope.tree, ...namedChildren(decorator)))
        if (definition !== null) define(scope, definition, decorators)
        break
      }
      case 'function_definition':
      case 'class_definition':
        define(scope, node, [])
        break
      case 'expression_statement':
        for (const expression of namedChildren(node)) readExpression(scope, expression)
        break
      case 'import_from_statement':
        importFrom(scope, node)
        break
      case 'type_alias_statement':
        typeAlias(scope, node)
        break
      default:
        if (/_statement$|_clause$|^block$/.test(node.kind)) readStatements(scope, node)
    }
  }
}

function define(scope: Scope, node: SyntaxNode, decorators: readonly string[]): void {
  scope.unparsed.push(...brokenParts(scope.tree, node))
  if (node.kind === 'class_definition') defineClass(scope, node, decorators)
  else defineFunction(scope, node, decorators)
}

function defineFunction(scope: Scope, node: SyntaxNode, decorators: readonly string[]): void {
  const { tree, prefix, symbols, overloaded } = scope
  const [named, list] = [childBy(node, 'name'), childBy(node, 'parameters')]
  if (named === null || list === null) return
  const { line } = node
  const own = textOf(tree, named)
  const name = `${prefix}${own}`
  const has = (word: string): boolean => decorators.some((text) => text === word || text.endsWith(`.${word}`))
  const setter = decorators.find((text) => /\.(setter|deleter)$/.test(text))
  if (setter !== undefined) {
    // A property with a setter is not read-only.
    const place = symbols.findIndex((symbol) => symbol.name === name)
    const known = symbols[place]
    if (known !== undefined && setter.endsWith('.setter')) {
      symbols[place] = { ...known, modifiers: known.modifiers.filter((word) => word !== 'readonly') }
    }
    return
  }
  const type = annotation(tree, childBy(node, 'return_type'))
  if (has('property') || has('cached_property')) {
    const signature = withType(name, type)
    symbols.push(symbolOf({ name, kind: 'member', line, type, signature, modifiers: ['readonly'] }))
    return
  }
  if (has('overload')) overloaded.add(own)
  else if (overloaded.has(own)) return
  const all = pythonParameters(tree, list)
  const isMethod = prefix !== '' && !has('staticmethod')
  const parameters = isMethod && all[0]?.need !== 'rest' ? all.slice(1) : all
  const modifiers = [
    ...(childOfKind(node, 'async') === null ? [] : ['async']),
    ...['classmethod', 'staticmethod'].filter(has),
    ...(has('abstractmethod') ? ['abstract'] : []),
  ]
  const call = `${[...modifiers, name].join(' ')}(${parametersText(parameters)})`
  const signature = withType(call, type, ' -> ')
  const kind = prefix === '' ? 'function' : 'member'
  const typeParameters = childLines(tree, node, 'type_parameters')
  symbols.push(symbolOf({ name, kind, line, signature, parameters, type, typeParameters, modifiers }))
}

function defineClass(scope: Scope, node: SyntaxNode, decorators: readonly string[]): void {
  const { tree, prefix, symbols } = scope
  const [named, body] = [childBy(node, 'name'), childBy(node, 'body')]
  if (named === null || body === null) return
  const { line } = node
  const name = `${prefix}${textOf(tree, named)}`
  const bases = namedChildren(childBy(node, 'superclasses'))
    .filter(({ kind }) => kind !== 'keyword_argument')
    .map((base) => nodeLine(tree, base))
    .filter((base) => base !== 'object')
  const signature = `class ${name}${bases.length === 0 ? '' : `(${bases.join(', ')})`}`
  const typeParameters = childLines(tree, node, 'type_parameters')
  symbols.push(symbolOf({ name, kind: 'class', line, signature, bases, typeParameters }))
  const inner = scopeOf(tree, `${name}.`)
  readStatements(inner, body)
  symbols.push(...inner.symbols)
  scope.unparsed.push(...inner.unparsed)
  if (inner.symbols.some((symbol) => symbol.name === `${name}.__init__`)) return
  const dataclass = decorators.find((text) => /(^|\.)dataclass(\(|$)/.test(text))
  if (dataclass === undefined && bases.length > 0) return
  const parameters = dataclass === undefined ? [] : dataclassFields(tree, namedChildren(body), dataclass)
  const made = `${name}.__init__(${parametersText(parameters)})`
  symbols.push(symbolOf({ name: `${name}.__init__`, kind: 'member', line, signature: made, parameters }))
}

function readExpression(scope: Scope, node: SyntaxNode): void {
  const { tree } = scope
  if (/^__all__\b/.test(textOf(tree, node))) return readAll(scope, node)
  if (node.kind !== 'assignment') return
  scope.unparsed.push(...brokenParts(tree, node))
  const [left, right] = [childBy(node, 'left'), childBy(node, 'right')]
  const type = annotation(tree, childBy(node, 'type'))
  for (const name of left === null ? [] : targetNames(tree, left))
    addValue(scope, { name, type, line: node.line })
  // `a = b = 1` names several.
  if (right?.kind === 'assignment') readExpression(scope, right)
}

/** `a, b = 1, 2` names several; `a.b = 1` and `a[0] = 1` name nothing new. */
function targetNames(tree: SyntaxTree, target: SyntaxNode): readonly string[] {
  if (target.kind === 'identifier') return [textOf(tree, target)]
  const isList = /^(pattern_list|tuple_pattern|list_pattern|list_splat_pattern)$/.test(target.kind)
  return isList ? namedChildren(target).flatMap((inner) => targetNames(tree, inner)) : []
}

function addValue(
  { prefix, symbols }: Scope,
  given: { readonly name: string; readonly line: number; readonly type: string | null },
): void {
  const name = `${prefix}${given.name}`
  if (symbols.some((symbol) => symbol.name === name)) return
  const kind = prefix === '' ? 'value' : 'member'
  symbols.push(symbolOf({ ...given, name, signature: withType(name, given.type), kind }))
}

/** `__all__ = ['a']`, `__all__ += ['b']`, `__all__.extend(['c'])`. */
function readAll(scope: Scope, node: SyntaxNode): void {
  const names = descendants(node, 'string_content').map((content) => textOf(scope.tree, content))
  const isNew = node.kind === 'assignment'
  scope.all = [...(isNew ? [] : (scope.all ?? [])), ...names]
}

function typeAlias({ tree, prefix, symbols }: Scope, node: SyntaxNode): void {
  const [left, right] = [childBy(node, 'left'), childBy(node, 'right')]
  const own = left === null ? undefined : descendants(left, 'identifier')[0]
  if (own === undefined) return
  const type = annotation(tree, right)
  const name = `${prefix}${textOf(tree, own)}`
  symbols.push(
    symbolOf({ name, kind: 'type', line: node.line, type, signature: `type ${name} = ${type ?? ''}` }),
  )
}

/** `from .a import b as c, d`. */
function importFrom({ tree, imported }: Scope, node: SyntaxNode): void {
  const module = childBy(node, 'module_name')
  if (module === null) return
  const from = textOf(tree, module).replace(/\s/g, '')
  const { line } = node
  if (childOfKind(node, 'wildcard_import') !== null) imported.push({ name: '*', from, original: '*', line })
  for (const one of childrenBy(node, 'name')) {
    const [named, alias] = [childBy(one, 'name') ?? one, childBy(one, 'alias')]
    const original = textOf(tree, named)
    imported.push({ name: alias === null ? original : textOf(tree, alias), from, original, line })
  }
}
