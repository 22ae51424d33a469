/** Members of classes, interfaces and enums. */
import {
  childBy,
  childOfKind,
  namedChildren,
  textOf,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { fieldLine, nodeLine } from './one-line.ts'
import { symbolOf, withType, type PublicSymbol } from './public-symbol.ts'
import {
  annotated,
  callableOf,
  functionSymbol,
  functionValue,
  nameIn,
  type Callable,
} from './typescript-types.ts'

const HIDDEN: ReadonlySet<string> = new Set(['private', 'protected'])
/** Modifiers that matter to callers; `get` and `set` are combined. */
const RELEVANT: ReadonlySet<string> = new Set(['static', 'abstract', 'readonly', 'async'])

interface Member {
  readonly name: string
  readonly line: number
  readonly words: readonly string[]
  readonly isOptional: boolean
  readonly callable: Callable | null
  readonly type: string | null
}

/** The public members in the body of a class, an interface or an object type. */
export function membersIn(tree: SyntaxTree, owner: string, body: SyntaxNode | null): readonly PublicSymbol[] {
  const members = namedChildren(body).flatMap((node) => memberOf(tree, node) ?? [])
  const symbols: PublicSymbol[] = []
  for (const member of members) {
    const { name, line, words, callable } = member
    if (words.some((word) => HIDDEN.has(word)) || name.startsWith('#')) continue
    const accessor = words.find((word) => word === 'get' || word === 'set')
    const hasOther =
      accessor !== undefined && members.some((other) => other.name === name && other !== member)
    if (accessor === 'set' && hasOther) continue
    const modifiers = [
      ...words.filter((word) => RELEVANT.has(word)),
      ...(accessor === 'get' && !hasOther ? ['readonly'] : []),
      ...(member.isOptional ? ['optional'] : []),
    ]
    const whole = `${owner}.${name}`
    if (callable !== null && accessor === undefined) {
      symbols.push(functionSymbol({ name: whole, line, callable, modifiers, kind: 'member' }))
      symbols.push(...(name === 'constructor' ? parameterMembers(owner, line, callable) : []))
      continue
    }
    const type =
      accessor === 'set' ? (callable?.parameters[0]?.type ?? null) : (callable?.type ?? member.type)
    symbols.push(propertySymbol({ name: whole, line, type, modifiers }))
  }
  return symbols
}

/** Null for decorators and static blocks. */
function memberOf(tree: SyntaxTree, node: SyntaxNode): Member | null {
  const line = node.line
  const given = { line, words: [], isOptional: false } as const
  switch (node.kind) {
    case 'call_signature':
      return { ...given, name: '()', callable: callableOf(tree, node), type: null }
    case 'construct_signature':
      return { ...given, name: 'new', callable: callableOf(tree, node), type: null }
    case 'index_signature': {
      const key = childBy(node, 'index_type')
      // The name of an index does not matter.
      const name = key === null ? nodeLine(tree, ...indexOf(node)) : `[${nodeLine(tree, key)}]`
      const type = annotated(tree, childBy(node, 'type'))
      return { ...given, name, words: wordsBefore(tree, node, '['), callable: null, type }
    }
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature':
    case 'public_field_definition':
    case 'property_signature':
      return namedMember(tree, node)
    default:
      return null
  }
}

const indexOf = ({ children }: SyntaxNode): readonly SyntaxNode[] =>
  children.slice(
    children.findIndex(({ kind }) => kind === '['),
    children.findIndex(({ kind }) => kind === ']') + 1,
  )

function namedMember(tree: SyntaxTree, node: SyntaxNode): Member | null {
  const name = childBy(node, 'name')
  if (name === null) return null
  const type = annotated(tree, childBy(node, 'type'))
  const value = childBy(node, 'value')
  const isMethod = childBy(node, 'parameters') !== null
  const own = name.kind === 'computed_property_name' ? nodeLine(tree, name) : nameIn(tree, name)
  return {
    name: own,
    line: name.line,
    words: wordsBefore(tree, node, name.kind),
    isOptional: childOfKind(node, '?') !== null,
    callable: isMethod
      ? callableOf(tree, node)
      : value === null || type !== null
        ? null
        : (functionValue(tree, value)?.callable ?? null),
    type,
  }
}

/** The modifiers before the child of this kind. */
function wordsBefore(tree: SyntaxTree, { children }: SyntaxNode, kind: string): readonly string[] {
  const end = children.findIndex((child) => child.kind === kind)
  return children
    .slice(0, Math.max(end, 0))
    .filter((child) => child.kind !== 'decorator')
    .flatMap((child) => textOf(tree, child).split(/\s+/))
}

/** `constructor(readonly name: string)` declares a member. */
function parameterMembers(owner: string, line: number, { parameters }: Callable): readonly PublicSymbol[] {
  return parameters.flatMap(({ name, type, need, access }) => {
    if (access.length === 0 || access.some((word) => HIDDEN.has(word))) return []
    const modifiers = [
      ...access.filter((word) => word === 'readonly'),
      ...(need === 'optional' ? ['optional'] : []),
    ]
    return [propertySymbol({ name: `${owner}.${name}`, line, type, modifiers })]
  })
}

function propertySymbol(given: Pick<PublicSymbol, 'name' | 'line' | 'type' | 'modifiers'>): PublicSymbol {
  const { name, type, modifiers } = given
  const words = modifiers.filter((word) => word !== 'optional')
  const mark = modifiers.includes('optional') ? '?' : ''
  const signature = withType(`${[...words, name].join(' ')}${mark}`, type)
  return symbolOf({ ...given, kind: 'member', signature })
}

/** Members of an enum, with explicit values. */
export function enumMembers(
  tree: SyntaxTree,
  owner: string,
  body: SyntaxNode | null,
): readonly PublicSymbol[] {
  return namedChildren(body).map((node) => {
    const named = childBy(node, 'name') ?? node
    const name = `${owner}.${nameIn(tree, named)}`
    const value = fieldLine(tree, node, 'value')
    const signature = withType(name, value, ' = ')
    return symbolOf({ name, line: named.line, kind: 'member', signature, value })
  })
}
