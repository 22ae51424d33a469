/** The syntax tree of a source file, read by a real parser: comments and strings are not mistaken for code. */
import { parseSync } from 'rolldown/utils'

export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

export interface Syntax {
  readonly program: SyntaxNode
  /** Line of an offset, from 1. */
  lineAt(offset: number): number
}

export function parseSource(file: string, source: string): Syntax {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`)
  return { program: program as unknown as SyntaxNode, lineAt: (offset) => lineAt(source, offset) }
}

/** Calls `visit` for every node with its parent; children of a node are left out where it returns false. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxNode | null) => boolean | void,
  parent: SyntaxNode | null = null,
): void {
  if (visit(node, parent) === false) return
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, node)
    }
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** The value of a string literal, or of a template without holes; null for anything else. */
export function stringValue(value: unknown): string | null {
  if (!isNode(value)) return null
  if (value.type === 'Literal' && typeof value['value'] === 'string') return value['value']
  const quasis = value['quasis']
  if (value.type !== 'TemplateLiteral' || !Array.isArray(quasis) || quasis.length !== 1) return null
  const [only] = quasis as { value: { cooked: string } }[]
  return only?.value.cooked ?? null
}

function lineAt(source: string, offset: number): number {
  let line = 1
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line++
  return line
}
