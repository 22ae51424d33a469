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
  readonly isImplementation?: boolean
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
    case 'lexical_declaration':
    case 'variable_declaration':
      return namedChildren(node).flatMap((declarator) =>
        variableDeclared(tree, declarator, { ...how, keyword: node.children[0]?.kind ?? '' }),
      )
    default: {
      const named = childBy(node, 'name')
      const name = named === null ? (how.as ?? '') : textOf(tree, named)
      const symbols = symbolsOf(tree, node, { ...how, name: `${how.prefix}${how.as ?? name}` })
      const isImplementation = symbols[0]?.kind === 'function' && childBy(node, 'body') !== null
      return symbols.length === 0 ? [] : [{ name, symbols, isImplementation }]
    }
  }
}

/** A declaration under its exported name, and its members. */
function symbolsOf(
  tree: SyntaxTree,
  node: SyntaxNode,
  { name, isAmbient, within }: How & { readonly name: string },
): readonly PublicSymbol[] {
  const { line } = node
  const body = childBy(node, 'body')
  switch (node.kind) {
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_signature':
    case 'function_expression':
    case 'generator_function':
    case 'arrow_function': {
      const callable = callableOf(tree, node)
      return callable === null ? [] : [functionSymbol({ name, line, callable, modifiers: modifiersOf(node) })]
    }
    case 'class_declaration':
    case 'abstract_class_declaration':
    case 'class':
      return body === null ? [] : classSymbols(tree, node, name)
    case 'interface_declaration':
      return interfaceSymbols(tree, node, name)
    case 'type_alias_declaration':
      return typeSymbols(tree, node, name)
    case 'enum_declaration': {
      const symbol = symbolOf({ name, kind: 'type', line, signature: `enum ${name}` })
      return [symbol, ...enumMembers(tree, name, body)]
    }
    case 'internal_module':
    case 'module': {
      // `declare module 'x'` is about another module.
      if (body === null || childBy(node, 'name')?.kind === 'string') return []
      const symbol = symbolOf({ name, kind: 'module', line, signature: `namespace ${name}` })
      return [symbol, ...within(body, `${name}.`, isAmbient === true ? 'all' : 'exported')]
    }
    default:
      return []
  }
}

function classSymbols(tree: SyntaxTree, node: SyntaxNode, name: string): readonly PublicSymbol[] {
  const { line } = node
  const body = childBy(node, 'body')
  const typeParameters = typeParametersOf(tree, node)
  const bases = basesOf(tree, childOfKind(node, 'class_heritage'))
  const names = namedChildren(body).map((member) => childBy(member, 'name'))
  const hasConstructor = names.some((one) => one !== null && textOf(tree, one) === 'constructor')
  // A derived class without a constructor uses that of its base.
  const isImplicit = !hasConstructor && !bases.some((base) => base.startsWith('extends '))
  const made = `${name}.constructor`
  return [
    symbolOf({
      name,
      kind: 'class',
      line,
      signature: ['class', `${name}${genericText(typeParameters)}`, ...bases].join(' '),
      typeParameters,
      bases,
      modifiers: node.kind === 'abstract_class_declaration' ? ['abstract'] : [],
    }),
    ...membersIn(tree, name, body),
    ...(isImplicit
      ? [symbolOf({ name: made, kind: 'member', line, signature: `${made}()`, parameters: [] })]
      : []),
  ]
}

function basesOf(tree: SyntaxTree, heritage: SyntaxNode | null): readonly string[] {
  return (heritage?.children ?? []).flatMap((clause) => {
    const [keyword, ...rest] = clause.children
    const word = keyword?.kind ?? ''
    if (word === 'extends') return [`extends ${nodeLine(tree, ...rest)}`]
    return namedChildren(clause).map((base) => `${word} ${nodeLine(tree, base)}`)
  })
}

function interfaceSymbols(tree: SyntaxTree, node: SyntaxNode, name: string): readonly PublicSymbol[] {
  const typeParameters = typeParametersOf(tree, node)
  const extended = namedChildren(childOfKind(node, 'extends_type_clause'))
  const bases = extended.map((base) => `extends ${nodeLine(tree, base)}`)
  const signature = ['interface', `${name}${genericText(typeParameters)}`, ...bases].join(' ')
  return [
    symbolOf({ name, kind: 'type', line: node.line, signature, typeParameters, bases }),
    ...membersIn(tree, name, childBy(node, 'body')),
  ]
}

function typeSymbols(tree: SyntaxTree, node: SyntaxNode, name: string): readonly PublicSymbol[] {
  const value = childBy(node, 'value')
  if (value === null) return []
  const typeParameters = typeParametersOf(tree, node)
  const given = { name, kind: 'type', line: node.line, typeParameters } as const
  const head = `type ${name}${genericText(typeParameters)} =`
  // A mapped type has no members of its own.
  const isMapped = namedChildren(value).some((member) => childOfKind(member, 'mapped_type_clause') !== null)
  if (value.kind === 'object_type' && !isMapped)
    return [symbolOf({ ...given, signature: `${head} {…}` }), ...membersIn(tree, name, value)]
  const type = nodeLine(tree, value)
  return [symbolOf({ ...given, signature: `${head} ${type}`, type })]
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
