/** Reads types, parameters and callables of TypeScript. */
import {
  childBy,
  childOfKind,
  namedChildren,
  textOf,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { nodeLine } from './one-line.ts'
import { genericText, symbolOf, withType, type Parameter, type PublicSymbol } from './public-symbol.ts'

interface ReadParameter extends Parameter {
  /** Modifiers that turn a constructor parameter into a member. */
  readonly access: readonly string[]
}

export interface Callable extends Pick<PublicSymbol, 'typeParameters' | 'type'> {
  readonly parameters: readonly ReadParameter[]
}

/** A name, or the text within its quotes. */
export function nameIn(tree: SyntaxTree, node: SyntaxNode): string {
  const text = textOf(tree, node)
  return node.kind === 'string' ? text.slice(1, -1) : text
}

/** The type after a colon, or null. */
export function annotated(tree: SyntaxTree, node: SyntaxNode | null): string | null {
  return node === null ? null : nodeLine(tree, ...node.children.filter((child) => child.kind !== ':'))
}

export function typeParametersOf(tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  const list = childBy(node, 'type_parameters')
  const parts: SyntaxNode[][] = [[]]
  // The grammar does not support `out T`.
  for (const child of (list?.children ?? []).slice(1, -1)) {
    if (child.kind === ',') parts.push([])
    else parts.at(-1)?.push(child)
  }
  return parts.map((nodes) => nodeLine(tree, ...nodes)).filter((text) => text !== '')
}

/** Null if it is not callable. */
export function callableOf(tree: SyntaxTree, node: SyntaxNode): Callable | null {
  const [several, one] = [childBy(node, 'parameters'), childBy(node, 'parameter')]
  if (several === null && one === null) return null
  return {
    parameters:
      several === null
        ? [{ name: one === null ? '' : textOf(tree, one), type: null, need: 'required', access: [] }]
        : parametersOf(tree, several),
    typeParameters: typeParametersOf(tree, node),
    type: annotated(tree, childBy(node, 'return_type') ?? childBy(node, 'type')),
  }
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'generator_function',
])

export const isFunctionValue = ({ kind }: SyntaxNode): boolean => FUNCTIONS.has(kind)

/** A function expression, or null. */
export function functionValue(
  tree: SyntaxTree,
  node: SyntaxNode,
): { readonly callable: Callable; readonly modifiers: readonly string[] } | null {
  const callable = isFunctionValue(node) ? callableOf(tree, node) : null
  return callable === null ? null : { callable, modifiers: modifiersOf(node) }
}

export const modifiersOf = (node: SyntaxNode): readonly string[] =>
  ['async', '*'].filter((word) => childOfKind(node, word) !== null)

function parametersOf(tree: SyntaxTree, list: SyntaxNode): readonly ReadParameter[] {
  return namedChildren(list).flatMap((node) => {
    const pattern = childBy(node, 'pattern')
    if (pattern === null || pattern.kind === 'this') return []
    const isRest = pattern.kind === 'rest_pattern'
    const bound = isRest ? (namedChildren(pattern)[0] ?? pattern) : pattern
    const isName = bound.kind === 'identifier'
    const isOptional = node.kind === 'optional_parameter' || childBy(node, 'value') !== null
    const access = node.children
      .filter((child) => child.end <= pattern.start && child.kind !== 'decorator')
      .map((child) => textOf(tree, child))
    return [
      {
        name: isName ? textOf(tree, bound) : '',
        type: annotated(tree, childBy(node, 'type')) ?? patternType(tree, bound),
        need: isRest ? 'rest' : isOptional ? 'optional' : 'required',
        access,
      },
    ]
  })
}

/** `{ a, b = 1 }` takes an object with `a` and optional `b`. */
function patternType(tree: SyntaxTree, pattern: SyntaxNode): string | null {
  if (pattern.kind !== 'object_pattern') return null
  const keys = namedChildren(pattern).flatMap((node) => {
    if (node.kind === 'rest_pattern') return []
    const key = childBy(node, 'left') ?? childBy(node, 'key') ?? node
    const hasDefault =
      node.kind === 'object_assignment_pattern' || childBy(node, 'value')?.kind === 'assignment_pattern'
    return [`${textOf(tree, key)}${hasDefault ? '?' : ''}`]
  })
  return `{${keys.join('; ')}}`
}

function parameterText({ name, type, need }: Parameter): string {
  const shown = name === '' ? (need === 'rest' ? '...' : '{…}') : `${need === 'rest' ? '...' : ''}${name}`
  const mark = need === 'optional' ? '?' : ''
  return withType(`${shown}${mark}`, type)
}

export function functionSymbol({
  callable,
  ...given
}: Pick<PublicSymbol, 'name' | 'line' | 'modifiers'> & {
  readonly callable: Callable
  readonly kind?: PublicSymbol['kind']
}): PublicSymbol {
  const { name, modifiers } = given
  const { parameters, typeParameters, type } = callable
  // The return type, if declared, shows that a function is async.
  const shown = type === null ? modifiers : modifiers.filter((word) => word !== 'async')
  const head = `${[...shown, name].join(' ')}${genericText(typeParameters)}`
  return symbolOf({
    kind: 'function',
    ...given,
    signature: withType(`${head}(${parameters.map(parameterText).join(', ')})`, type),
    parameters: parameters.map(({ access: _access, ...parameter }) => parameter),
    type,
    typeParameters,
    modifiers: shown,
  })
}
