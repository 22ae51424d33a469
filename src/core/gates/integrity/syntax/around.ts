/** Finds the context of a fact: conditions, functions, the rest of its statement. */
import { childBy, type SyntaxNode } from '../../../languages/syntax.ts'
import type { Fact, FactReader, Place } from './facts.ts'

/** Whether it runs only under a condition within its function. */
export function isConditional(code: FactReader, { place }: Pick<Fact, 'place'>): boolean {
  for (let at: Place = place; at.parent !== null; at = at.parent) {
    const { node: parent } = at.parent
    if (isFunctionOnItsOwn(code, at.parent)) return false
    if (code.kinds.conditions.has(parent.kind) && !isCertain(code, parent) && at.node.field !== 'condition')
      return true
    if (isShortcut(parent) && parent.children[0] !== at.node) return true
  }
  return false
}

/** `if (true)` does not count as a condition. */
function isCertain(code: FactReader, node: SyntaxNode): boolean {
  const condition = childBy(node, 'condition')
  return condition !== null && /^(true|True|1|!0|!false)$/.test(code.valueOf(condition).text)
}

/** `a && b`, `a || b`, `a and b`. */
const isShortcut = ({ kind, children }: SyntaxNode): boolean =>
  (kind === 'binary_expression' || kind === 'boolean_operator' || kind === 'list' || kind === 'binary') &&
  children.some((child) => /^(&&|\|\||and|or|\?\?)$/.test(child.kind))

/** An immediately invoked function runs like the code around it. */
function isFunctionOnItsOwn(code: FactReader, place: Place): boolean {
  if (!code.kinds.functions.has(place.node.kind)) return false
  let at = place
  while (at.parent !== null && code.kinds.wrappers.has(at.parent.node.kind)) at = at.parent
  const call = at.parent === null ? undefined : code.kinds.calls[at.parent.node.kind]
  return call === undefined || at.node.field !== call[0]
}

/** The enclosing functions, nearest first, without immediately invoked ones. */
export function functionsAround(code: FactReader, place: Place): readonly SyntaxNode[] {
  return ancestors(place)
    .filter((at) => isFunctionOnItsOwn(code, at))
    .map(({ node }) => node)
}

export function ancestors(place: Place): readonly Place[] {
  const found: Place[] = []
  for (let at = place.parent; at !== null; at = at.parent) found.push(at)
  return found
}

const STATEMENT =
  /(_statement|_declaration|_declarator|_clause|^program|^module|^source_file|^block|^statement_block|^body_statement|^then|^do_block|^if|^unless|^assignment|_assignment|^list|^if_modifier|^unless_modifier|^let_declaration)$|^(if_expression|function_definition|block_body)$/

/** A bare name is a call in Ruby and a value elsewhere. */
export const isStatement = ({ place: { node, parent } }: Pick<Fact, 'place'>): boolean =>
  parent !== null &&
  /^(program|body_statement|block_body|block|do_block|then|else|begin|begin_block|ensure|(if|unless)_modifier)$/.test(
    parent.node.kind,
  ) &&
  node.field !== 'condition'

/** The outermost expression around it; of an `if`, the condition. */
export function expressionAround({ place }: Pick<Fact, 'place'>): SyntaxNode {
  let at = place
  while (at.parent !== null && !STATEMENT.test(at.parent.node.kind)) at = at.parent
  return at.node
}

/** The nearest call that has it as an argument within the same function, or null. */
export function callAround(code: FactReader, place: Place): string | null {
  for (const { node } of ancestors(place)) {
    if (code.kinds.functions.has(node.kind)) return null
    if (node.kind in code.kinds.calls) return code.nameOf(node).replace(/\(\)$/, '')
  }
  return null
}

/** The whole call chain that starts here: for `expect(a)` in `expect(a).not.toBe(1)`, all of it. */
export function wholeChain(code: FactReader, place: Place): SyntaxNode {
  const { calls, members, wrappers } = code.kinds
  let [at, found] = [place, place.node]
  while (at.parent !== null) {
    const { node } = at.parent
    const isLink =
      at.node.field === (members[node.kind]?.[0] ?? calls[node.kind]?.[0]) || at.node.field === 'receiver'
    if (!isLink && !wrappers.has(node.kind)) break
    at = at.parent
    if (isLink && (node.kind in calls || node.kind in members)) found = node
  }
  return found
}

/** The statements of a function's body, without comments and docstrings. */
export function bodyOf(code: FactReader, node: SyntaxNode): readonly SyntaxNode[] {
  const body = childBy(node, 'body')
  if (body === null) {
    return node.children.filter(
      (child) => child.isNamed && child.field === null && !code.kinds.comments.has(child.kind),
    )
  }
  return /block|body|suite|statement/.test(body.kind) ? statementsIn(code, body) : [body]
}

export function statementsIn(code: FactReader, body: SyntaxNode): readonly SyntaxNode[] {
  const list = body.children.find(({ kind }) => kind === 'statement_list') ?? body
  return list.children.filter(
    (child) => child.isNamed && !code.kinds.comments.has(child.kind) && !isDocumentation(code, child),
  )
}

const isDocumentation = (code: FactReader, { kind, children }: SyntaxNode): boolean =>
  kind === 'expression_statement' &&
  children.length > 0 &&
  children.every((child) => code.kinds.texts.has(child.kind))
