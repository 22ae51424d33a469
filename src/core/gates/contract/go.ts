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
import { brokenParts, hasErrors, unparsedText } from './doubts.ts'
import { nodeLine } from './one-line.ts'
import { NO_API, symbolOf, type FileApi, type Parameter, type PublicSymbol } from './public-symbol.ts'

/** `[]int` and `map[string]int` are written without blanks. */
const lineOf = (tree: SyntaxTree, ...nodes: readonly SyntaxNode[]): string =>
  nodeLine(tree, ...nodes).replace(/\] (?=[\w*([])/g, ']')

const isExported = (name: string): boolean => /^\p{Lu}/u.test(name)

/** Several names may be declared at once. */
const namesOf = (tree: SyntaxTree, node: SyntaxNode): readonly string[] =>
  childrenBy(node, 'name')
    .filter((name) => name.isNamed)
    .map((name) => textOf(tree, name))

export function readGo(tree: SyntaxTree): FileApi {
  const { root } = tree
  const clause = childOfKind(root, 'package_clause')
  const named = clause === null ? undefined : namedChildren(clause)[0]
  // Package main cannot be imported.
  if (named === undefined || textOf(tree, named) === 'main') return NO_API
  const symbols: PublicSymbol[] = []
  const unparsed = root.isError ? [unparsedText(tree, root)] : []
  const read = (nodes: readonly SyntaxNode[]): void => {
    for (const node of nodes) {
      if (node.isError) {
        unparsed.push(unparsedText(tree, node))
        read(namedChildren(node))
        continue
      }
      const declared = declaredBy(tree, node)
      symbols.push(...declared)
      if (declared.length > 0) unparsed.push(...brokenParts(tree, node))
    }
  }
  read(namedChildren(root))
  return { symbols, passedOn: [], doubts: [], unparsed, hasErrors: hasErrors(tree) }
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
  return [
    callSymbol({
      name: receiver === null ? own : `${owner}.${own}`,
      line: node.line,
      called,
      kind: receiver === null ? 'function' : 'member',
      modifiers: isPointer ? ['pointer'] : [],
    }),
  ]
}

interface Call {
  readonly typeParameters: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly type: string | null
}

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

function typeParametersOf(tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  const list = childBy(node, 'type_parameters')
  return list === null ? [] : parametersOf(tree, list).map(({ name, type }) => `${name} ${type ?? ''}`)
}

/** `a, b int, c ...string`, or types alone: `int, string`. */
function parametersOf(tree: SyntaxTree, list: SyntaxNode): readonly Parameter[] {
  return namedChildren(list).flatMap((node) => {
    const typed = childBy(node, 'type')
    const type = typed === null ? '' : lineOf(tree, typed)
    const need = node.kind === 'variadic_parameter_declaration' ? 'rest' : 'required'
    const names = namesOf(tree, node)
    return (names.length === 0 ? [''] : names).map((name) => ({ name, type, need }) as const)
  })
}

function callSymbol(given: {
  readonly name: string
  readonly line: number
  readonly called: Call
  readonly kind: PublicSymbol['kind']
  readonly modifiers: readonly string[]
}): PublicSymbol {
  const { name, line, called, kind, modifiers } = given
  const { parameters, type, typeParameters } = called
  const taken = parameters.map((one) => {
    const shown = `${one.need === 'rest' ? '...' : ''}${one.type ?? ''}`
    return one.name === '' ? shown : `${one.name} ${shown}`
  })
  const generics = typeParameters.length === 0 ? '' : `[${typeParameters.join(', ')}]`
  const star = modifiers.includes('pointer') ? '*' : ''
  const signature = `${star}${name}${generics}(${taken.join(', ')})${type === null ? '' : ` ${type}`}`
  return symbolOf({ name, line, kind, signature, parameters, type, typeParameters, modifiers })
}

function valuesDeclared(tree: SyntaxTree, spec: SyntaxNode, word: string): readonly PublicSymbol[] {
  const typed = childBy(spec, 'type')
  const type = typed === null ? null : lineOf(tree, typed)
  return namesOf(tree, spec)
    .filter(isExported)
    .map((name) => {
      const signature = `${word} ${name}${type === null ? '' : ` ${type}`}`
      return symbolOf({ name, line: spec.line, kind: 'value', signature, type })
    })
}

function typeDeclared(tree: SyntaxTree, spec: SyntaxNode): readonly PublicSymbol[] {
  const [name] = namesOf(tree, spec)
  const typed = childBy(spec, 'type')
  if (name === undefined || typed === null || !isExported(name)) return []
  const typeParameters = typeParametersOf(tree, spec)
  const generics = typeParameters.length === 0 ? '' : `[${typeParameters.join(', ')}]`
  const given = { name, line: spec.line, kind: 'type', typeParameters } as const
  const head = `type ${name}${generics}`
  const isAlias = spec.kind === 'type_alias'
  if (!isAlias && typed.kind === 'struct_type') {
    const symbol = symbolOf({ ...given, type: 'struct', signature: `${head} struct` })
    return [symbol, ...fieldsOf(tree, name, typed)]
  }
  if (!isAlias && typed.kind === 'interface_type') {
    const symbol = symbolOf({ ...given, type: 'interface', signature: `${head} interface` })
    return [symbol, ...methodsOf(tree, name, typed)]
  }
  const type = `${isAlias ? '= ' : ''}${lineOf(tree, typed)}`
  return [symbolOf({ ...given, type, signature: `${head} ${type}` })]
}

function fieldsOf(tree: SyntaxTree, owner: string, struct: SyntaxNode): readonly PublicSymbol[] {
  const list = childOfKind(struct, 'field_declaration_list')
  return (list === null ? [] : namedChildren(list)).flatMap((node) => {
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
    if (called !== null) {
      if (!isExported(own)) return []
      return [callSymbol({ name: `${owner}.${own}`, line, called, kind: 'member', modifiers: [] })]
    }
    const text = lineOf(tree, node)
    return [symbolOf({ name: `${owner}.${text}`, line, kind: 'member', signature: `${owner} ${text}` })]
  })
}
