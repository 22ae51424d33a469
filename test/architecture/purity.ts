/** What code that must give the same answer every time may not touch. */
import { bindingsOf, isFunction } from './bindings.ts'
import { isNode, stringValue, walk, type Syntax, type SyntaxNode } from './syntax.ts'

export interface Impurity {
  readonly line: number
  readonly what: string
}

/** Time, luck, the process and the outside, by their global names. */
const CLOCK_LUCK_AND_WORLD = [
  'Date Temporal performance setTimeout setInterval setImmediate queueMicrotask crypto',
  'process navigator fetch WebSocket EventSource console globalThis global Intl',
  'require eval Function WeakRef FinalizationRegistry',
].flatMap((line) => line.split(' '))
const PROMISES = ['Promise', 'Atomics', 'Buffer', 'Worker']
/** Answers of these depend on the machine's language or time zone. */
const BY_MACHINE =
  /^(localeCompare|toLocale\w+|to(Date|Time)String|[gs]et(Hours|Minutes|Date|Day|Month|(Full)?Year|TimezoneOffset))$/

/** `deterministic` code may wait, but not look at the clock or roll dice; `pure` code may not even wait. */
export type Purity = 'deterministic' | 'pure'

export function impuritiesOf(syntax: Syntax, purity: Purity): readonly Impurity[] {
  const banned = new Set(purity === 'pure' ? [...CLOCK_LUCK_AND_WORLD, ...PROMISES] : CLOCK_LUCK_AND_WORLD)
  const found: Impurity[] = []
  walkScopes(syntax.program, (node, parent, isLocal) => {
    const what = bannedName(node, parent, banned) ?? machineDependent(node, parent)
    const waiting = purity === 'pure' ? waits(node) : null
    const line = syntax.lineAt(node.start)
    if (what !== null && !isLocal(what)) found.push({ line, what })
    if (waiting !== null) found.push({ line, what: waiting })
  })
  return found
}

type Visit = (node: SyntaxNode, parent: SyntaxNode | null, isLocal: (name: string) => boolean) => void

/** Visits every node that is left at run time, and knows which names are declared around it. */
function walkScopes(
  scope: SyntaxNode,
  visit: Visit,
  isLocalOutside: (name: string) => boolean = () => false,
): void {
  const own = bindingsOf(scope)
  const isLocal = (name: string) => own.has(name) || isLocalOutside(name)
  walk(scope, (node, parent) => {
    if (isType(node)) return false
    if (isFunction(node) && node !== scope) {
      visit(node, parent, isLocal)
      walkScopes(node, visit, isLocal)
      return false
    }
    if (node !== scope) visit(node, parent, isLocal)
    return undefined
  })
}

function bannedName(node: SyntaxNode, parent: SyntaxNode | null, banned: ReadonlySet<string>): string | null {
  const name = node['name']
  if (node.type !== 'Identifier' || typeof name !== 'string' || !banned.has(name)) return null
  return isOnlyAName(node, parent) || isDateUtc(node, parent) || isGivenDate(node, parent) ? null : name
}

/** `Date.UTC(2026, 0, 5)` is arithmetic. */
function isDateUtc(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (node['name'] !== 'Date' || parent?.type !== 'MemberExpression' || parent['computed'] === true)
    return false
  const { property } = parent
  return isNode(property) && property['name'] === 'UTC'
}

/** `new Date(n)` is the moment it is given. Without one it asks the clock; a text or parts are read in the local zone. */
function isGivenDate(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (node['name'] !== 'Date' || parent?.type !== 'NewExpression' || parent['callee'] !== node) return false
  const given = parent['arguments']
  if (!Array.isArray(given) || given.length !== 1) return false
  const [only] = given as readonly unknown[]
  if (!isNode(only) || only.type === 'SpreadElement' || only.type === 'TemplateLiteral') return false
  return stringValue(only) === null
}

function machineDependent(node: SyntaxNode, parent: SyntaxNode | null): string | null {
  if (node.type === 'MetaProperty') return 'import.meta'
  if (node.type !== 'Identifier') return null
  const name = String(node['name'])
  if (name === 'Math' && !isOnlyAName(node, parent)) return usesOfMath(parent)
  return BY_MACHINE.test(name) ? name : null
}

/** `Math` is fine as `Math.floor`; not as `Math.random`, nor where one cannot see what is taken of it. */
function usesOfMath(parent: SyntaxNode | null): string | null {
  if (parent?.type !== 'MemberExpression' || parent['computed'] === true) return 'Math, taken as a whole'
  const { property } = parent
  return isNode(property) && property['name'] === 'random' ? 'Math.random' : null
}

function waits(node: SyntaxNode): string | null {
  if (node.type === 'AwaitExpression') return 'await'
  if (node.type === 'ForOfStatement' && node['await'] === true) return 'for await'
  return node['async'] === true ? 'async' : null
}

/** A property or a key that happens to be called so: `plan.process`, `{ Date: 1 }`. A shorthand is a reference. */
function isOnlyAName(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (parent === null || parent['computed'] === true) return false
  if (parent.type === 'MemberExpression') return parent['property'] === node
  const isKey = parent['key'] === node
  return isKey && parent['shorthand'] !== true
}

/** Types are gone at run time. `as`, `satisfies` and the like are expressions and hold one. */
function isType(node: SyntaxNode): boolean {
  const expressions = [
    'TSAsExpression',
    'TSSatisfiesExpression',
    'TSNonNullExpression',
    'TSInstantiationExpression',
  ]
  return node.type.startsWith('TS') && !expressions.includes(node.type)
}
