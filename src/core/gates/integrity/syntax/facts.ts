/** Reads facts from a syntax tree: calls and other uses of names, assignments, decorators, strings. */
import {
  childBy,
  childOfKind,
  childrenBy,
  walk,
  descendants,
  textBy,
  type SyntaxNode,
  type SyntaxTree,
} from '../../../languages/syntax.ts'
import type { NodeKinds } from './node-kinds.ts'

/**
 * - `use`: a name that is called or read. An `assert` statement and a command of a shell are calls too.
 * - `assignment`: a name that gets a value. `entry`: a key of an object, a keyword argument.
 * - `decorator`: also an attribute of Rust. `definition`: a function, a class, a macro.
 * - `text`: a string or a pattern; its name is what stands between the quotes. `import`: a module.
 */
export type FactKind = 'use' | 'assignment' | 'entry' | 'decorator' | 'definition' | 'text' | 'import'

export interface Fact {
  readonly kind: FactKind
  /** With dots and without arguments: `it.skip`, `expect().not.toBe`, `std.process.exit`. */
  readonly name: string
  /** Null if it is not a call. */
  readonly args: readonly Value[] | null
  /** The value of an assignment or entry. */
  readonly value: Value | null
  readonly node: SyntaxNode
  /** Of the file. */
  readonly code: FactReader
  /** Its lines, without the body of a function passed to a call. */
  readonly head: Lines
}

export interface Lines {
  readonly from: number
  readonly to: number
}

export const linesOf = ({ line, lastLine }: SyntaxNode): Lines => ({ from: line, to: lastLine })

/** The first of these lines in a range, or null. */
export function firstIn({ from, to }: Lines, lines: ReadonlySet<number>): number | null {
  for (let line = from; line <= to; line++) if (lines.has(line)) return line
  return null
}

export interface Value {
  readonly node: SyntaxNode
  readonly is: 'text' | 'number' | 'constant' | 'name' | 'function' | 'other'
  /** The source; for a string, its contents. */
  readonly text: string
}

const MOST_FACTS = 500_000
const DEEPEST_NAME = 100
const IDENTIFIERS =
  /^(identifier|property_identifier|private_property_identifier|field_identifier|type_identifier|package_identifier|shorthand_property_identifier|shorthand_property_identifier_pattern|constant|global_variable|instance_variable|self|this|super|crate|metavariable|meta_property|command_name|variable_name|simple_symbol|hash_key_symbol|operator|import)$/
const PARAMETERS =
  /^(formal_parameters|parameters|lambda_parameters|method_parameters|block_parameters|parameter_list|parameter_declaration|typed_parameter|required_parameter|optional_parameter)$/
const BLOCKS = /^(do_block|block|subshell|compound_statement|statement_block)$/
const NUMBERS = /^(number|integer|float|int_literal|float_literal|integer_literal)$/
const CONSTANTS = /^(true|false|null|nil|None|True|False|undefined|!0|!1)$/

export class FactReader {
  readonly tree: SyntaxTree
  readonly kinds: NodeKinds
  #facts: readonly Fact[] | null = null
  readonly #imported: ReadonlyMap<string, string>

  constructor(tree: SyntaxTree, kinds: NodeKinds) {
    this.tree = tree
    this.kinds = kinds
    this.#imported = importNames(tree)
  }

  /** In source order. */
  get facts(): readonly Fact[] {
    return (this.#facts ??= this.#read(() => true))
  }

  /** Facts of nodes that touch one of these lines; null if there are too many. */
  factsAround(lines: ReadonlySet<number>): readonly Fact[] | null {
    const found = this.#read((node) => firstIn(linesOf(node), lines) !== null)
    return found.length < MOST_FACTS ? found : null
  }

  #read(isWanted: (node: SyntaxNode) => boolean): readonly Fact[] {
    const nodes = walk(this.tree.root, (node) => this.isCode(node) && isWanted(node))
    return nodes
      .map((node) => this.#factOf(node))
      .filter((fact) => fact !== null)
      .take(MOST_FACTS)
      .toArray()
  }

  /** Whether a node is not inside a comment or a string, or is code embedded in one. */
  isCode({ kind, parent }: SyntaxNode): boolean {
    const { comments, texts, holes } = this.kinds
    if (parent === null) return true
    return texts.has(parent.kind) ? holes.has(kind) : !comments.has(parent.kind)
  }

  /** `it.skip` for `it['skip']` and `(it as any).skip` too. Unknown pieces are `?`. */
  nameOf(wrapped: SyntaxNode | null, depth = 0): string {
    if (wrapped === null || depth > DEEPEST_NAME) return '?'
    const node = this.#unwrapped(wrapped)
    const { calls, members, indexes } = this.kinds
    const below = (part: SyntaxNode | null): string => this.nameOf(part, depth + 1)
    const call = calls[node.kind]
    if (call !== undefined) {
      const receiver = childBy(node, 'receiver')
      const method = childBy(node, call[0])
      const name = method === null ? 'call' : below(method)
      return `${receiver === null ? '' : `${below(receiver)}.`}${name}${this.#isCalled(node) ? '()' : ''}`
    }
    const member = members[node.kind]
    if (member !== undefined) {
      const object = childBy(node, member[0])
      const name = childBy(node, member[1])?.text ?? '?'
      return object === null ? name : `${below(object)}.${name}`
    }
    const index = indexes[node.kind]
    if (index !== undefined) {
      const inside = this.#indexOf(node, index[1])
      const value = inside === null ? null : this.valueOf(inside)
      return `${below(childBy(node, index[0]))}${value?.is === 'text' ? `.${value.text}` : '[]'}`
    }
    if (node.kind === 'identifier') return this.#imported.get(node.text) ?? node.text
    return IDENTIFIERS.test(node.kind) || node.children.length === 0 ? node.text : '?'
  }

  /** The name of what is called, without the brackets of the call. */
  calleeOf(node: SyntaxNode): string {
    return this.nameOf(node).replace(/\(\)$/, '')
  }

  valueOf(wrapped: SyntaxNode): Value {
    const { texts, functions, calls, members, indexes } = this.kinds
    const node = this.#unwrapped(wrapped)
    const { kind, text } = node
    if (texts.has(kind)) return { node, is: 'text', text: contentOf(text) }
    if (functions.has(kind)) return { node, is: 'function', text }
    if (NUMBERS.test(kind) || /^\d+$/.test(text)) return { node, is: 'number', text }
    if (CONSTANTS.test(text)) return { node, is: 'constant', text }
    const isName = IDENTIFIERS.test(kind) || kind in members || kind in indexes
    if (isName && !(kind in calls)) return { node, is: 'name', text: this.nameOf(node) }
    return { node, is: 'other', text }
  }

  #factOf(node: SyntaxNode): Fact | null {
    const { kind, parent } = node
    const { texts, calls, members, indexes, assignments, entries, decorators, imports, definitions } =
      this.kinds
    if (!node.isNamed) return null
    if (texts.has(kind)) return this.#fact('text', contentOf(node.text), node)
    if (decorators.has(kind)) return this.#decorator(node)
    if (imports.has(kind)) return this.#import(node)
    if (definitions.has(kind)) {
      const name = childBy(node, 'name')
      if (name === null) return null
      return this.#fact('definition', name.text.replaceAll('::', '.'), node, { head: linesOf(name) })
    }
    if (kind in calls && this.#isCalled(node)) {
      return this.#fact('use', withoutGlobal(this.calleeOf(node)), node, { args: this.argsOf(node) })
    }
    if (kind === 'assert_statement') {
      const args = node.children.filter((child) => child.isNamed).map((child) => this.valueOf(child))
      return this.#fact('use', 'assert', node, { args })
    }
    const pair = assignments[kind] ?? entries[kind]
    if (pair !== undefined) {
      const [key, value] = [childBy(node, pair[0]), childBy(node, pair[1])]
      if (key === null) return null
      const { is, text } = this.valueOf(key)
      const name = is === 'text' ? text : this.nameOf(key).replace(/:$/, '')
      return this.#fact(kind in assignments ? 'assignment' : 'entry', name, node, {
        value: value === null ? null : this.valueOf(value),
      })
    }
    if (parent?.kind === 'token_tree' && IDENTIFIERS.test(kind)) return this.#token(node, parent)
    const isPath = kind in members || kind in indexes || kind in calls
    if ((!isPath && !IDENTIFIERS.test(kind)) || this.#isPartOfName(node)) return null
    if (isPath) return this.#fact('use', withoutGlobal(this.nameOf(node)), node)
    const isDeclared =
      parent !== null &&
      (PARAMETERS.test(parent.kind) || (node.field === 'name' && definitions.has(parent.kind)))
    return isDeclared ? null : this.#fact('use', this.nameOf(node), node)
  }

  argsOf(node: SyntaxNode): readonly Value[] {
    const field = this.kinds.calls[node.kind]?.[1] ?? ''
    const own = node.children.filter((child) => child.field === field && field !== '')
    if (node.kind === 'command') return own.map((child) => this.valueOf(child))
    const [list] = own
    if (list === undefined) return this.#tokenArgs(childOfKind(node, 'token_tree')) ?? []
    if (this.kinds.texts.has(list.kind)) return [this.valueOf(list)]
    return list.children
      .filter((child) => child.isNamed && !this.kinds.comments.has(child.kind))
      .map((child) => this.valueOf(child))
  }

  /** The arguments of a Rust macro or attribute, which are tokens, not a tree; null without brackets. */
  #tokenArgs(tokens: SyntaxNode | null): readonly Value[] | null {
    if (tokens?.kind !== 'token_tree') return null
    const args: SyntaxNode[][] = [[]]
    for (const token of tokens.children.slice(1, -1)) {
      if (token.kind === ',') args.push([])
      else args.at(-1)?.push(token)
    }
    return args.flatMap((some) => {
      const [first] = some
      const last = some.at(-1)
      if (first === undefined || last === undefined) return []
      if (some.length === 1) return [this.valueOf(first)]
      const text = this.tree.text.slice(first.start, last.end)
      const isName = some.every(({ kind }) => IDENTIFIERS.test(kind) || kind === '.' || kind === '::')
      return [{ node: first, is: isName ? 'name' : 'other', text } satisfies Value]
    })
  }

  /** A call among the tokens of a macro: a path, an optional `!`, and brackets. */
  #token(node: SyntaxNode, { children }: SyntaxNode): Fact | null {
    let at = children.indexOf(node)
    const next = children[at + 1]?.kind
    if (next === '::' || next === '.') return null
    const args = this.#tokenArgs(children[next === '!' ? at + 2 : at + 1] ?? null)
    const path = [node.text]
    for (; /^(::|\.)$/.test(children[at - 1]?.kind ?? ''); at -= 2)
      path.unshift(children[at - 2]?.text ?? '?')
    return this.#fact('use', path.join('.'), node, { args })
  }

  #decorator(node: SyntaxNode): Fact | null {
    const attribute = childOfKind(node, 'attribute')
    if (attribute !== null) {
      const [path] = attribute.children
      const args = this.#tokenArgs(childOfKind(attribute, 'token_tree'))
      return path === undefined ? null : this.#fact('decorator', this.nameOf(path), node, { args })
    }
    const inner = node.children.find((child) => child.isNamed)
    if (inner === undefined) return null
    const args = inner.kind in this.kinds.calls ? this.argsOf(inner) : null
    return this.#fact('decorator', this.calleeOf(inner), node, { args })
  }

  #import(node: SyntaxNode): Fact | null {
    const fields = ['source', 'module_name', 'path', 'argument', 'name']
    const modules = fields.map((field) => childrenBy(node, field)).find(({ length }) => length > 0)
    if (modules === undefined) return null
    const name = modules.map(({ text }) => contentOf(text)).join(',')
    return this.#fact('import', name, node, { head: linesOf(node) })
  }

  #fact(
    kind: FactKind,
    name: string,
    node: SyntaxNode,
    { args = null, value = null, head = this.#headOf(node) }: Partial<Fact> = {},
  ): Fact {
    return { kind, name, node, code: this, args, value, head }
  }

  /** The lines of a node up to the body of a function. */
  #headOf(node: SyntaxNode): Lines {
    const block = walk(node).find(
      (one) => one !== node && (this.kinds.functions.has(one.kind) || BLOCKS.test(one.kind)),
    )
    const body = block === undefined || BLOCKS.test(block.kind) ? block : (childBy(block, 'body') ?? block)
    return { from: node.line, to: body?.line ?? node.lastLine }
  }

  /** Whether its name is part of a longer one, such as `a` in `a.b()`, or the key of a value. */
  #isPartOfName(node: SyntaxNode): boolean {
    const { calls, members, indexes, assignments, entries } = this.kinds
    const { field, parent } = this.wrapped(node)
    if (field === null || parent === null) return false
    const { kind } = parent
    const [first] = calls[kind] ?? members[kind] ?? indexes[kind] ?? assignments[kind] ?? entries[kind] ?? []
    return field === first || field === 'receiver' || field === members[kind]?.[1]
  }

  /** The node with all parentheses and casts around it. */
  wrapped(node: SyntaxNode): SyntaxNode {
    let at = node
    while (at.parent !== null && this.kinds.wrappers.has(at.parent.kind)) at = at.parent
    return at
  }

  #unwrapped(node: SyntaxNode): SyntaxNode {
    const { wrappers, comments } = this.kinds
    let at: SyntaxNode | undefined = node
    while (at !== undefined && wrappers.has(at.kind)) {
      at = at.children.find((child) => child.isNamed && !comments.has(child.kind))
    }
    return at ?? node
  }

  #indexOf(node: SyntaxNode, field: string): SyntaxNode | null {
    if (field !== '') return childBy(node, field)
    return node.children.find((child) => child.isNamed && child.field !== 'object') ?? null
  }

  /** A Ruby call without arguments may be a property. */
  #isCalled(node: SyntaxNode): boolean {
    if (node.kind !== 'call' || childBy(node, 'method') === null) return true
    return childBy(node, 'arguments') !== null || childBy(node, 'block') !== null
  }
}

const withoutGlobal = (name: string): string =>
  name.replace(/^(globalThis|global|window|self)\.(?=(process|Deno|it|test|describe|suite)\.)/, '')

/** The contents of a string. */
export function contentOf(source: string): string {
  const quoted = /^(?:[a-zA-Z]{0,3}#*|@|:)("""|'''|["'`/])([\s\S]*?)\1#*[a-z]*$/.exec(source)
  return quoted?.[2] ?? source
}

/** Modules, and what rules call them. Names of test runners stand alone. */
const MODULES: readonly (readonly [names: RegExp, module: string])[] = [
  [/^(vitest|node:test|@jest\/globals|mocha|ava|bun:test|@playwright\/test)$/, 'test'],
  [/^(node:)?assert(\/strict)?$/, 'assert'],
  [/^(node:)?process$/, 'process'],
]
/** Python modules whose members rules know by their qualified name. */
const WHOLE = /^(os|sys|pytest)$/
const ALIASED = /^(os|sys|pytest|unittest)$/

type Names = readonly (readonly [local: string, stands: string])[]

/** Resolves imported names: `check` is `test` after `import { test as check } from 'vitest'`. */
const importNames = ({ language, root }: SyntaxTree): ReadonlyMap<string, string> =>
  new Map(language.name === 'python' ? pythonNames(root) : scriptNames(root))

/** The local name of an import. */
const localName = (node: SyntaxNode): string => childBy(node, 'alias')?.text ?? textBy(node, 'name')

function scriptNames({ children }: SyntaxNode): Names {
  const imports = children.filter(({ kind }) => kind === 'import_statement')
  return imports.flatMap((node): Names => {
    const source = textBy(node, 'source').slice(1, -1)
    const [, module] = MODULES.find(([names]) => names.test(source)) ?? []
    const clause = childOfKind(node, 'import_clause')
    if (module === undefined || clause === null) return []
    const whole = clause.children
      .filter(({ kind }) => kind === 'identifier')
      .map(({ text }) => [text, module] as const)
    const named = descendants(clause, 'import_specifier').map((one) => {
      const name = textBy(one, 'name')
      const isModule = name === 'strict' || name === 'default'
      return [localName(one), module === 'test' ? name : isModule ? module : `${module}.${name}`] as const
    })
    return [...whole, ...named]
  })
}

function pythonNames(root: SyntaxNode): Names {
  const aliased = descendants(root, 'aliased_import')
    .filter((node) => ALIASED.test(textBy(node, 'name')))
    .map((node) => [localName(node), textBy(node, 'name')] as const)
  const members = descendants(root, 'import_from_statement').flatMap((node): Names => {
    const module = textBy(node, 'module_name')
    if (!ALIASED.test(module)) return []
    return childrenBy(node, 'name').map((one) => {
      const name = textBy(one, 'name') || one.text
      return [
        childBy(one, 'alias')?.text ?? one.text,
        WHOLE.test(module) ? `${module}.${name}` : name,
      ] as const
    })
  })
  return [...aliased, ...members]
}
