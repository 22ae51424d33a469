/** Every way in which a file can name another: static, dynamic, re-export, type import, import type, require. */
import { isNode, stringValue, walk, type Syntax, type SyntaxNode } from './syntax.ts'

export interface Import {
  readonly line: number
  /** Null for a dynamic import whose target is computed. */
  readonly target: string | null
  /** `type` is gone at run time; `dynamic` happens later, if at all. */
  readonly kind: 'static' | 'dynamic' | 'type'
}

export function importsOf(syntax: Syntax): readonly Import[] {
  const found: Import[] = []
  walk(syntax.program, (node) => {
    const source = sourceOf(node)
    if (source === undefined) return
    found.push({
      line: syntax.lineAt(node.start),
      target: stringValue(source),
      kind: isTypeOnly(node) ? 'type' : node.type === 'ImportExpression' ? 'dynamic' : 'static',
    })
  })
  return found
}

/** What a node imports from; undefined when it imports nothing. */
function sourceOf(node: SyntaxNode): unknown {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'ExportAllDeclaration':
    case 'TSImportType':
      return node['source']
    case 'ExportNamedDeclaration':
      return node['source'] ?? undefined
    case 'TSExternalModuleReference':
      return node['expression']
    case 'CallExpression':
      return isRequire(node) && Array.isArray(node['arguments']) ? node['arguments'][0] : undefined
    default:
      return undefined
  }
}

function isRequire(call: SyntaxNode): boolean {
  const { callee } = call
  return isNode(callee) && callee.type === 'Identifier' && callee['name'] === 'require'
}

function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType') return true
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true
  const specifiers = node['specifiers']
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false
  return specifiers.every(
    (one) => isNode(one) && (one['importKind'] === 'type' || one['exportKind'] === 'type'),
  )
}
