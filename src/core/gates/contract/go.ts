/** Reads the exported names of a Go file. */
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
import { nodeLine } from './one-line.ts'
import { NO_API, symbolOf, withType } from './public-symbol.ts'
import type { Parameter, PublicSymbol, TreeApi } from './public-symbol.ts'

/** `[]int` and `map[string]int` are written without blanks. */
const lineOf = (tree: SyntaxTree, ...nodes: readonly SyntaxNode[]): string =>
  nodeLine(tree, ...nodes).replace(/\] (?=[\w*([])/g, ']')

const isExported = (name: string): boolean => /^\p{Lu}/u.test(name)

/** Several names may be declared at once. */
const namesOf = (tree: SyntaxTree, node: SyntaxNode): readonly string[] =>
  childrenBy(node, 'name')
    .filter((name) => name.isNamed)
    .map((name) => textOf(tree, name))

export function readGo(tree: SyntaxTree): TreeApi {
  const [name] = namedChildren(childOfKind(tree.root, 'package_clause'))
  // Package main cannot be imported.
  if (name === undefined || textOf(tree, name) === 'main') return NO_API
  const unparsed: string[] = []
  const symbols = declarationsIn(tree, tree.root, unparsed).flatMap((node) => {
    const declared = declaredBy(tree, node)
    if (declared.length > 0) unparsed.push(...brokenParts(tree, node))
    return declared
  })
  return { symbols, passedOn: [], unparsed }
}

function declaredBy(tree: SyntaxTree, node: SyntaxNode): readonly PublicSymbol[] {
  switch (node.kind) {
    case 'function_declaration':
    case 'method_declaration':
      return functionDeclared(tree, node)
    case 'type_declaration':
      return namedChildren(node).flatMap((spec) => typeDeclared(tree, spec))
    case 'const_declaration':
    case 'var_declaration': {
      const word = node.children[0]?.kind ?? ''
      return namedChildren(childOfKind(node, 'var_spec_list') ?? node).flatMap((spec) =>
        valuesDeclared(tree, spec, word),
      )
    }
    default:
      return []
  }
}

function functionDeclared(tree: SyntaxTree, node: SyntaxNode): readonly PublicSymbol[] {
  const [own] = namesOf(tree, node)
  const called = callOf(tree, node)
  const receiver = childBy(node, 'receiver')
  if (own === undefined || called === null || !isExported(own)) return []
  const type = receiver === null ? undefined : descendants(receiver, 'type_identifier')[0]
  const owner = type === undefined ? '' : textOf(tree, type)
  if (receiver !== null && !isExported(owner)) return []
  const isPointer = receiver !== null && descendants(receiver, 'pointer_type').length > 0
  const modifiers = isPointer ? ['pointer'] : []
  const { line } = node
  return receiver === null
    ? [callSymbol({ name: own, line, kind: 'function', modifiers }, called)]
    : [callSymbol({ name: `${owner}.${own}`, line, kind: 'member', modifiers }, called)]
}

type Call = Pick<PublicSymbol, 'typeParameters' | 'type'> & { readonly parameters: readonly Parameter[] }

/** `[T any](a, b int) (c, error)`. */
function callOf(tree: SyntaxTree, node: SyntaxNode): Call | null {
  const [list, result] = [childBy(node, 'parameters'), childBy(node, 'result')]
  if (list === null) return null
  const type =
    result === null
      ? null
      : result.kind === 'parameter_list'
        ? `(${parametersOf(tree, result)
            .map((one) => one.type ?? '')
            .join(', ')})`
        : lineOf(tree, result)
  return { typeParameters: typeParametersOf(tree, node), parameters: parametersOf(tree, list), type }
}

const typeParametersOf = (tree: SyntaxTree, node: SyntaxNode): readonly string[] =>
  parametersOf(tree, childBy(node, 'type_parameters')).map(({ name, type }) => `${name} ${type ?? ''}`)

const genericText = (names: readonly string[]): string => (names.length === 0 ? '' : `[${names.join(', ')}]`)

/** `a, b int, c ...string`, or types alone: `int, string`. */
function parametersOf(tree: SyntaxTree, list: SyntaxNode | null): readonly Parameter[] {
  return namedChildren(list).flatMap((node) => {
    const typed = childBy(node, 'type')
    const type = typed === null ? '' : lineOf(tree, typed)
    const need = node.kind === 'variadic_parameter_declaration' ? 'rest' : 'required'
    const names = namesOf(tree, node)
    return (names.length === 0 ? [''] : names).map((name) => ({ name, type, need }) as const)
  })
}

function callSymbol(
  given: Pick<PublicSymbol, 'name' | 'line' | 'kind' | 'modifiers'>,
  called: Call,
): PublicSymbol {
  const { parameters, type, typeParameters } = called
  const taken = parameters.map((one) => {
    const shown = `${one.need === 'rest' ? '...' : ''}${one.type ?? ''}`
    return one.name === '' ? shown : `${one.name} ${shown}`
  })
  const star = given.modifiers.includes('pointer') ? '*' : ''
  const call = `${star}${given.name}${genericText(typeParameters)}(${taken.join(', ')})`
  return symbolOf({ ...given, ...called, signature: withType(call, type, ' ') })
}

function valuesDeclared(tree: SyntaxTree, spec: SyntaxNode, word: string): readonly PublicSymbol[] {
  const typed = childBy(spec, 'type')
  const type = typed === null ? null : lineOf(tree, typed)
  return namesOf(tree, spec)
    .filter(isExported)
    .map((name) => {
      const signature = withType(`${word} ${name}`, type, ' ')
      return symbolOf({ name, line: spec.line, kind: 'value', signature, type })
    })
}

function typeDeclared(tree: SyntaxTree, spec: SyntaxNode): readonly PublicSymbol[] {
  const [name] = namesOf(tree, spec)
  const typed = childBy(spec, 'type')
  if (name === undefined || typed === null || !isExported(name)) return []
  const typeParameters = typeParametersOf(tree, spec)
  const given = { name, line: spec.line, kind: 'type', typeParameters } as const
  const head = `type ${name}${genericText(typeParameters)}`
  const isAlias = spec.kind === 'type_alias'
  if (!isAlias && (typed.kind === 'struct_type' || typed.kind === 'interface_type')) {
    const type = typed.kind.replace('_type', '')
    const members = type === 'struct' ? fieldsOf : methodsOf
    return [symbolOf({ ...given, type, signature: `${head} ${type}` }), ...members(tree, name, typed)]
  }
  const type = `${isAlias ? '= ' : ''}${lineOf(tree, typed)}`
  return [symbolOf({ ...given, type, signature: `${head} ${type}` })]
}

function fieldsOf(tree: SyntaxTree, owner: string, struct: SyntaxNode): readonly PublicSymbol[] {
  return namedChildren(childOfKind(struct, 'field_declaration_list')).flatMap((node) => {
    const typed = childBy(node, 'type')
    if (typed === null) return []
    const names = namesOf(tree, node)
    const star = childOfKind(node, '*') === null ? '' : '*'
    const type = `${star}${lineOf(tree, typed)}`
    // An embedded field is named after its type.
    const own = names.length > 0 ? names : [/(\w+)(?:\[.*)?$/.exec(type)?.[1] ?? '']
    return own.filter(isExported).map((word) => {
      const name = `${owner}.${word}`
      return symbolOf({ name, line: node.line, kind: 'member', type, signature: `${name} ${type}` })
    })
  })
}

function methodsOf(tree: SyntaxTree, owner: string, type: SyntaxNode): readonly PublicSymbol[] {
  return namedChildren(type).flatMap((node) => {
    const called = node.kind === 'method_elem' ? callOf(tree, node) : null
    const [own = ''] = namesOf(tree, node)
    const { line } = node
    if (called !== null && !isExported(own)) return []
    if (called !== null)
      return [callSymbol({ name: `${owner}.${own}`, line, kind: 'member', modifiers: [] }, called)]
    const text = lineOf(tree, node)
    return [symbolOf({ name: `${owner}.${text}`, line, kind: 'member', signature: `${owner} ${text}` })]
  })
}
