/** Reads the public names of Go and Rust files. */
import {
  childBy,
  childOfKind,
  childrenBy,
  descendants,
  namedChildren,
  textBy,
  type SyntaxNode,
} from '../../languages/syntax.ts'
import { declarationsIn, declared, lineOf } from './declarations.ts'
import { NO_API, symbolOf, type PublicSymbol, type TreeApi } from './compare.ts'

/** Reads the exported names of a Go file. */
export function readGo(root: SyntaxNode): TreeApi {
  const [name] = namedChildren(childOfKind(root, 'package_clause'))
  // Package main cannot be imported.
  if (name === undefined || name.text === 'main') return NO_API
  return {
    symbols: declarationsIn(root).flatMap((node) => symbolsOf(node, '')),
    passedOn: [],
  }
}

const GROUPS: ReadonlySet<string> = new Set(
  'type_declaration const_declaration var_declaration var_spec_list'.split(' '),
)
const isExported = (name: string): boolean => /^\p{Lu}/u.test(name)

function symbolsOf(node: SyntaxNode, owner: string): readonly PublicSymbol[] {
  if (GROUPS.has(node.kind)) return namedChildren(node).flatMap((inner) => symbolsOf(inner, owner))
  const typed = childBy(node, 'type')
  const names = childrenBy(node, 'name').flatMap((name) => (name.isNamed ? [name.text] : []))
  const receiver = childBy(node, 'receiver')
  if (receiver !== null) {
    const [type] = descendants(receiver, 'type_identifier')
    const [own, of] = [names[0] ?? '', type?.text ?? '']
    if (!isExported(own) || !isExported(of)) return []
    const words = descendants(receiver, 'pointer_type').length > 0 ? 'on a pointer' : ''
    return [declared(node, { name: `${of}.${own}`, words })]
  }
  if (node.kind === 'type_elem') {
    const text = lineOf(node)
    return [symbolOf({ name: `${owner}${text}`, line: node.line, signature: text })]
  }
  // An embedded field is named after its type.
  const embedded = node.kind === 'field_declaration' && names.length === 0 && typed !== null
  const own = embedded ? [/(\w+)(?:\[.*)?$/.exec(lineOf(typed))?.[1] ?? ''] : names
  return own.filter(isExported).flatMap((each) => {
    const name = `${owner}${each}`
    const symbol = declared(node, { name })
    if (typed?.kind !== 'struct_type' && typed?.kind !== 'interface_type') return [symbol]
    const members = namedChildren(childOfKind(typed, 'field_declaration_list') ?? typed)
    const type = typed.kind.replace('_type', '')
    const signature = `type ${each} ${type}`
    return [{ ...symbol, type, signature }, ...members.flatMap((member) => symbolsOf(member, `${name}.`))]
  })
}

interface Items {
  /** What names begin with: a module and `::`, or a type and a dot. */
  readonly prefix: string
  /** All members of a trait and all variants are public. */
  readonly shown: 'pub' | 'all'
}

/** Reads the public interface of a Rust file: items with a bare `pub`, their public members and trait implementations. */
export const readRust = (root: SyntaxNode): TreeApi => ({
  symbols: itemsIn({ prefix: '', shown: 'pub' }, root),
  passedOn: [],
})

const HIDDEN = /^(?:cfg\(test\)|test|doc\(hidden\))$/

function itemsIn(items: Items, body: SyntaxNode | null): readonly PublicSymbol[] {
  let attributes: string[] = []
  return declarationsIn(body).flatMap((node) => {
    if (node.kind === 'attribute_item') {
      attributes.push(...namedChildren(node).map((one) => lineOf(one)))
      return []
    }
    const own = attributes
    attributes = []
    return own.some((text) => HIDDEN.test(text)) ? [] : itemSymbols(items, node, own)
  })
}

/** Kinds with a name, and what of their body is public; null without members. */
const NAMED: Readonly<Record<string, Items['shown'] | null>> = {
  mod_item: 'pub',
  struct_item: 'pub',
  union_item: 'pub',
  enum_item: 'all',
  trait_item: 'all',
  function_item: null,
  function_signature_item: null,
  type_item: null,
  associated_type: null,
  const_item: null,
  static_item: null,
  field_declaration: null,
}

function itemSymbols(items: Items, node: SyntaxNode, attributes: readonly string[]): readonly PublicSymbol[] {
  const { prefix, shown } = items
  const { kind, line } = node
  const body = childBy(node, 'body')
  const isPublic = shown === 'all' || childOfKind(node, 'visibility_modifier')?.text === 'pub'
  const name = `${prefix}${textBy(node, 'name')}`
  if (kind === 'impl_item') return implemented(items, node)
  if (kind === 'foreign_mod_item') return itemsIn(items, body)
  if (kind === 'macro_definition')
    return attributes.includes('macro_export') ? [symbolOf({ name: `${name}!`, line })] : []
  if (kind === 'enum_variant') return [declared(node, { name, type: body })]
  if (!isPublic) return []
  const used = kind === 'use_declaration' ? childBy(node, 'argument') : null
  if (used !== null) return usedSymbols(items, used, '')
  const members = NAMED[kind]
  if (members === undefined) return []
  const inner = { ...items, prefix: `${name}${kind === 'mod_item' ? '::' : '.'}` }
  return [
    declared(node, { name }),
    ...(members === null ? [] : itemsIn({ ...inner, shown: members }, body)),
    ...(members === 'pub' ? tupleFields(name, body) : []),
  ]
}

/** The fields of `struct A(pub u8)`: types, each after its visibility. */
function tupleFields(owner: string, body: SyntaxNode | null): readonly PublicSymbol[] {
  const parts = namedChildren(body).filter(({ kind }) => kind !== 'attribute_item')
  return parts
    .flatMap((type, at) => (type.field === 'type' ? [{ type, before: parts[at - 1] }] : []))
    .flatMap(({ type, before }, place) => {
      const isShown = before?.kind === 'visibility_modifier' && before.text === 'pub'
      const text = lineOf(type)
      return isShown
        ? [symbolOf({ name: `${owner}.${place}`, line: type.line, type: text, signature: text })]
        : []
    })
}

/** The members of `impl A { … }`; of `impl T for A { … }` only that it is there. */
function implemented(items: Items, node: SyntaxNode): readonly PublicSymbol[] {
  const { prefix } = items
  const [trait, typed] = [childBy(node, 'trait'), childBy(node, 'type')]
  if (typed === null) return []
  const name = `${prefix}${typeName(typed)}`
  if (trait === null) return itemsIn({ ...items, prefix: `${name}.`, shown: 'pub' }, childBy(node, 'body'))
  const done = `impl ${childOfKind(node, '!') === null ? '' : '!'}${lineOf(trait)}`
  return [symbolOf({ name: `${name}.${done}`, line: node.line, signature: `${done} for ${name}` })]
}

/** `crate::x::List<T>` is List, `&mut A` is A. */
function typeName(typed: SyntaxNode): string {
  if (typed.kind === 'type_identifier' || typed.children.length === 0) return typed.text
  const inner = childBy(typed, 'name') ?? childBy(typed, 'type') ?? childBy(typed, 'trait')
  if (inner !== null) return typeName(inner)
  const [first] = descendants(typed, 'type_identifier', 'primitive_type')
  return first === undefined ? lineOf(typed) : first.text
}

/** `a::{b, c as d, e::*}` brings b, d and all of e. */
function usedSymbols(items: Items, node: SyntaxNode, path: string): readonly PublicSymbol[] {
  const { prefix } = items
  const list = node.kind === 'use_list' ? node : childBy(node, 'list')
  if (list !== null) {
    const before = childBy(node, 'path')
    const inner = `${path}${before === null || node === list ? '' : `${lineOf(before)}::`}`
    return namedChildren(list).flatMap((one) => usedSymbols(items, one, inner))
  }
  const named = node.kind === 'use_as_clause' ? childBy(node, 'path') : node
  const whole = `${path}${lineOf(named)}`
  const alias = childBy(node, 'alias')
  const last = alias === null ? whole.split('::').at(-1) : alias.text
  const own = last === '*' ? whole : last === 'self' ? whole.split('::').at(-2) : last
  if (own === undefined || own === '' || own === '_') return []
  return [symbolOf({ name: `${prefix}${own}`, line: node.line, signature: `use ${whole}` })]
}
