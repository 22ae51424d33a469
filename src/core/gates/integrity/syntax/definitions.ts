/** What a program defines under a name, and the names that its code uses. */
import { childBy, walk, type SyntaxNode } from '../../../languages/syntax.ts'
import { ancestors } from './around.ts'
import { linesOf, type FactReader, type Lines } from './facts.ts'

export interface Definition {
  /** Its own name, without those of what it is part of. */
  readonly name: string
  readonly lines: Lines
}

/** Functions and types wherever they are, and values and keys outside of functions. */
export function definitionsIn(code: FactReader): readonly Definition[] {
  const { calls, imports, decorators } = code.kinds
  const nodes = walk(code.tree.root, (node) => {
    const defines = !imports.has(node.kind) || EXPORTED.some((field) => childBy(node, field) !== null)
    return defines && code.isCode(node) && !(node.kind in calls) && !decorators.has(node.kind)
  })
  return nodes
    .flatMap((node) => {
      const name = nameNode(code, node)
      if (name === null) return []
      const whole = node.parent?.kind === 'decorated_definition' ? node.parent : node
      return [{ name: lastPart(code.valueOf(name).text), lines: linesOf(whole) }]
    })
    .toArray()
}

/** Of `export function a() {}` and `export default { a() {} }`. */
const EXPORTED = ['declaration', 'value']

function nameNode(code: FactReader, node: SyntaxNode): SyntaxNode | null {
  const { definitions, functions, assignments, entries } = code.kinds
  const [field] = assignments[node.kind] ?? entries[node.kind] ?? ['name']
  const name = node.isNamed ? childBy(node, field) : null
  const isLocal = !definitions.has(node.kind) && ancestors(node).some(({ kind }) => functions.has(kind))
  return isLocal ? null : name
}

const lastPart = (name: string): string => name.split('.').at(-1) ?? name

/** Those that are part of no other one. */
export function outermost(definitions: readonly Definition[]): readonly Definition[] {
  let last = 0
  return definitions.filter(({ lines: { from, to } }) => {
    const isOuter = from > last
    last = Math.max(last, to)
    return isOuter
  })
}

/** Every part of the names that are used in these lines: `cart` and `total` for `cart.total()`. */
export function namesUsedIn(code: FactReader, { from, to }: Lines): ReadonlySet<string> {
  const uses = code.facts.filter(
    ({ kind, node }) => (kind === 'use' || kind === 'decorator') && node.line >= from && node.line <= to,
  )
  return new Set(uses.flatMap(({ name }) => name.replaceAll(/\(\)|\[\]|\?/g, '').split('.')))
}
