/** Mutants of changed lines. Tests that detect none of them do not test the change. */
import { languageOf, type LanguageName } from '../../languages/languages.ts'
import { childBy, isUnread, namedChildren, type SyntaxNode, type SyntaxTree } from '../../languages/syntax.ts'
import { isTestPath, kindOfPath } from '../../languages/paths.ts'
import type { Change, ChangedFile, ChangeTrees } from '../change.ts'

export interface Mutant {
  readonly path: string
  /** In the file as it is now, from 1. */
  readonly line: number
  /** The offset in the file, the original text and its replacement. */
  readonly start: number
  readonly from: string
  readonly to: string
  /** A description of the fault. */
  readonly what: string
}

/** Of two faults in one line, the one with the lower rank is tried. */
type Fault = Pick<Mutant, 'start' | 'from' | 'to' | 'what'> & { readonly rank: number }

interface Swap {
  readonly to: string
  readonly rank: number
  readonly what: string
}

const swapped = (
  rank: number,
  what: string,
  pairs: Readonly<Record<string, string>>,
): readonly (readonly [from: string, swap: Swap])[] =>
  Object.entries(pairs).map(([from, to]) => [from, { to, rank, what }])

const OPERATORS: ReadonlyMap<string, Swap> = new Map([
  ...swapped(0, 'an inverted comparison', { '===': '!==', '==': '!=', '!==': '===', '!=': '==' }),
  ...swapped(0, 'an inverted comparison', { '<=': '>', '>=': '<', '<': '>=', '>': '<=' }),
  ...swapped(1, '"and" replaced by "or"', { '&&': '||', and: 'or' }),
  ...swapped(1, '"or" replaced by "and"', { '||': '&&', or: 'and' }),
  ...swapped(2, 'a flipped sign', { '+': '-', '-': '+' }),
  ...swapped(3, 'a multiplication replaced by a division', { '*': '/' }),
])
const OPERATIONS = /^(binary_expression|binary_operator|boolean_operator|comparison_operator)$/
const CONSTANTS: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
}
/** Nodes without effect at run time (types, imports, annotations), and those that cannot be parsed. */
const IDLE =
  /^(type|\w+_type|type_annotation|type_arguments|type_parameters|type_alias_declaration|type_declaration|type_item|interface_declaration|ambient_declaration|import_statement|import_from_statement|import_declaration|use_declaration|package_declaration|decorator|annotation|marker_annotation|attribute_item|inner_attribute_item|preproc_include|preproc_def|preproc_function_def|template_parameter_list|template_argument_list|ERROR)$/

/** Replacements for a return value and for a removed call. */
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

/** At most `most`, spread over the change, in a deterministic order. */
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
    const fault = faults === null ? lineFault(lines, line) : faults.get(line)
    if (fault === undefined) return []
    const { start, from, to, what } = fault
    return [{ path, line, start, from, to, what }]
  })
}

/** The fault to try for each line of a file. */
function faultsIn(tree: SyntaxTree): ReadonlyMap<number, Fault> {
  const found = new Map<number, Fault>()
  const open: { readonly node: SyntaxNode; readonly parent: SyntaxNode | null }[] = [
    { node: tree.root, parent: null },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next
    if (IDLE.test(node.kind) || node.isError) continue
    const fault = faultAt(tree, node, parent)
    const known = found.get(node.line)
    if (fault !== null && (known === undefined || isBefore(fault, known))) found.set(node.line, fault)
    open.push(...node.children.map((child) => ({ node: child, parent: node })))
  }
  return found
}

const isBefore = (one: Fault, other: Fault): boolean =>
  one.rank < other.rank || (one.rank === other.rank && one.start < other.start)

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
      return { start, from, to: nothing.value, rank: 4, what: 'a dropped return value' }
    if (parent?.kind === 'expression_statement' && isLoneCall(tree, node))
      return { start, from, to: nothing.call, rank: 7, what: 'a removed call' }
  }
  const constant = CONSTANTS[from]
  if (constant !== undefined && /^(true|false|boolean_literal)$/.test(node.kind)) {
    return {
      start,
      from,
      to: constant,
      rank: 5,
      what: `${from.toLowerCase()} replaced by ${constant.toLowerCase()}`,
    }
  }
  const isNumber =
    /^(number|integer|number_literal|int_literal|integer_literal|decimal_integer_literal)$/.test(node.kind)
  return isNumber && /^\d{1,9}$/.test(from)
    ? { start, from, to: `1${from}`, rank: 6, what: 'a changed number' }
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

/** For languages without a grammar: an operator, a boolean or a number on its own. */
const LINE_RULES: readonly LineRule[] = [
  ...[...OPERATORS].map(([mark, { to, what }]) => ({
    from: new RegExp(`(?<=[\\w)\\]] )${mark.replace(/[|+*]/g, '\\$&')}(?= [\\w("'[!-])`),
    to,
    what,
  })),
  { from: /\btrue\b/, to: 'false', what: 'true replaced by false' },
  { from: /\bfalse\b/, to: 'true', what: 'false replaced by true' },
  { from: /(?<=^|[\s([{,=+*/<>-])\d{1,9}(?=$|[\s)\]},;:])/, to: '1$&', what: 'a changed number' },
]
const IDLE_LINE = /^\s*($|\/\/|\/?\*|#|import\b|using\b|package\b|@|["'])/
const LONGEST_LINE = 400

function lineFault(lines: readonly string[], line: number): Fault | undefined {
  const text = lines[line - 1] ?? ''
  if (text.length > LONGEST_LINE || IDLE_LINE.test(text)) return undefined
  const plain = text
    .replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, (found) => '\u0001'.repeat(found.length))
    .replace(/\s\/\/.*$/, (found) => '\u0001'.repeat(found.length))
  const offset = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  for (const { from, to, what } of LINE_RULES) {
    const found = from.exec(plain)
    if (found === null) continue
    const start = offset + found.index
    return { start, from: found[0], to: to.replace('$&', found[0]), what, rank: 0 }
  }
  return undefined
}

/** The result of one mutant. */
export interface MutantResult {
  readonly mutant: Mutant
  readonly isDetected: boolean
}

/** The share of mutants that tests must detect; some mutants have no visible effect. */
const LEAST_SHARE = 0.5

export function judgeMutants(seen: readonly MutantResult[]): {
  readonly isEnough: boolean
  readonly summary: string
  readonly survivors: readonly Mutant[]
} {
  const survivors = seen.filter(({ isDetected }) => !isDetected).map(({ mutant }) => mutant)
  const detected = seen.length - survivors.length
  return {
    isEnough: detected >= seen.length * LEAST_SHARE,
    summary: `the tests detected ${detected} of ${seen.length} mutants`,
    survivors,
  }
}
