/** Reads the exports of a TypeScript or JavaScript module. Types are compared as text and not inferred. */
import {
  childBy,
  childOfKind,
  namedChildren,
  textOf,
  walk,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { brokenParts, declarationsIn, declared } from './declarations.ts'
import { symbolOf, type PassedOn, type PublicSymbol, type TreeApi } from './public-symbol.ts'

interface Local {
  readonly kind: string
  readonly symbols: readonly PublicSymbol[]
  readonly unparsed: readonly string[]
}

interface Module {
  readonly tree: SyntaxTree
  /** By local name; a name may be declared several times: overloads, a type and a value. */
  readonly locals: Map<string, Local[]>
  readonly imported: Map<string, Pick<PassedOn, 'from' | 'original'>>
  /** Local names and their exported names. */
  readonly exported: { readonly local: string; readonly name: string; readonly line: number }[]
  readonly passedOn: PassedOn[]
  readonly unparsed: string[]
}

export const readTypeScript = (tree: SyntaxTree): TreeApi => readModule(tree, tree.root, 'exported')

function readModule(tree: SyntaxTree, body: SyntaxNode, shown: 'exported' | 'all'): TreeApi {
  const module: Module = {
    tree,
    locals: new Map(),
    imported: new Map(),
    exported: [],
    passedOn: [],
    unparsed: [],
  }
  for (const node of declarationsIn(tree, body, module.unparsed)) statement(module, node, shown === 'all')
  const symbols: PublicSymbol[] = []
  for (const { local, name, line } of module.exported) {
    const passed = module.imported.get(local)
    const found = module.locals.get(local) ?? []
    if (passed !== undefined) module.passedOn.push({ name, ...passed, line })
    else if (found.length === 0) symbols.push(symbolOf({ name, line }))
    for (const one of found) {
      symbols.push(
        ...one.symbols.map((symbol) => ({ ...symbol, name: `${name}${symbol.name.slice(local.length)}` })),
      )
      module.unparsed.push(...one.unparsed)
    }
  }
  return { symbols, passedOn: module.passedOn, unparsed: module.unparsed }
}

function statement(module: Module, node: SyntaxNode, isExported: boolean): void {
  if (node.kind === 'import_statement') importStatement(module, node)
  else if (node.kind === 'export_statement') exportStatement(module, node)
  else if (!commonJs(module, node)) {
    for (const name of declare(module, node)) if (isExported) exportAs(module, node, name, name)
  }
}

function exportAs({ exported }: Module, { line }: SyntaxNode, local: string, name: string): void {
  if (!exported.some((one) => one.local === local && one.name === name)) exported.push({ local, name, line })
}

/** The local names that a statement declares. */
function declare(module: Module, node: SyntaxNode, unnamed = ''): readonly string[] {
  const { tree, locals } = module
  if (/^(ambient_declaration|expression_statement|lexical_declaration|variable_declaration)$/.test(node.kind))
    return namedChildren(node).flatMap((inner) => declare(module, inner))
  const named = childBy(node, 'name')
  if (node.kind === 'variable_declarator' && named?.kind.endsWith('_pattern') === true) {
    const names = boundNames(tree, named)
    for (const name of names)
      add(locals, name, { kind: node.kind, symbols: [symbolOf({ name, line: node.line })], unparsed: [] })
    return names
  }
  const name = named === null ? unnamed : textOf(tree, named)
  const unparsed = [...brokenParts(tree, node)]
  const symbols = symbolsOf(tree, node, name, unparsed)
  if (symbols.length === 0) module.unparsed.push(...unparsed)
  if (symbols.length === 0 || name === '') return []
  // Only the overloads of a function are callable.
  const isOverloaded = locals.get(name)?.some(({ kind }) => kind === 'function_signature') === true
  if (!isOverloaded || node.kind === 'function_signature')
    add(locals, name, { kind: node.kind, symbols, unparsed })
  return [name]
}

const add = (locals: Map<string, Local[]>, name: string, local: Local): unknown =>
  locals.set(name, [...(locals.get(name) ?? []), local])

/** A declaration and its members. */
function symbolsOf(
  tree: SyntaxTree,
  node: SyntaxNode,
  name: string,
  unparsed: string[],
): readonly PublicSymbol[] {
  const body = childBy(node, 'body')
  const own = (given: Partial<Parameters<typeof declared>[2]> = {}): PublicSymbol =>
    declared(tree, node, { name, ...given })
  switch (node.kind) {
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_signature':
    case 'function_expression':
    case 'generator_function':
    case 'arrow_function':
    case 'method_definition':
      return [own()]
    case 'class_declaration':
    case 'abstract_class_declaration':
    case 'class': {
      const made = `${name}.constructor`
      const names = namedChildren(body).map((member) => childBy(member, 'name'))
      const hasOwn = names.some((one) => one !== null && textOf(tree, one) === 'constructor')
      // A derived class without a constructor uses that of its base.
      const isImplied = !hasOwn && !/\bextends\b/.test(own().words)
      const implied = symbolOf({ name: made, line: node.line, signature: `${made}()`, parameters: [] })
      return [own(), ...membersOf(tree, name, body), ...(isImplied ? [implied] : [])]
    }
    case 'interface_declaration':
    case 'enum_declaration':
      return [own(), ...membersOf(tree, name, body)]
    case 'type_alias_declaration': {
      const value = childBy(node, 'value')
      // A mapped type has no members of its own.
      const isMapped = namedChildren(value).some((one) => childOfKind(one, 'mapped_type_clause') !== null)
      if (value?.kind !== 'object_type' || isMapped) return [own({ type: value })]
      return [own(), ...membersOf(tree, name, value)]
    }
    case 'internal_module':
    case 'module': {
      // `declare module 'x'` is about another module.
      if (body === null || childBy(node, 'name')?.kind === 'string') return []
      const inner = readModule(tree, body, node.parent?.kind === 'ambient_declaration' ? 'all' : 'exported')
      unparsed.push(...inner.unparsed)
      return [own(), ...inner.symbols.map((symbol) => ({ ...symbol, name: `${name}.${symbol.name}` }))]
    }
    case 'variable_declarator': {
      const value = childBy(node, 'value')
      const isFunction = value !== null && isFunctionValue(value) && childBy(node, 'type') === null
      return [own(isFunction ? { callable: value } : {})]
    }
    default:
      return []
  }
}

const isFunctionValue = ({ kind }: SyntaxNode): boolean =>
  /^(arrow_function|function_expression|generator_function)$/.test(kind)

const UNNAMED: Readonly<Record<string, string>> = {
  call_signature: '()',
  construct_signature: 'new',
  index_signature: '[]',
}

/** The public members of a class, an interface, an object type or an enum. */
function membersOf(tree: SyntaxTree, owner: string, body: SyntaxNode | null): readonly PublicSymbol[] {
  return namedChildren(body).flatMap((node): readonly PublicSymbol[] => {
    const named = childBy(node, 'name')
    const own = UNNAMED[node.kind] ?? nameIn(tree, named ?? node)
    const access = childOfKind(node, 'accessibility_modifier')
    const isHidden = own.startsWith('#') || (access !== null && textOf(tree, access) !== 'public')
    if (isHidden || /decorator|static_block/.test(node.kind)) return []
    const name = `${owner}.${own}`
    const value = childBy(node, 'value')
    const callable = value !== null && isFunctionValue(value) && childBy(node, 'type') === null ? value : node
    const symbol = declared(tree, node, {
      name,
      callable,
      ...(node.kind === 'enum_assignment' ? { type: value } : {}),
    })
    // An accessor is used as a value.
    if (childOfKind(node, 'get', 'set') !== null)
      return [{ ...symbol, parameters: null, type: symbol.type || (symbol.parameters?.[0]?.type ?? '') }]
    return [symbol, ...(own === 'constructor' ? parameterMembers(tree, owner, node) : [])]
  })
}

/** `constructor(readonly name: string)` declares a member. */
const parameterMembers = (tree: SyntaxTree, owner: string, node: SyntaxNode): readonly PublicSymbol[] =>
  namedChildren(childBy(node, 'parameters')).flatMap((one) => {
    const access = childOfKind(one, 'accessibility_modifier', 'readonly')
    const pattern = childBy(one, 'pattern')
    if (access === null || pattern === null || /^(private|protected)$/.test(textOf(tree, access))) return []
    return [declared(tree, one, { name: `${owner}.${textOf(tree, pattern)}` })]
  })

/** A name, or the text within its quotes. */
function nameIn(tree: SyntaxTree, node: SyntaxNode): string {
  const text = textOf(tree, node)
  return node.kind === 'string' ? text.slice(1, -1) : text
}

/** The names that `{ a, b: c, ...d }` or `[e, f]` binds, without keys and defaults. */
const boundNames = (tree: SyntaxTree, pattern: SyntaxNode): readonly string[] =>
  walk(pattern, ({ field }) => field !== 'key' && field !== 'right')
    .filter(({ kind }) => kind === 'identifier' || kind === 'shorthand_property_identifier_pattern')
    .map((node) => textOf(tree, node))
    .toArray()

function exportStatement(module: Module, node: SyntaxNode): void {
  const { tree, passedOn } = module
  const [declaration, value] = [childBy(node, 'declaration'), childBy(node, 'value')]
  const list = childOfKind(node, 'export_clause')
  const source = childBy(node, 'source')
  const from = source === null ? null : nameIn(tree, source)
  const isDefault = childOfKind(node, 'default') !== null
  const { line } = node
  if (declaration !== null) {
    for (const name of declare(module, declaration, 'default'))
      exportAs(module, node, name, isDefault ? 'default' : name)
  } else if (value !== null) assigned(module, value, 'default')
  else if (list !== null) {
    for (const one of namedChildren(list)) {
      const local = childBy(one, 'name')
      if (local === null) continue
      const name = nameIn(tree, childBy(one, 'alias') ?? local)
      if (from === null) exportAs(module, one, textOf(tree, local), name)
      else passedOn.push({ name, from, original: nameIn(tree, local), line })
    }
  } else if (childOfKind(node, '=') !== null) {
    const given = namedChildren(node).at(-1)
    if (given !== undefined) assigned(module, given, 'export=')
  } else if (from !== null) {
    const [name] = namedChildren(childOfKind(node, 'namespace_export'))
    passedOn.push({ name: name === undefined ? '*' : nameIn(tree, name), from, original: '*', line })
  }
}

/** An exported value: a local name, a function, a class, or another expression. */
function assigned(module: Module, node: SyntaxNode, name: string): void {
  if (node.kind === 'identifier') return exportAs(module, node, textOf(module.tree, node), name)
  // The name in `= function a() {}` is its own.
  const own = `= ${name}`
  const unparsed = [...brokenParts(module.tree, node)]
  const symbols = symbolsOf(module.tree, node, own, unparsed)
  const isDeclared = symbols.length > 0
  add(module.locals, own, {
    kind: node.kind,
    symbols: isDeclared ? symbols : [symbolOf({ name: own, line: node.line, signature: name })],
    unparsed: isDeclared ? unparsed : [],
  })
  exportAs(module, node, own, name)
}

function importStatement({ tree, imported }: Module, node: SyntaxNode): void {
  const source = childBy(node, 'source')
  if (source === null) return
  const from = nameIn(tree, source)
  const bind = (local: SyntaxNode, original: string): unknown =>
    imported.set(textOf(tree, local), { from, original })
  for (const part of namedChildren(childOfKind(node, 'import_clause'))) {
    if (part.kind === 'identifier') bind(part, 'default')
    else if (part.kind === 'namespace_import') for (const inner of namedChildren(part)) bind(inner, '*')
    else
      for (const one of namedChildren(part)) {
        const name = childBy(one, 'name')
        if (name !== null) bind(childBy(one, 'alias') ?? name, nameIn(tree, name))
      }
  }
}

const COMMON = /^(?:module\s*\.\s*)?exports(?:\s*\.\s*([\w$]+))?$/

/** `module.exports = …`, `module.exports.a = …`, `exports.a = …`; false for other statements. */
function commonJs(module: Module, node: SyntaxNode): boolean {
  const { tree } = module
  const assignment = node.kind === 'expression_statement' ? childOfKind(node, 'assignment_expression') : null
  const [left, right] = [childBy(assignment, 'left'), childBy(assignment, 'right')]
  const target = left === null ? null : COMMON.exec(textOf(tree, left))
  if (target === null || right === null) return false
  const [, name] = target
  if (name !== undefined || right.kind !== 'object') assigned(module, right, name ?? 'default')
  else
    for (const property of namedChildren(right)) {
      const [key, value] = [childBy(property, 'key') ?? childBy(property, 'name'), childBy(property, 'value')]
      if (property.kind === 'shorthand_property_identifier') {
        const local = textOf(tree, property)
        exportAs(module, property, local, local)
      } else if (key !== null && key.kind !== 'computed_property_name')
        assigned(module, value ?? property, nameIn(tree, key))
    }
  return true
}
