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
import { brokenParts, declarationsIn, declared, lineOf } from './declarations.ts'
import { NO_API, symbolOf, type PublicSymbol, type TreeApi } from './public-symbol.ts'

export function readGo(tree: SyntaxTree): TreeApi {
  const [name] = namedChildren(childOfKind(tree.root, 'package_clause'))
  // Package main cannot be imported.
  if (name === undefined || textOf(tree, name) === 'main') return NO_API
  const unparsed: string[] = []
  const symbols = declarationsIn(tree, tree.root, unparsed).flatMap((node) => {
    const found = symbolsOf(tree, node, '')
    if (found.length > 0) unparsed.push(...brokenParts(tree, node))
    return found
  })
  return { symbols, passedOn: [], unparsed }
}

const GROUPS: ReadonlySet<string> = new Set(
  'type_declaration const_declaration var_declaration var_spec_list'.split(' '),
)
const isExported = (name: string): boolean => /^\p{Lu}/u.test(name)

function symbolsOf(tree: SyntaxTree, node: SyntaxNode, owner: string): readonly PublicSymbol[] {
  if (GROUPS.has(node.kind)) return namedChildren(node).flatMap((inner) => symbolsOf(tree, inner, owner))
  const typed = childBy(node, 'type')
  const names = childrenBy(node, 'name').flatMap((name) => (name.isNamed ? [textOf(tree, name)] : []))
  const receiver = childBy(node, 'receiver')
  if (receiver !== null) {
    const [type] = descendants(receiver, 'type_identifier')
    const [own, of] = [names[0] ?? '', type === undefined ? '' : textOf(tree, type)]
    if (!isExported(own) || !isExported(of)) return []
    const words = descendants(receiver, 'pointer_type').length > 0 ? 'on a pointer' : ''
    return [declared(tree, node, { name: `${of}.${own}`, words })]
  }
  if (node.kind === 'type_elem') {
    const text = lineOf(tree, node)
    return [symbolOf({ name: `${owner}${text}`, line: node.line, signature: text })]
  }
  // An embedded field is named after its type.
  const embedded = node.kind === 'field_declaration' && names.length === 0 && typed !== null
  const own = embedded ? [/(\w+)(?:\[.*)?$/.exec(lineOf(tree, typed))?.[1] ?? ''] : names
  return own.filter(isExported).flatMap((each) => {
    const name = `${owner}${each}`
    const symbol = declared(tree, node, { name })
    if (typed?.kind !== 'struct_type' && typed?.kind !== 'interface_type') return [symbol]
    const members = namedChildren(childOfKind(typed, 'field_declaration_list') ?? typed)
    const type = typed.kind.replace('_type', '')
    const signature = `type ${each} ${type}`
    return [
      { ...symbol, type, signature },
      ...members.flatMap((member) => symbolsOf(tree, member, `${name}.`)),
    ]
  })
}
