/** Declarations of a TypeScript module: functions, classes, interfaces, types, enums, namespaces and variables. */
import {
  childBy,
  childOfKind,
  namedChildren,
  textOf,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { nodeLine } from './one-line.ts'
import { genericText, symbolOf, withType, type PublicSymbol } from './public-symbol.ts'
import { enumMembers, membersIn } from './typescript-members.ts'
import {
  annotated,
  callableOf,
  functionSymbol,
  functionValue,
  modifiersOf,
  typeParametersOf,
} from './typescript-types.ts'

/** The exported members of a namespace. */
export type Shown = 'exported' | 'all'

export interface Declared {
  /** The local name. */
  readonly name: string
  readonly symbols: readonly PublicSymbol[]
  /** A function that may have overloads. */
  readonly isImplementation?: true
}

export interface How {
  readonly prefix: string
  /** The exported name, if different. */
  readonly as?: string
  readonly isAmbient?: true
  /** The exported members of a namespace under its name. */
  readonly within: (body: SyntaxNode, prefix: string, shown: Shown) => readonly PublicSymbol[]
}

/** Everything that a statement declares; empty for other statements. */
export function declaredBy(tree: SyntaxTree, node: SyntaxNode, how: How): readonly Declared[] {
  switch (node.kind) {
    case 'ambient_declaration':
      return namedChildren(node).flatMap((inner) => declaredBy(tree, inner, { ...how, isAmbient: true }))
    case 'expression_statement':
      return namedChildren(node)
        .filter(({ kind }) => kind === 'internal_module')
        .flatMap((inner) => declaredBy(tree, inner, how))
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_signature':
    case 'function_expression':
    case 'generator_function':
    case 'arrow_function':
      return functionDeclared(tree, node, how)
    case 'class_declaration':
    case 'abstract_class_declaration':
    case 'class':
      return classDeclared(tree, node, how)
    case 'interface_declaration':
      return interfaceDeclared(tree, node, how)
    case 'type_alias_declaration':
      return typeDeclared(tree, node, how)
    case 'enum_declaration':
      return enumDeclared(tree, node, how)
    case 'internal_module':
    case 'module':
      return namespaceDeclared(tree, node, how)
    case 'lexical_declaration':
    case 'variable_declaration':
      return namedChildren(node).flatMap((declarator) =>
        variableDeclared(tree, declarator, { ...how, keyword: node.children[0]?.kind ?? '' }),
      )
    default:
      return []
  }
}

interface Named {
  readonly own: string
  readonly whole: string
  readonly line: number
}

function namedBy(tree: SyntaxTree, node: SyntaxNode, { prefix, as }: How): Named {
  const name = childBy(node, 'name')
  const own = name === null ? (as ?? '') : textOf(tree, name)
  return { own, whole: `${prefix}${as ?? own}`, line: node.line }
}

function functionDeclared(tree: SyntaxTree, node: SyntaxNode, how: How): readonly Declared[] {
  const callable = callableOf(tree, node)
  if (callable === null) return []
  const { own, whole, line } = namedBy(tree, node, how)
  const symbols = [functionSymbol({ name: whole, line, callable, modifiers: modifiersOf(node) })]
  const hasBody = childBy(node, 'body') !== null
  return [{ name: own, symbols, ...(hasBody ? { isImplementation: true } : {}) }]
}

function classDeclared(tree: SyntaxTree, node: SyntaxNode, how: How): readonly Declared[] {
  const body = childBy(node, 'body')
  if (body === null) return []
  const { own, whole, line } = namedBy(tree, node, how)
  const typeParameters = typeParametersOf(tree, node)
  const bases = basesOf(tree, childOfKind(node, 'class_heritage'))
  const names = namedChildren(body).map((member) => childBy(member, 'name'))
  const hasConstructor = names.some((name) => name !== null && textOf(tree, name) === 'constructor')
  // A derived class without a constructor uses that of its base.
  const isImplicit = !hasConstructor && !bases.some((base) => base.startsWith('extends '))
  const name = `${whole}.constructor`
  const made = symbolOf({ name, kind: 'member', line, signature: `${name}()`, parameters: [] })
  const symbol = symbolOf({
    name: whole,
    kind: 'class',
    line,
    signature: ['class', `${whole}${genericText(typeParameters)}`, ...bases].join(' '),
    typeParameters,
    bases,
    modifiers: node.kind === 'abstract_class_declaration' ? ['abstract'] : [],
  })
  const members = [...membersIn(tree, whole, body), ...(isImplicit ? [made] : [])]
  return [{ name: own, symbols: [symbol, ...members] }]
}

function basesOf(tree: SyntaxTree, heritage: SyntaxNode | null): readonly string[] {
  return (heritage?.children ?? []).flatMap((clause) => {
    const [keyword, ...rest] = clause.children
    const word = keyword?.kind ?? ''
    if (word === 'extends') return [`extends ${nodeLine(tree, ...rest)}`]
    return namedChildren(clause).map((base) => `${word} ${nodeLine(tree, base)}`)
  })
}

function interfaceDeclared(tree: SyntaxTree, node: SyntaxNode, how: How): readonly Declared[] {
  const { own, whole, line } = namedBy(tree, node, how)
  const typeParameters = typeParametersOf(tree, node)
  const extended = namedChildren(childOfKind(node, 'extends_type_clause'))
  const bases = extended.map((base) => `extends ${nodeLine(tree, base)}`)
  const symbol = symbolOf({
    name: whole,
    kind: 'type',
    line,
    signature: ['interface', `${whole}${genericText(typeParameters)}`, ...bases].join(' '),
    typeParameters,
    bases,
  })
  return [{ name: own, symbols: [symbol, ...membersIn(tree, whole, childBy(node, 'body'))] }]
}

function typeDeclared(tree: SyntaxTree, node: SyntaxNode, how: How): readonly Declared[] {
  const value = childBy(node, 'value')
  if (value === null) return []
  const { own, whole, line } = namedBy(tree, node, how)
  const typeParameters = typeParametersOf(tree, node)
  const given = { name: whole, kind: 'type', line, typeParameters } as const
  const head = `type ${whole}${genericText(typeParameters)} =`
  // A mapped type has no members of its own.
  const isMapped = namedChildren(value).some((member) => childOfKind(member, 'mapped_type_clause') !== null)
  if (value.kind === 'object_type' && !isMapped) {
    const symbol = symbolOf({ ...given, signature: `${head} {…}` })
    return [{ name: own, symbols: [symbol, ...membersIn(tree, whole, value)] }]
  }
  const type = nodeLine(tree, value)
  return [{ name: own, symbols: [symbolOf({ ...given, signature: `${head} ${type}`, type })] }]
}

function enumDeclared(tree: SyntaxTree, node: SyntaxNode, how: How): readonly Declared[] {
  const { own, whole, line } = namedBy(tree, node, how)
  const symbol = symbolOf({ name: whole, kind: 'type', line, signature: `enum ${whole}` })
  return [{ name: own, symbols: [symbol, ...enumMembers(tree, whole, childBy(node, 'body'))] }]
}

function namespaceDeclared(tree: SyntaxTree, node: SyntaxNode, how: How): readonly Declared[] {
  const body = childBy(node, 'body')
  // `declare module 'x'` is about another module.
  if (body === null || childBy(node, 'name')?.kind === 'string') return []
  const { own, whole, line } = namedBy(tree, node, how)
  const symbol = symbolOf({ name: whole, kind: 'module', line, signature: `namespace ${whole}` })
  const shown = how.isAmbient === true ? 'all' : 'exported'
  return [{ name: own, symbols: [symbol, ...how.within(body, `${whole}.`, shown)] }]
}

function variableDeclared(
  tree: SyntaxTree,
  node: SyntaxNode,
  { prefix, keyword }: How & { readonly keyword: string },
): readonly Declared[] {
  const name = childBy(node, 'name')
  if (name === null) return []
  const { line } = name
  if (name.kind !== 'identifier') {
    return boundNames(tree, name).map((own) => ({
      name: own,
      symbols: [symbolOf({ name: `${prefix}${own}`, kind: 'value', line })],
    }))
  }
  const own = textOf(tree, name)
  const whole = `${prefix}${own}`
  const type = annotated(tree, childBy(node, 'type'))
  const given = childBy(node, 'value')
  const value = given === null || type !== null ? null : functionValue(tree, given)
  const signature = withType(`${keyword} ${whole}`, type)
  const symbol =
    value === null
      ? symbolOf({ name: whole, kind: 'value', line, signature, type })
      : functionSymbol({ name: whole, line, ...value })
  return [{ name: own, symbols: [symbol] }]
}

/** The names that `{ a, b: c, ...d }` or `[e, f]` binds, without keys and defaults. */
function boundNames(tree: SyntaxTree, pattern: SyntaxNode): readonly string[] {
  return namedChildren(pattern).flatMap((node) => {
    const target = childBy(node, 'value') ?? childBy(node, 'left') ?? node
    if (target.kind === 'identifier' || target.kind === 'shorthand_property_identifier_pattern')
      return [textOf(tree, target)]
    return target === node && node.kind === 'assignment_pattern' ? [] : boundNames(tree, target)
  })
}
