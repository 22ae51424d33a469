/** Which names a function, or the file itself, declares: those hide the globals of the same name. */
import { isNode, type SyntaxNode } from './syntax.ts'

export function isFunction(node: SyntaxNode): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)
}

/** Parameters, and whatever is declared in the body but not in a function inside it. */
export function bindingsOf(scope: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>()
  const params = scope['params']
  if (Array.isArray(params)) for (const param of params) addPattern(param, names)
  addDeclared(scope['body'], names)
  return names
}

function addDeclared(value: unknown, names: Set<string>): void {
  for (const node of Array.isArray(value) ? value : [value]) {
    if (!isNode(node)) continue
    switch (node.type) {
      case 'ImportSpecifier':
      case 'ImportDefaultSpecifier':
      case 'ImportNamespaceSpecifier':
        addPattern(node['local'], names)
        break
      case 'VariableDeclarator':
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        addPattern(node['id'], names)
        break
      case 'CatchClause':
        addPattern(node['param'], names)
        break
    }
    if (!isFunction(node)) for (const child of Object.values(node)) addDeclared(child, names)
  }
}

/** `x`, `{ a: x, ...x }`, `[x]`, `x = 1`. */
function addPattern(pattern: unknown, names: Set<string>): void {
  if (!isNode(pattern)) return
  switch (pattern.type) {
    case 'Identifier':
      names.add(String(pattern['name']))
      break
    case 'AssignmentPattern':
      addPattern(pattern['left'], names)
      break
    case 'RestElement':
      addPattern(pattern['argument'], names)
      break
    case 'Property':
      addPattern(pattern['value'], names)
      break
    case 'ArrayPattern':
    case 'ObjectPattern': {
      const parts = pattern['elements'] ?? pattern['properties']
      if (Array.isArray(parts)) for (const part of parts) addPattern(part, names)
    }
  }
}
