/** Small faults put into changed lines, one at a time. Tests that notice none of them do not test the change. */
import { languageOf, type LanguageName } from '../../languages/languages.ts'
import { childBy, isUnread, namedChildren, type SyntaxNode, type SyntaxTree } from '../../languages/syntax.ts'
import { isTestPath, kindOfPath } from '../../languages/paths.ts'
import type { Change, ChangedFile } from '../change.ts'
import type { ChangeTrees } from '../change-trees.ts'

export interface Mutant {
  readonly path: string
  /** In the file as it is now, from 1. */
  readonly line: number
  /** Where in the text of the file, what stands there, and what takes its place. */
  readonly start: number
  readonly from: string
  readonly to: string
  /** The fault in words. */
  readonly what: string
}

/** `rank`: of two faults in one line the lower one is tried: what decides comes before what is only shown. */
type Fault = Pick<Mutant, 'start' | 'from' | 'to' | 'what'> & { readonly rank: number }

const TURNED = { rank: 0, what: 'a comparison turned round' }
const AND = { rank: 1, what: 'and for or' }
const OR = { rank: 1, what: 'or for and' }
const SIGN = { rank: 2, what: 'a sign turned round' }
const OPERATORS: ReadonlyMap<string, { readonly to: string; readonly rank: number; readonly what: string }> =
  new Map([
    ['===', { to: '!==', ...TURNED }],
    ['==', { to: '!=', ...TURNED }],
    ['!==', { to: '===', ...TURNED }],
    ['!=', { to: '==', ...TURNED }],
    ['<=', { to: '>', ...TURNED }],
    ['>=', { to: '<', ...TURNED }],
    ['<', { to: '>=', ...TURNED }],
    ['>', { to: '<=', ...TURNED }],
    ['&&', { to: '||', ...AND }],
    ['and', { to: 'or', ...AND }],
    ['||', { to: '&&', ...OR }],
    ['or', { to: 'and', ...OR }],
    ['+', { to: '-', ...SIGN }],
    ['-', { to: '+', ...SIGN }],
    ['*', { to: '/', rank: 3, what: 'a product made a quotient' }],
  ])
const OPERATIONS = /^(binary_expression|binary_operator|boolean_operator|comparison_operator)$/
const CONSTANTS: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
}
/** Nodes in which a fault is no fault of the program: types, imports, what is there for tools; and what cannot be parsed. */
const IDLE =
  /^(type|\w+_type|type_annotation|type_arguments|type_parameters|type_alias_declaration|type_declaration|type_item|interface_declaration|ambient_declaration|import_statement|import_from_statement|import_declaration|use_declaration|package_declaration|decorator|annotation|marker_annotation|attribute_item|inner_attribute_item|preproc_include|preproc_def|preproc_function_def|template_parameter_list|template_argument_list|ERROR)$/

/** What a function returns instead, and what a call that is left out becomes. */
interface Nothing {
  readonly value: string
  readonly call: string
}
const SCRIPT: Nothing = { value: 'undefined', call: 'undefined' }
const NOTHING: Partial<Record<LanguageName, Nothing>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  python: { value: 'None', call: 'pass' },
}

const LANGUAGES: ReadonlySet<LanguageName> = new Set([
  ...(['typescript', 'javascript', 'python', 'go', 'rust', 'c', 'cpp', 'java'] as const),
  ...(['kotlin', 'scala', 'csharp', 'swift', 'php'] as const),
])

/** At most `most`, spread over the change, in an order that depends on nothing but the change. */
export function mutantsOf(
  change: Change,
  trees: Pick<ChangeTrees, 'after'>,
  most: number,
): readonly Mutant[] {
  const all = change.files.flatMap((file) => mutantsIn(file, trees))
  const step = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  )
}

function mutantsIn(file: ChangedFile, { after }: Pick<ChangeTrees, 'after'>): readonly Mutant[] {
  const { path, lines, added, isBinary } = file
  const language = languageOf(path, lines?.[0])
  if (lines === null || isBinary || isTestPath(path) || kindOfPath(path) !== 'source') return []
  if (language === null || !LANGUAGES.has(language.name)) return []
  const parsed = after(path)
  const tree = parsed === null || isUnread(parsed) ? null : parsed
  const faults = tree === null ? null : faultsIn(tree)
  if (faults === null && language.grammar !== null) return []
  return added.flatMap(({ line }) => {
    const [fault] = faults === null ? lineFault(lines, line) : (faults.get(line) ?? [])
    if (fault === undefined) return []
    const { start, from, to, what } = fault
    return [{ path, line, start, from, to, what }]
  })
}

/** The faults of a file by line, the one to try first. */
function faultsIn(tree: SyntaxTree): ReadonlyMap<number, readonly Fault[]> {
  const found = new Map<number, Fault[]>()
  const open: { readonly node: SyntaxNode; readonly parent: SyntaxNode | null }[] = [
    { node: tree.root, parent: null },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next
    if (IDLE.test(node.kind) || node.isError) continue
    const fault = faultAt(tree, node, next.parent)
    const place = fault === null ? 0 : node.line
    if (fault !== null) found.set(place, [...(found.get(place) ?? []), fault])
    open.push(...node.children.map((child) => ({ node: child, parent: node })))
  }
  const sorted = [...found].map(
    ([line, faults]) => [line, faults.toSorted((a, b) => a.rank - b.rank || a.start - b.start)] as const,
  )
  return new Map(sorted)
}

function faultAt(tree: SyntaxTree, node: SyntaxNode, parent: SyntaxNode | null): Fault | null {
  const from = tree.text.slice(node.start, node.end)
  const { start } = node
  if (!node.isNamed) {
    const operator = parent !== null && OPERATIONS.test(parent.kind) ? OPERATORS.get(from) : undefined
    return operator === undefined ? null : { start, from, ...operator }
  }
  const nothing = NOTHING[tree.language.name]
  if (nothing !== undefined) {
    const isReturned =
      (parent?.kind === 'return_statement' && node === namedChildren(parent)[0]) ||
      (parent?.kind === 'arrow_function' && node.field === 'body' && node.kind !== 'statement_block')
    if (isReturned && from !== nothing.value)
      return { start, from, to: nothing.value, rank: 4, what: 'nothing returned' }
    if (parent?.kind === 'expression_statement' && isLoneCall(tree, node))
      return { start, from, to: nothing.call, rank: 7, what: 'a call left out' }
  }
  const constant = CONSTANTS[from]
  if (constant !== undefined && /^(true|false|boolean_literal)$/.test(node.kind)) {
    return { start, from, to: constant, rank: 5, what: `${from.toLowerCase()} for ${constant.toLowerCase()}` }
  }
  const isNumber =
    /^(number|integer|number_literal|int_literal|integer_literal|decimal_integer_literal)$/.test(node.kind)
  return isNumber && /^\d{1,9}$/.test(from)
    ? { start, from, to: `1${from}`, rank: 6, what: 'another number' }
    : null
}

function isLoneCall(tree: SyntaxTree, node: SyntaxNode): boolean {
  const call = /^(await_expression|await)$/.test(node.kind) ? namedChildren(node)[0] : node
  if (call === undefined || !/^(call_expression|call)$/.test(call.kind)) return false
  const callee = childBy(call, 'function')
  return (
    callee !== null &&
    !/^(super|print|require|import|console\.\w+)$/.test(tree.text.slice(callee.start, callee.end))
  )
}

interface LineRule {
  readonly from: RegExp
  readonly to: string
  readonly what: string
}

/** For languages without a grammar: an operator, a truth value or a number that stands by itself. */
const LINE_RULES: readonly LineRule[] = [
  ...[...OPERATORS].map(([mark, { to, what }]) => ({
    from: new RegExp(`(?<=[\\w)\\]] )${mark.replace(/[|+*]/g, '\\$&')}(?= [\\w("'[!-])`),
    to,
    what,
  })),
  { from: /\btrue\b/, to: 'false', what: 'true for false' },
  { from: /\bfalse\b/, to: 'true', what: 'false for true' },
  { from: /(?<=^|[\s([{,=+*/<>-])\d{1,9}(?=$|[\s)\]},;:])/, to: '1$&', what: 'another number' },
]
const IDLE_LINE = /^\s*($|\/\/|\/?\*|#|import\b|using\b|package\b|@|["'])/
const LONGEST_LINE = 400

function lineFault(lines: readonly string[], line: number): readonly Fault[] {
  const text = lines[line - 1] ?? ''
  if (text.length > LONGEST_LINE || IDLE_LINE.test(text)) return []
  const plain = text
    .replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, (found) => '\u0001'.repeat(found.length))
    .replace(/\s\/\/.*$/, (found) => '\u0001'.repeat(found.length))
  const offset = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  for (const { from, to, what } of LINE_RULES) {
    const found = from.exec(plain)
    if (found === null) continue
    const start = offset + found.index
    return [{ start, from: found[0], to: to.replace('$&', found[0]), what, rank: 0 }]
  }
  return []
}

/** What became of one mutant. */
export interface MutantSeen {
  readonly mutant: Mutant
  readonly isNoticed: boolean
}

/** Of those tried, this many have to be noticed: some faults change nothing that anybody could see. */
const LEAST_SHARE = 0.5

export function judgeMutants(seen: readonly MutantSeen[]): {
  readonly isEnough: boolean
  readonly words: string
  readonly survivors: readonly Mutant[]
} {
  const survivors = seen.filter(({ isNoticed }) => !isNoticed).map(({ mutant }) => mutant)
  const noticed = seen.length - survivors.length
  return {
    isEnough: noticed >= seen.length * LEAST_SHARE,
    words: `the tests noticed ${noticed} of ${seen.length} faults put into the change`,
    survivors,
  }
}
