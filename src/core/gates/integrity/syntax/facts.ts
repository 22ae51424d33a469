/** Reads facts from a syntax tree: calls and other uses of names, assignments, decorators, strings. */
import { childBy, type SyntaxNode, type SyntaxTree } from '../../../languages/syntax.ts'
import { importNames } from './import-names.ts'
import type { NodeKinds } from './node-kinds.ts'

/** A node with its ancestors. */
export interface Place {
  readonly node: SyntaxNode
  readonly parent: Place | null
}

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
  readonly place: Place
  /** Its lines, without the body of a function passed to a call. */
  readonly head: Lines
}

export interface Lines {
  readonly from: number
  readonly to: number
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
    const ends = lineEnds(this.tree.text, lines)
    const found = this.#read(({ start, end }) => {
      const first = ends[firstAtLeast(ends, start)]
      return first !== undefined && first.start <= end
    })
    return found.length < MOST_FACTS ? found : null
  }

  source(node: SyntaxNode): string {
    return this.tree.text.slice(node.start, node.end)
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
      const property = childBy(node, member[1])
      const name = property === null ? '?' : this.source(property)
      return object === null ? name : `${below(object)}.${name}`
    }
    const index = indexes[node.kind]
    if (index !== undefined) {
      const inside = this.#indexOf(node, index[1])
      const value = inside === null ? null : this.valueOf(inside)
      return `${below(childBy(node, index[0]))}${value?.is === 'text' ? `.${value.text}` : '[]'}`
    }
    if (node.kind === 'identifier') return this.#imported.get(this.source(node)) ?? this.source(node)
    return IDENTIFIERS.test(node.kind) || node.children.length === 0 ? this.source(node) : '?'
  }

  valueOf(wrapped: SyntaxNode): Value {
    const { texts, functions, calls, members, indexes } = this.kinds
    const node = this.#unwrapped(wrapped)
    const text = this.source(node)
    if (texts.has(node.kind)) return { node, is: 'text', text: contentOf(text) }
    if (functions.has(node.kind)) return { node, is: 'function', text }
    if (
      /^(number|integer|float|int_literal|float_literal|integer_literal)$/.test(node.kind) ||
      /^\d+$/.test(text)
    )
      return { node, is: 'number', text }
    if (/^(true|false|null|nil|None|True|False|undefined|!0|!1)$/.test(text))
      return { node, is: 'constant', text }
    const isName = IDENTIFIERS.test(node.kind) || node.kind in members || node.kind in indexes
    if (isName && !(node.kind in calls)) return { node, is: 'name', text: this.nameOf(node) }
    return { node, is: 'other', text }
  }

  linesOf({ start, end }: Pick<SyntaxNode, 'start' | 'end'>, from: number): Lines {
    return { from, to: from + newlinesIn(this.tree.text, start, end) }
  }

  #read(isRead: (node: SyntaxNode) => boolean): readonly Fact[] {
    const facts: Fact[] = []
    const open: { readonly place: Place; readonly isNamed: boolean }[] = [
      { place: { node: this.tree.root, parent: null }, isNamed: false },
    ]
    for (let next = open.pop(); next !== undefined && facts.length < MOST_FACTS; next = open.pop()) {
      const { place, isNamed } = next
      const found = this.#factOf(place, isNamed)
      if (found !== null) facts.push(found)
      const children = this.#below(place, isNamed)
      for (let at = children.length - 1; at >= 0; at--) {
        const child = children[at]
        if (child !== undefined && isRead(child.node))
          open.push({ place: { node: child.node, parent: place }, isNamed: child.isNamed })
      }
    }
    return facts
  }

  /** What is read of a node; `isNamed` where its name is part of a longer one that was read already. */
  #factOf(place: Place, isNamed: boolean): Fact | null {
    const { node, parent } = place
    const { texts, calls, members, indexes, assignments, entries, decorators, imports, definitions } =
      this.kinds
    if (!node.isNamed) return null
    if (texts.has(node.kind)) return this.#fact('text', contentOf(this.source(node)), place, {})
    if (decorators.has(node.kind)) return this.#decorator(place)
    if (imports.has(node.kind)) return this.#import(place)
    if (definitions.has(node.kind)) {
      const name = childBy(node, 'name')
      return name === null
        ? null
        : this.#fact('definition', this.source(name).replaceAll('::', '.'), place, {
            head: this.linesOf(name, name.line),
          })
    }
    if (node.kind in calls && this.#isCalled(node)) return this.#call(place)
    if (node.kind === 'assert_statement') {
      const args = node.children.filter((child) => child.isNamed).map((child) => this.valueOf(child))
      return this.#fact('use', 'assert', place, { args })
    }
    const pair = assignments[node.kind] ?? entries[node.kind]
    if (pair !== undefined) {
      const [key, value] = [childBy(node, pair[0]), childBy(node, pair[1])]
      if (key === null) return null
      const kind = node.kind in assignments ? 'assignment' : 'entry'
      const { is, text } = this.valueOf(key)
      const name = is === 'text' ? text : this.nameOf(key).replace(/:$/, '')
      return this.#fact(kind, name, place, { value: value === null ? null : this.valueOf(value) })
    }
    if (parent?.node.kind === 'token_tree' && IDENTIFIERS.test(node.kind))
      return this.#token(place, parent.node)
    if (isNamed) return null
    if (node.kind in members || node.kind in indexes || node.kind in calls) {
      return this.#fact('use', withoutGlobal(this.nameOf(node)), place, {})
    }
    const isDeclared =
      parent !== null &&
      (PARAMETERS.test(parent.node.kind) || (node.field === 'name' && definitions.has(parent.node.kind)))
    return IDENTIFIERS.test(node.kind) && !isDeclared ? this.#fact('use', this.nameOf(node), place, {}) : null
  }

  #call(place: Place): Fact {
    const { node } = place
    const name = withoutGlobal(this.nameOf(node).replace(/\(\)$/, ''))
    return this.#fact('use', name, place, { args: this.argsOf(node) })
  }

  argsOf(node: SyntaxNode): readonly Value[] {
    const field = this.kinds.calls[node.kind]?.[1] ?? ''
    const own = node.children.filter((child) => child.field === field && field !== '')
    if (node.kind === 'command') return own.map((child) => this.valueOf(child))
    const [list] = own
    if (list === undefined) {
      const tokens = node.children.find(({ kind }) => kind === 'token_tree')
      return tokens === undefined ? [] : this.#tokenArgs(tokens)
    }
    if (this.kinds.texts.has(list.kind)) return [this.valueOf(list)]
    return list.children
      .filter((child) => child.isNamed && !this.kinds.comments.has(child.kind))
      .map((child) => this.valueOf(child))
  }

  /** The arguments of a Rust macro or attribute, which are tokens, not a tree. */
  #tokenArgs(tokens: SyntaxNode): readonly Value[] {
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
  #token(place: Place, { children }: SyntaxNode): Fact | null {
    let at = children.indexOf(place.node)
    const next = children[at + 1]?.kind
    if (next === '::' || next === '.') return null
    const args = children[next === '!' ? at + 2 : at + 1]
    const path = [this.source(place.node)]
    for (; /^(::|\.)$/.test(children[at - 1]?.kind ?? ''); at -= 2) {
      const before = children[at - 2]
      path.unshift(before === undefined ? '?' : this.source(before))
    }
    const isCall = args?.kind === 'token_tree'
    return this.#fact('use', path.join('.'), place, { args: isCall ? this.#tokenArgs(args) : null })
  }

  #decorator(place: Place): Fact | null {
    const { node } = place
    const attribute = node.children.find(({ kind }) => kind === 'attribute')
    if (attribute !== undefined) {
      const [path] = attribute.children
      const tokens = attribute.children.find(({ kind }) => kind === 'token_tree')
      const args = tokens === undefined ? null : this.#tokenArgs(tokens)
      return path === undefined ? null : this.#fact('decorator', this.nameOf(path), place, { args })
    }
    const inner = node.children.find((child) => child.isNamed)
    if (inner === undefined) return null
    const name = this.nameOf(inner).replace(/\(\)$/, '')
    const args = inner.kind in this.kinds.calls ? this.argsOf(inner) : null
    return this.#fact('decorator', name, place, { args })
  }

  #import(place: Place): Fact | null {
    const { node } = place
    const field = ['source', 'module_name', 'path', 'argument', 'name'].find(
      (one) => childBy(node, one) !== null,
    )
    if (field === undefined) return null
    const modules = node.children.filter((child) => child.field === field)
    const name = modules.map((module) => contentOf(this.source(module))).join(',')
    return this.#fact('import', name, place, { head: this.linesOf(node, node.line) })
  }

  #fact(
    kind: FactKind,
    name: string,
    place: Place,
    { args = null, value = null, head }: Partial<Pick<Fact, 'args' | 'value' | 'head'>>,
  ): Fact {
    return { kind, name, place, args, value, head: head ?? this.#headOf(place.node) }
  }

  /** The range of a node up to the body of a function. */
  #headOf(node: SyntaxNode): Lines {
    const body = this.#firstFunction(node)
    return this.linesOf({ start: node.start, end: body?.start ?? node.end }, node.line)
  }

  #firstFunction(node: SyntaxNode): SyntaxNode | null {
    const open = [...node.children].reverse()
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.kinds.functions.has(next.kind)) return childBy(next, 'body') ?? next
      if (/^(do_block|block|subshell|compound_statement|statement_block)$/.test(next.kind)) return next
      open.push(...[...next.children].reverse())
    }
    return null
  }

  /** The children to visit; of a string, only embedded code. */
  #below(
    { node }: Place,
    isNamed: boolean,
  ): readonly { readonly node: SyntaxNode; readonly isNamed: boolean }[] {
    const { comments, texts, holes, calls, members, indexes, assignments, entries, wrappers } = this.kinds
    if (comments.has(node.kind)) return []
    if (texts.has(node.kind)) {
      return node.children
        .filter(({ kind }) => holes.has(kind))
        .map((child) => ({ node: child, isNamed: false }))
    }
    const pair = calls[node.kind] ?? members[node.kind] ?? indexes[node.kind]
    const keyed = assignments[node.kind] ?? entries[node.kind]
    return node.children.map((child) => {
      const isPart = pair !== undefined && (child.field === pair[0] || child.field === 'receiver')
      const isProperty = child.field !== null && child.field === members[node.kind]?.[1]
      const isKey = keyed !== undefined && child.field === keyed[0]
      const isWrapped = wrappers.has(node.kind) && isNamed
      return { node: child, isNamed: isPart || isProperty || isKey || isWrapped }
    })
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
    return (
      node.kind !== 'call' ||
      childBy(node, 'method') === null ||
      childBy(node, 'arguments') !== null ||
      childBy(node, 'block') !== null
    )
  }
}

const withoutGlobal = (name: string): string =>
  name.replace(/^(globalThis|global|window|self)\.(?=(process|Deno|it|test|describe|suite)\.)/, '')

/** The contents of a string. */
export function contentOf(source: string): string {
  const quoted = /^(?:[a-zA-Z]{0,3}#*|@|:)("""|'''|["'`/])([\s\S]*?)\1#*[a-z]*$/.exec(source)
  return quoted?.[2] ?? source
}

/** The ranges of these lines in the text, in order. */
function lineEnds(text: string, lines: ReadonlySet<number>): readonly { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  let [line, start] = [1, 0]
  for (let end = text.indexOf('\n'); start <= text.length; end = text.indexOf('\n', start)) {
    const stop = end === -1 ? text.length : end
    if (lines.has(line)) found.push({ start, end: stop })
    start = stop + 1
    line += 1
  }
  return found
}

/** The first range that ends at or after this position. */
function firstAtLeast(ends: readonly { readonly end: number }[], place: number): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle]?.end ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

function newlinesIn(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
