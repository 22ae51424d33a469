/** Parameters and annotations of Python. */
import { childBy, namedChildren, textOf, type SyntaxNode, type SyntaxTree } from '../../languages/syntax.ts'
import { lineOf, nodeLine, piecesOf } from './one-line.ts'
import { withType, type Parameter } from './public-symbol.ts'

/** An annotation; quotes around it only defer its evaluation. */
export function annotation(tree: SyntaxTree, node: SyntaxNode | null): string | null {
  if (node === null) return null
  const pieces = piecesOf(tree, [node]).map((piece) => {
    const inner = piece.kind === 'string' ? /^[rRuU]?(['"])([^'"\\]*)\1$/.exec(piece.text)?.[2] : undefined
    return inner === undefined ? piece : ({ kind: 'word', text: inner } as const)
  })
  return lineOf(pieces)
}

export function pythonParameters(tree: SyntaxTree, list: SyntaxNode): readonly Parameter[] {
  const nodes = namedChildren(list)
  const slash = nodes.findIndex(({ kind }) => kind === 'positional_separator')
  let isByName = false
  return nodes.flatMap((node, place): readonly Parameter[] => {
    if (node.kind === 'keyword_separator') isByName = true
    if (node.kind.endsWith('_separator') || node.kind === 'ERROR') return []
    const bound = childBy(node, 'name') ?? (node.kind === 'typed_parameter' ? namedChildren(node)[0] : node)
    const name = bound === undefined ? '' : textOf(tree, bound).replace(/\s/g, '')
    const type = annotation(tree, childBy(node, 'type'))
    if (name.startsWith('*')) {
      isByName = true
      return [{ name, type, need: 'rest' }]
    }
    const isOptional = childBy(node, 'value') !== null
    if (isByName) return [{ name, type, need: isOptional ? 'named_optional' : 'named', isNamed: true }]
    const isNamed = !(place < slash) && !/^__(?!.*__$)/.test(name)
    return [{ name, type, need: isOptional ? 'optional' : 'required', isNamed }]
  })
}

export function parametersText(parameters: readonly Parameter[]): string {
  const texts: string[] = []
  let isByName = false
  for (const { name, type, need } of parameters) {
    if (need.startsWith('named') && !isByName) texts.push('*')
    if (need.startsWith('named') || (need === 'rest' && name.startsWith('*'))) isByName = true
    const isOptional = need === 'optional' || need === 'named_optional'
    texts.push(`${withType(name, type)}${isOptional ? ' = …' : ''}`)
  }
  return texts.join(', ')
}

/** The constructor of a dataclass takes its fields in order. */
export function dataclassFields(
  tree: SyntaxTree,
  body: readonly SyntaxNode[],
  decorator: string,
): readonly Parameter[] {
  let isByName = /kw_only\s*=\s*True/.test(decorator)
  return body.flatMap((node): readonly Parameter[] => {
    const [assignment] = node.kind === 'expression_statement' ? namedChildren(node) : []
    if (assignment?.kind !== 'assignment') return []
    const [left, given] = [childBy(assignment, 'left'), childBy(assignment, 'right')]
    const type = annotation(tree, childBy(assignment, 'type'))
    if (left?.kind !== 'identifier' || type === null || /^(typing\.)?ClassVar\b/.test(type)) return []
    if (/^(dataclasses\.)?KW_ONLY$/.test(type)) {
      isByName = true
      return []
    }
    const value = given === null ? '' : nodeLine(tree, given)
    if (/init\s*=\s*False/.test(value)) return []
    const isField = /^(dataclasses\.)?field\(/.test(value)
    const isOptional = given !== null && (!isField || /default(_factory)?\s*=/.test(value))
    const isNamed = isByName || /kw_only\s*=\s*True/.test(value)
    const need = isNamed ? (isOptional ? 'named_optional' : 'named') : isOptional ? 'optional' : 'required'
    return [{ name: textOf(tree, left), type, need, isNamed: true }]
  })
}
