/** What a parser could not make sense of, as far as it may be part of a public interface. */
import { textOf, type SyntaxNode, type SyntaxTree } from '../../languages/syntax.ts'

/** Its whole text on one line: what is the same on both sides of a change reads the same. */
export const unparsedText = (tree: SyntaxTree, node: SyntaxNode): string =>
  node.isMissing ? `(${node.kind} is missing)` : textOf(tree, node).replace(/\s+/g, ' ').trim()

/** What is broken in a declaration, but for bodies of functions and values: those hide nothing of its signature. */
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

/** `<out T>` is TypeScript that the grammar does not know: one of the two words is an error to it. */
const isVariance = (parent: SyntaxNode, { isError, children }: SyntaxNode): boolean =>
  parent.kind === 'type_parameters' && isError && children.every(({ kind }) => kind === 'identifier')

function isHidden(parent: SyntaxNode, { kind, field }: SyntaxNode): boolean {
  // Definitions within a class of Python are looked at one by one.
  if (kind === 'statement_block' || kind.endsWith('_definition')) return parent.kind !== 'class_body'
  if (kind === 'block') return parent.kind !== 'class_definition'
  if (field === 'body') return parent.kind === 'arrow_function'
  const isValue = field === 'right' || (field === 'value' && parent.kind !== 'type_alias_declaration')
  return isValue && !/function|class/.test(kind)
}
