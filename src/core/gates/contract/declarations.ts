/**
 * Makes public symbols of declarations in a syntax tree. The grammars name their fields alike: `name`, `parameters`,
 * `type`, `body`; what a language does in its own way is in its reader.
 */
import {
  childBy,
  childrenBy,
  isComment,
  namedChildren,
  walk,
  type SyntaxNode,
} from '../../languages/syntax.ts'
import { oneLine } from '../../../lib/text/counted.ts'
import { symbolOf, type Parameter, type PublicSymbol } from './compare.ts'

/** As the author wrote it, on one line and without comments. */
export function lineOf(...nodes: readonly (SyntaxNode | null)[]): string {
  let [line, end] = ['', -1]
  for (const node of nodes.filter((one) => one !== null)) {
    for (const leaf of walk(node, (child) => !isComment(child) && !isText(child.parent))) {
      if (isComment(leaf) || (leaf.children.length > 0 && !isText(leaf))) continue
      line += `${line !== '' && leaf.start > end ? ' ' : ''}${leaf.text}`
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
    kind === 'async' && typed?.kind === 'type_annotation'
  return symbolOf({
    name,
    line: node.line,
    signature: lineOf(...children.filter((child) => child === typed || !isBody(child))).replace(
      / ?(?:=>|[=:;,])$/,
      '',
    ),
    parameters: list === null ? null : parametersOf(list),
    words: [
      words,
      lineOf(
        ...children.filter(
          (child) => !APART.has(child.field ?? '') && !SILENT.has(child.kind) && !isShownByType(child),
        ),
      ),
    ]
      .join(' ')
      .trim(),
    type: typeLine(typed),
  })
}

const typeLine = (node: SyntaxNode | null): string => lineOf(node).replace(/^:\s*/, '')

function parametersOf(list: SyntaxNode): readonly Parameter[] {
  if (list.kind === 'identifier') return [byPlace(list.text, '')]
  return namedChildren(list)
    .filter(({ kind, isError }) => !isError && kind !== 'attribute_item')
    .flatMap((node) => {
      const pattern = childBy(node, 'pattern')
      if (pattern?.kind === 'this') return []
      const typed = childBy(node, 'type')
      const type = typeLine(typed)
      if (/variadic/.test(node.kind) || pattern?.kind === 'rest_pattern')
        return [{ name: '...', type, isOptional: true, passedBy: 'name' } as const]
      const isOptional = node.kind.startsWith('optional') || childBy(node, 'value') !== null
      const names = pattern === null ? childrenBy(node, 'name').filter(({ isNamed }) => isNamed) : [pattern]
      if (names.length === 0) return [byPlace(/self/.test(node.kind) ? 'self' : '', type || lineOf(node))]
      return names.map((one) =>
        /identifier|self/.test(one.kind)
          ? byPlace(one.text, type, isOptional)
          : byPlace('', type || lineOf(one), isOptional),
      )
    })
}

const byPlace = (name: string, type: string, isOptional = false): Parameter => ({
  name: name === '_' ? '' : name,
  type,
  isOptional,
  passedBy: 'place',
})

/** The declarations in a body, also those between parse errors. */
export const declarationsIn = (body: SyntaxNode | null): readonly SyntaxNode[] =>
  namedChildren(body).flatMap((node) => (node.isError ? declarationsIn(node) : [node]))

/** On one line each, so that both sides can be compared: what could not be parsed between declarations, and in those of symbols. */
export const unparsedParts = (root: SyntaxNode, symbols: readonly PublicSymbol[]): readonly string[] =>
  namedChildren(root)
    .filter(
      ({ isError, line, lastLine }) =>
        isError || symbols.some((one) => one.line >= line && one.line <= lastLine),
    )
    .flatMap((node) => errorsIn(node, (parent, child) => !isHidden(parent, child)))
    .map((node) => (node.isMissing ? `(${node.kind} is missing)` : oneLine(node.text)))

export const hasErrors = (root: SyntaxNode): boolean => errorsIn(root, () => true).length > 0

const errorsIn = (
  root: SyntaxNode,
  isWanted: (parent: SyntaxNode, child: SyntaxNode) => boolean,
): readonly SyntaxNode[] =>
  walk(root, (child) => {
    const parent = child.parent ?? root
    return !parent.isError && isWanted(parent, child) && !isVariance(parent, child)
  })
    .filter(({ isError, isMissing }) => isError || isMissing)
    .toArray()

/** `<out T>` is TypeScript that the grammar does not support: it reports an error for one of the words. */
const isVariance = (parent: SyntaxNode, { isError, children }: SyntaxNode): boolean =>
  parent.kind === 'type_parameters' && isError && children.every(({ kind }) => kind === 'identifier')

/** Bodies of functions, and values, which are not part of a signature. */
function isHidden(parent: SyntaxNode, { kind, field }: SyntaxNode): boolean {
  if (field === 'body') return /function|method|closure|func_literal|lambda/.test(parent.kind)
  const isValue = field === 'right' || (field === 'value' && parent.kind !== 'type_alias_declaration')
  return isValue && !/function|class/.test(kind)
}
