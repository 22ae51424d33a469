/** Finds the context of a fact: conditions, functions, the rest of its statement. */
import { childBy, childOfKind, walk, hasError, type SyntaxNode } from '../../../languages/syntax.ts'
import { linesOf, firstIn, type Fact, type FactReader, type Lines } from './facts.ts'

/** Whether it runs only under a condition within its function. */
export function isConditional({ node, code }: Fact): boolean {
  for (let at = node; at.parent !== null; at = at.parent) {
    const { parent } = at
    if (isFunctionOnItsOwn(code, parent)) return false
    if (code.kinds.conditions.has(parent.kind) && !isCertain(code, parent) && at.field !== 'condition')
      return true
    if (isShortcut(parent) && parent.children[0] !== at) return true
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
  /^(binary_expression|boolean_operator|list|binary)$/.test(kind) &&
  children.some((child) => /^(&&|\|\||and|or|\?\?)$/.test(child.kind))

/** An immediately invoked function runs like the code around it. */
function isFunctionOnItsOwn(code: FactReader, node: SyntaxNode): boolean {
  if (!code.kinds.functions.has(node.kind)) return false
  const { field, parent } = code.wrapped(node)
  const call = parent === null ? undefined : code.kinds.calls[parent.kind]
  return call === undefined || field !== call[0]
}

/** The enclosing functions, nearest first, without immediately invoked ones. */
export const functionsAround = ({ node, code }: Fact): readonly SyntaxNode[] =>
  ancestors(node).filter((one) => isFunctionOnItsOwn(code, one))

export function ancestors({ parent }: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let at = parent; at !== null; at = at.parent) found.push(at)
  return found
}

const STATEMENT =
  /(_statement|_declaration|_declarator|_clause|^program|^module|^source_file|^block|^statement_block|^body_statement|^then|^do_block|^if|^unless|^assignment|_assignment|^list|^if_modifier|^unless_modifier|^let_declaration)$|^(if_expression|function_definition|block_body)$/

/** A bare name is a call in Ruby and a value elsewhere. */
export const isStatement = ({ node: { field, parent } }: Fact): boolean =>
  parent !== null &&
  /^(program|body_statement|block_body|block|do_block|then|else|begin|begin_block|ensure|(if|unless)_modifier)$/.test(
    parent.kind,
  ) &&
  field !== 'condition'

/** The outermost expression around it; of an `if`, the condition. */
export function expressionAround({ node }: Fact): SyntaxNode {
  let at = node
  while (at.parent !== null && !STATEMENT.test(at.parent.kind)) at = at.parent
  return at
}

/** The nearest call that has it as an argument within the same function, or null. */
export function callAround({ node, code }: Fact): string | null {
  const { functions, calls } = code.kinds
  const nearest = ancestors(node).find(({ kind }) => functions.has(kind) || kind in calls)
  return nearest === undefined || functions.has(nearest.kind) ? null : code.calleeOf(nearest)
}

/** The whole call chain that starts here: for `expect(a)` in `expect(a).not.toBe(1)`, all of it. */
export function wholeChain({ node, code }: Fact): SyntaxNode {
  const { calls, members, wrappers } = code.kinds
  let [at, found] = [node, node]
  while (at.parent !== null) {
    const { kind } = at.parent
    const isLink = at.field === (members[kind]?.[0] ?? calls[kind]?.[0]) || at.field === 'receiver'
    if (!isLink && !wrappers.has(kind)) break
    at = at.parent
    if (isLink && (kind in calls || kind in members)) found = at
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
  const list = childOfKind(body, 'statement_list') ?? body
  return list.children.filter(
    (child) => child.isNamed && !code.kinds.comments.has(child.kind) && !isDocumentation(code, child),
  )
}

const isDocumentation = (code: FactReader, { kind, children }: SyntaxNode): boolean =>
  kind === 'expression_statement' &&
  children.length > 0 &&
  children.every((child) => code.kinds.texts.has(child.kind))

interface Definition {
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

export interface BrokenPart {
  readonly line: number | null
  readonly text: string
}

/** Names of calls that tripwires look for. */
const WATCHED =
  /\b(skip\w*|Skip\w*|only|xit|xtest|xdescribe|xcontext|fit|fdescribe|fails|failing|xfail|expectedFailure|_?exit|Exit|exitCode|assert\w*|expect|refute\w*)\b/
const LONGEST = 120

/**
 * Unparsable parts of a program that could hide a call that a tripwire looks for. On added lines. An error beside or around a
 * call does not affect the call itself.
 */
export function brokenParts(code: FactReader | null, added: ReadonlySet<number>): readonly BrokenPart[] {
  if (code === null || !hasError(code.tree.root)) return []
  const found: BrokenPart[] = []
  const open: SyntaxNode[] = [code.tree.root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const isBroken = node.isError || (node.kind in code.kinds.calls && isLost(code, node))
    const text = isBroken ? ownWords(code, node) : ''
    if (isBroken && WATCHED.test(text) && firstIn(linesOf(node), added) !== null) {
      found.push({ line: node.line, text: `has a call that could not be parsed: ${text.slice(0, LONGEST)}` })
    } else for (const child of node.children) open.push(child)
  }
  return found
}

/** Whether the call itself has an error, not only a function passed to it. */
const isLost = (code: FactReader, call: SyntaxNode): boolean =>
  walk(call, ({ kind }) => !code.kinds.functions.has(kind)).some(
    ({ isError, isMissing }) => isError || isMissing,
  )

/** The text of an error, without calls in it that were parsed. */
function ownWords(code: FactReader, node: SyntaxNode): string {
  const { calls, members, texts, comments } = code.kinds
  if (!node.isError) return code.nameOf(node)
  return node.children
    .filter(({ kind }) => !(kind in calls) && !texts.has(kind) && !comments.has(kind))
    .map(({ kind, children, text }) => (children.length > 0 && !(kind in members) ? ' ' : text))
    .join(' ')
}
