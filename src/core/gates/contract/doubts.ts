/** Parse errors that may affect the public interface. */
import { oneLine } from '../../../lib/text/one-line.ts'
import { namedChildren, textOf, type SyntaxNode, type SyntaxTree } from '../../languages/syntax.ts'

/** The declarations in a body, also those between parse errors, whose texts are added to `unparsed`. */
export function declarationsIn(
  tree: SyntaxTree,
  body: SyntaxNode,
  unparsed: string[],
): readonly SyntaxNode[] {
  if (body.isError) unparsed.push(unparsedText(tree, body))
  return namedChildren(body).flatMap((node) => (node.isError ? declarationsIn(tree, node, unparsed) : [node]))
}

/** Its text on one line, so that errors can be compared between both sides. */
const unparsedText = (tree: SyntaxTree, node: SyntaxNode): string =>
  node.isMissing ? `(${node.kind} is missing)` : oneLine(textOf(tree, node))

/** Errors in a declaration, except in bodies and values, which are not part of its signature. */
export const brokenParts = (tree: SyntaxTree, declaration: SyntaxNode): string[] =>
  broken(declaration, isHidden).map((node) => unparsedText(tree, node))

export const hasErrors = ({ root }: SyntaxTree): boolean => broken(root, () => false).length > 0

function broken(
  root: SyntaxNode,
  isLeftOut: (parent: SyntaxNode, child: SyntaxNode) => boolean,
): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.isError || node.isMissing) found.push(node)
    else
      for (const child of node.children)
        if (!isLeftOut(node, child) && !isVariance(node, child)) open.push(child)
  }
  return found
}

/** `<out T>` is TypeScript that the grammar does not support: it reports an error for one of the words. */
const isVariance = (parent: SyntaxNode, { isError, children }: SyntaxNode): boolean =>
  parent.kind === 'type_parameters' && isError && children.every(({ kind }) => kind === 'identifier')

function isHidden(parent: SyntaxNode, { kind, field }: SyntaxNode): boolean {
  // Definitions in a Python class are checked one by one.
  if (kind === 'statement_block' || kind.endsWith('_definition')) return parent.kind !== 'class_body'
  if (kind === 'block') return parent.kind !== 'class_definition'
  if (field === 'body') return parent.kind === 'arrow_function'
  const isValue = field === 'right' || (field === 'value' && parent.kind !== 'type_alias_declaration')
  return isValue && !/function|class/.test(kind)
}
