/**
 * Makes public symbols of declarations in a syntax tree. The grammars name their fields alike: `name`, `parameters`,
 * `type`, `body`; what a language does in its own way is in its reader.
 */
import {
  childBy,
  childrenBy,
  isComment,
  namedChildren,
  textOf,
  walk,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { oneLine } from '../../../lib/text/one-line.ts'
import { symbolOf, type Parameter, type PublicSymbol } from './public-symbol.ts'

/** As the author wrote it, on one line and without comments. */
export function lineOf(tree: SyntaxTree, ...nodes: readonly SyntaxNode[]): string {
  let [line, end] = ['', -1]
  for (const node of nodes) {
    for (const leaf of walk(node, (child) => !isComment(child) && !isText(child.parent))) {
      if (isComment(leaf) || (leaf.children.length > 0 && !isText(leaf))) continue
      line += `${line !== '' && leaf.start > end ? ' ' : ''}${textOf(tree, leaf)}`
      end = leaf.end
    }
  }
  return oneLine(line)
}

/** Not every part of a string has a node. */
const isText = (node: SyntaxNode | null): boolean => node !== null && /string|template/.test(node.kind)

/** Fields whose text is no part of a signature, or is compared by itself. */
const APART: ReadonlySet<string> = new Set(
  'name pattern parameters parameter return_type result type body value right receiver decorator'.split(' '),
)
const SILENT: ReadonlySet<string> = new Set(
  ': ; , = -> => ! function const let var def func fn decorator accessibility_modifier visibility_modifier override_modifier attribute_item'.split(
    ' ',
  ),
)

interface Declaration {
  readonly name: string
  /** What is called, if the declaration only names it: `a` in `const f = a`. */
  readonly callable?: SyntaxNode
  readonly type?: SyntaxNode | null
  /** More of what stands around the name. */
  readonly words?: string
}

export function declared(
  tree: SyntaxTree,
  node: SyntaxNode,
  { name, callable = node, type, words = '' }: Declaration,
): PublicSymbol {
  const list = childBy(callable, 'parameters') ?? childBy(callable, 'parameter')
  const typed =
    type ?? childBy(callable, 'return_type') ?? childBy(callable, 'result') ?? childBy(callable, 'type')
  const children = (callable === node ? [node] : [node, callable]).flatMap((one) => one.children)
  const isBody = ({ field, kind }: SyntaxNode): boolean =>
    field === 'body' || field === 'value' || field === 'right' || kind === 'decorator'
  // In TypeScript the declared result of an async function is its promise.
  const isShownByType = ({ kind }: SyntaxNode): boolean =>
    kind === 'async' && typed !== null && tree.language.family === 'js'
  return symbolOf({
    name,
    line: node.line,
    signature: lineOf(tree, ...children.filter((child) => child === typed || !isBody(child))).replace(
      / ?(?:=>|[=:;,])$/,
      '',
    ),
    parameters: list === null ? null : parametersOf(tree, list),
    words: [
      words,
      lineOf(
        tree,
        ...children.filter(
          (child) => !APART.has(child.field ?? '') && !SILENT.has(child.kind) && !isShownByType(child),
        ),
      ),
    ]
      .join(' ')
      .trim(),
    type: typed === null ? '' : typeLine(tree, typed),
  })
}

const typeLine = (tree: SyntaxTree, node: SyntaxNode): string => lineOf(tree, node).replace(/^:\s*/, '')

function parametersOf(tree: SyntaxTree, list: SyntaxNode): readonly Parameter[] {
  if (list.kind === 'identifier') return [byPlace(textOf(tree, list), '')]
  return namedChildren(list)
    .filter(({ kind, isError }) => !isError && kind !== 'attribute_item')
    .flatMap((node) => {
      const pattern = childBy(node, 'pattern')
      if (pattern?.kind === 'this') return []
      const typed = childBy(node, 'type')
      const type = typed === null ? '' : typeLine(tree, typed)
      if (/variadic/.test(node.kind) || pattern?.kind === 'rest_pattern')
        return [{ name: '...', type, isOptional: true, passedBy: 'name' } as const]
      const isOptional = node.kind.startsWith('optional') || childBy(node, 'value') !== null
      const names = pattern === null ? childrenBy(node, 'name').filter(({ isNamed }) => isNamed) : [pattern]
      if (names.length === 0)
        return [byPlace(/self/.test(node.kind) ? 'self' : '', type || lineOf(tree, node))]
      return names.map((one) =>
        /identifier|self/.test(one.kind)
          ? byPlace(textOf(tree, one), type, isOptional)
          : byPlace('', type || lineOf(tree, one), isOptional),
      )
    })
}

const byPlace = (name: string, type: string, isOptional = false): Parameter => ({
  name: name === '_' ? '' : name,
  type,
  isOptional,
  passedBy: 'place',
})

/** The declarations in a body, also those between parse errors, whose texts are added to `unparsed`. */
export function declarationsIn(
  tree: SyntaxTree,
  body: SyntaxNode | null,
  unparsed: string[],
): readonly SyntaxNode[] {
  if (body?.isError === true) unparsed.push(unparsedText(tree, body))
  return namedChildren(body).flatMap((node) => (node.isError ? declarationsIn(tree, node, unparsed) : [node]))
}

/** On one line, so that errors can be compared between both sides. */
const unparsedText = (tree: SyntaxTree, node: SyntaxNode): string =>
  node.isMissing ? `(${node.kind} is missing)` : oneLine(textOf(tree, node))

/** Errors in a declaration, except in bodies and values, which are not part of its signature. */
export const brokenParts = (tree: SyntaxTree, declaration: SyntaxNode): readonly string[] =>
  errorsIn(declaration, isHidden).map((node) => unparsedText(tree, node))

export const hasErrors = ({ root }: SyntaxTree): boolean => errorsIn(root, () => false).length > 0

const errorsIn = (
  root: SyntaxNode,
  isLeftOut: (parent: SyntaxNode, child: SyntaxNode) => boolean,
): readonly SyntaxNode[] =>
  walk(root, (child) => {
    const parent = child.parent ?? root
    return !parent.isError && !isLeftOut(parent, child) && !isVariance(parent, child)
  })
    .filter(({ isError, isMissing }) => isError || isMissing)
    .toArray()

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
