/** Reads the public interface of a Rust file: items with a bare `pub`, their public members and trait implementations. */
import {
  childBy,
  childOfKind,
  descendants,
  namedChildren,
  textOf,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { brokenParts, declarationsIn, declared, lineOf } from './declarations.ts'
import { symbolOf, type PublicSymbol, type TreeApi } from './public-symbol.ts'

interface Items {
  readonly tree: SyntaxTree
  /** What names begin with: a module and `::`, or a type and a dot. */
  readonly prefix: string
  /** All members of a trait and all variants are public. */
  readonly shown: 'pub' | 'all'
  readonly unparsed: string[]
}

export function readRust(tree: SyntaxTree): TreeApi {
  const unparsed: string[] = []
  const symbols = itemsIn({ tree, prefix: '', shown: 'pub', unparsed }, tree.root)
  return { symbols, passedOn: [], unparsed }
}

const HIDDEN = /^(?:cfg\(test\)|test|doc\(hidden\))$/

function itemsIn(items: Items, body: SyntaxNode | null): readonly PublicSymbol[] {
  const { tree, unparsed } = items
  let attributes: string[] = []
  return declarationsIn(tree, body, unparsed).flatMap((node) => {
    if (node.kind === 'attribute_item') {
      attributes.push(...namedChildren(node).map((one) => lineOf(tree, one)))
      return []
    }
    const own = attributes
    attributes = []
    if (own.some((text) => HIDDEN.test(text))) return []
    const symbols = itemSymbols(items, node, own)
    if (symbols.length > 0 && node.kind !== 'mod_item') unparsed.push(...brokenParts(tree, node))
    return symbols
  })
}

function itemSymbols(items: Items, node: SyntaxNode, attributes: readonly string[]): readonly PublicSymbol[] {
  const { tree, prefix, shown } = items
  const { line } = node
  const body = childBy(node, 'body')
  const visibility = childOfKind(node, 'visibility_modifier')
  const isPublic = shown === 'all' || (visibility !== null && textOf(tree, visibility) === 'pub')
  const named = childBy(node, 'name')
  const name = `${prefix}${named === null ? '' : textOf(tree, named)}`
  const membersOf = (members: 'pub' | 'all'): readonly PublicSymbol[] =>
    itemsIn({ ...items, prefix: `${name}.`, shown: members }, body)
  switch (node.kind) {
    case 'impl_item':
      return implemented(items, node)
    case 'foreign_mod_item':
      return itemsIn(items, body)
    case 'macro_definition':
      return attributes.includes('macro_export') ? [symbolOf({ name: `${name}!`, line })] : []
    case 'mod_item':
      return isPublic
        ? [declared(tree, node, { name }), ...itemsIn({ ...items, prefix: `${name}::`, shown: 'pub' }, body)]
        : []
    case 'use_declaration': {
      const used = childBy(node, 'argument')
      return isPublic && used !== null ? usedSymbols(items, used, '') : []
    }
    case 'struct_item':
    case 'union_item':
      return isPublic
        ? [declared(tree, node, { name }), ...membersOf('pub'), ...tupleFields(tree, name, body)]
        : []
    case 'enum_item':
    case 'trait_item':
      return isPublic ? [declared(tree, node, { name }), ...membersOf('all')] : []
    case 'enum_variant':
      return [declared(tree, node, { name, type: body })]
    case 'function_item':
    case 'function_signature_item':
    case 'type_item':
    case 'associated_type':
    case 'const_item':
    case 'static_item':
    case 'field_declaration':
      return isPublic ? [declared(tree, node, { name })] : []
    default:
      return []
  }
}

/** The fields of `struct A(pub u8)`: types, each after its visibility. */
function tupleFields(tree: SyntaxTree, owner: string, body: SyntaxNode | null): readonly PublicSymbol[] {
  const parts = namedChildren(body).filter(({ kind }) => kind !== 'attribute_item')
  return parts
    .flatMap((type, at) => (type.field === 'type' ? [{ type, before: parts[at - 1] }] : []))
    .flatMap(({ type, before }, place) => {
      const isShown = before?.kind === 'visibility_modifier' && textOf(tree, before) === 'pub'
      const text = lineOf(tree, type)
      return isShown
        ? [symbolOf({ name: `${owner}.${place}`, line: type.line, type: text, signature: text })]
        : []
    })
}

/** The members of `impl A { … }`; of `impl T for A { … }` only that it is there. */
function implemented(items: Items, node: SyntaxNode): readonly PublicSymbol[] {
  const { tree, prefix } = items
  const [trait, typed] = [childBy(node, 'trait'), childBy(node, 'type')]
  if (typed === null) return []
  const name = `${prefix}${typeName(tree, typed)}`
  if (trait === null) return itemsIn({ ...items, prefix: `${name}.`, shown: 'pub' }, childBy(node, 'body'))
  const done = `impl ${childOfKind(node, '!') === null ? '' : '!'}${lineOf(tree, trait)}`
  return [symbolOf({ name: `${name}.${done}`, line: node.line, signature: `${done} for ${name}` })]
}

/** `crate::x::List<T>` is List, `&mut A` is A. */
function typeName(tree: SyntaxTree, typed: SyntaxNode): string {
  if (typed.kind === 'type_identifier' || typed.children.length === 0) return textOf(tree, typed)
  const inner = childBy(typed, 'name') ?? childBy(typed, 'type') ?? childBy(typed, 'trait')
  if (inner !== null) return typeName(tree, inner)
  const [first] = descendants(typed, 'type_identifier', 'primitive_type')
  return first === undefined ? lineOf(tree, typed) : textOf(tree, first)
}

/** `a::{b, c as d, e::*}` brings b, d and all of e. */
function usedSymbols(items: Items, node: SyntaxNode, path: string): readonly PublicSymbol[] {
  const { tree, prefix } = items
  const list = node.kind === 'use_list' ? node : childBy(node, 'list')
  if (list !== null) {
    const before = childBy(node, 'path')
    const inner = `${path}${before === null || node === list ? '' : `${lineOf(tree, before)}::`}`
    return namedChildren(list).flatMap((one) => usedSymbols(items, one, inner))
  }
  const named = node.kind === 'use_as_clause' ? childBy(node, 'path') : node
  const whole = `${path}${named === null ? '' : lineOf(tree, named)}`
  const alias = childBy(node, 'alias')
  const last = alias === null ? whole.split('::').at(-1) : textOf(tree, alias)
  const own = last === '*' ? whole : last === 'self' ? whole.split('::').at(-2) : last
  if (own === undefined || own === '' || own === '_') return []
  return [symbolOf({ name: `${prefix}${own}`, line: node.line, signature: `use ${whole}` })]
}
