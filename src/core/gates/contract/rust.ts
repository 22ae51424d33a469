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
import { brokenParts, declarationsIn } from './doubts.ts'
import { childLines, fieldLine, nodeLine } from './one-line.ts'
import { genericText, symbolOf, withType } from './public-symbol.ts'
import type { Parameter, PublicSymbol, TreeApi } from './public-symbol.ts'

interface Items {
  readonly tree: SyntaxTree
  /** What names begin with: a module and `::`, or a type and a dot. */
  readonly prefix: string
  /** All members of a trait are public. */
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
  if (body === null) return []
  const { tree, unparsed } = items
  let attributes: string[] = []
  return declarationsIn(tree, body, unparsed).flatMap((node) => {
    if (node.kind === 'attribute_item') {
      attributes.push(...namedChildren(node).map((one) => nodeLine(tree, one)))
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
  if (node.kind === 'impl_item') return implSymbols(items, node)
  if (node.kind === 'macro_definition') {
    const isShown = attributes.includes('macro_export')
    return isShown ? [symbolOf({ name: `${nameIn(items.tree, node)}!`, kind: 'macro', line: node.line })] : []
  }
  if (node.kind === 'foreign_mod_item') return itemsIn(items, childBy(node, 'body'))
  if (items.shown === 'pub' && !isPublic(items.tree, node)) return []
  const { tree, prefix } = items
  const name = `${prefix}${nameIn(tree, node)}`
  switch (node.kind) {
    case 'function_item':
    case 'function_signature_item':
      return [functionSymbol(items, node, name)]
    case 'struct_item':
    case 'union_item':
      return [typeSymbol(tree, node, name), ...fieldsOf(tree, node, name)]
    case 'enum_item':
      return [typeSymbol(tree, node, name), ...variantsOf(tree, node, name)]
    case 'trait_item':
      return traitSymbols(items, node, name)
    case 'mod_item': {
      const symbol = symbolOf({ name, kind: 'module', line: node.line, signature: `mod ${name}` })
      return [symbol, ...itemsIn({ ...items, prefix: `${name}::` }, childBy(node, 'body'))]
    }
    case 'use_declaration': {
      const used = childBy(node, 'argument')
      return used === null ? [] : usedSymbols(items, used, '')
    }
    case 'type_item':
    case 'associated_type':
    case 'const_item':
    case 'static_item':
      return [valueSymbol(tree, node, name)]
    default:
      return []
  }
}

function isPublic(tree: SyntaxTree, node: SyntaxNode): boolean {
  const visibility = childOfKind(node, 'visibility_modifier')
  return visibility !== null && textOf(tree, visibility) === 'pub'
}

function nameIn(tree: SyntaxTree, node: SyntaxNode): string {
  const name = childBy(node, 'name')
  return name === null ? '' : textOf(tree, name)
}

function functionSymbol({ tree, prefix }: Items, node: SyntaxNode, name: string): PublicSymbol {
  const taken = namedChildren(childBy(node, 'parameters')).filter(({ kind }) => kind !== 'attribute_item')
  const isReceiver = (one: SyntaxNode): boolean =>
    one.kind === 'self_parameter' || childBy(one, 'pattern')?.kind === 'self'
  const self = taken.find(isReceiver)
  const receiver = self === undefined ? null : nodeLine(tree, self).replace(/^mut /, '')
  const parameters = taken.filter((one) => !isReceiver(one)).map((one) => parameterOf(tree, one))
  const type = fieldLine(tree, node, 'return_type')
  const generics = childLines(tree, node, 'type_parameters')
  const where = namedChildren(childOfKind(node, 'where_clause'))
  const bounds = where.map((one) => `where ${nodeLine(tree, one)}`)
  const words = wordsOf(tree, node)
  const shown = [
    ...(receiver === null ? [] : [receiver]),
    ...parameters.map((one) => (one.name === '' ? (one.type ?? '') : withType(one.name, one.type))),
  ]
  const call = `${[...words, 'fn'].join(' ')} ${name}${genericText(generics)}(${shown.join(', ')})`
  return symbolOf({
    name,
    kind: prefix.endsWith('.') ? 'member' : 'function',
    line: node.line,
    signature: withType(call, type, ' -> '),
    parameters,
    type,
    typeParameters: [...generics, ...bounds],
    modifiers: [...words, ...(receiver === null ? [] : [`on ${receiver}`])],
  })
}

function parameterOf(tree: SyntaxTree, node: SyntaxNode): Parameter {
  const [pattern, typed] = [childBy(node, 'pattern'), childBy(node, 'type')]
  const isName = pattern?.kind === 'identifier' || pattern?.kind === '_'
  const name = isName ? textOf(tree, pattern) : ''
  // Unnamed parameters and `...` have only a type.
  return { name, type: nodeLine(tree, typed ?? node), need: 'required' }
}

/** `async unsafe extern "C"`: what a function is called by is no part of these. */
function wordsOf(tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  const modifiers = childOfKind(node, 'function_modifiers')
  return (modifiers?.children ?? [])
    .map((one) => (one.kind === 'extern_modifier' ? 'extern' : textOf(tree, one)))
    .filter((word) => word !== 'default')
}

function typeSymbol(tree: SyntaxTree, node: SyntaxNode, name: string): PublicSymbol {
  const typeParameters = childLines(tree, node, 'type_parameters')
  const signature = `${node.kind.replace('_item', '')} ${name}${genericText(typeParameters)}`
  return symbolOf({ name, kind: 'type', line: node.line, signature, typeParameters })
}

function fieldsOf(tree: SyntaxTree, node: SyntaxNode, owner: string): readonly PublicSymbol[] {
  const body = childBy(node, 'body')
  const field = (own: string, typed: SyntaxNode, line: number): PublicSymbol => {
    const [name, type] = [`${owner}.${own}`, nodeLine(tree, typed)]
    return symbolOf({ name, kind: 'member', line, type, signature: `${name}: ${type}` })
  }
  if (body?.kind === 'field_declaration_list') {
    return namedChildren(body).flatMap((one) => {
      const typed = childBy(one, 'type')
      return typed === null || !isPublic(tree, one) ? [] : [field(nameIn(tree, one), typed, one.line)]
    })
  }
  // Fields of a tuple are types, each after its visibility.
  return namedChildren(body)
    .filter(({ kind }) => kind !== 'attribute_item')
    .flatMap((one, at, all) => (one.field === 'type' ? [{ one, before: all[at - 1] }] : []))
    .flatMap(({ one, before }, place) => {
      const isShown = before?.kind === 'visibility_modifier' && textOf(tree, before) === 'pub'
      return isShown ? [field(String(place), one, one.line)] : []
    })
}

function variantsOf(tree: SyntaxTree, node: SyntaxNode, owner: string): readonly PublicSymbol[] {
  return namedChildren(childBy(node, 'body')).flatMap((variant) => {
    if (variant.kind !== 'enum_variant') return []
    const type = fieldLine(tree, variant, 'body')
    const name = `${owner}.${nameIn(tree, variant)}`
    const value = fieldLine(tree, variant, 'value')
    const signature = `${name}${type ?? ''}`
    return [symbolOf({ name, kind: 'member', line: variant.line, type, value, signature })]
  })
}

function traitSymbols(items: Items, node: SyntaxNode, name: string): readonly PublicSymbol[] {
  const { tree } = items
  const bases = childLines(tree, node, 'bounds')
  const symbol = symbolOf({
    name,
    kind: 'type',
    line: node.line,
    signature: `trait ${name}${bases.length === 0 ? '' : `: ${bases.join(' + ')}`}`,
    bases,
    typeParameters: childLines(tree, node, 'type_parameters'),
    modifiers: childOfKind(node, 'unsafe') === null ? [] : ['unsafe'],
  })
  return [symbol, ...membersIn({ ...items, shown: 'all' }, node, name)]
}

function membersIn(items: Items, node: SyntaxNode, owner: string): readonly PublicSymbol[] {
  const all = itemsIn({ ...items, prefix: `${owner}.` }, childBy(node, 'body'))
  return all.map((symbol) => ({ ...symbol, kind: 'member' }))
}

/** `impl<T> Type<T> { … }` adds to the type; `impl Trait for Type` is what the type can do. */
function implSymbols(items: Items, node: SyntaxNode): readonly PublicSymbol[] {
  const { tree, prefix } = items
  const [trait, typed] = [childBy(node, 'trait'), childBy(node, 'type')]
  if (typed === null) return []
  const name = `${prefix}${typeName(tree, typed)}`
  if (trait === null) return membersIn(items, node, name)
  const negation = childOfKind(node, '!') === null ? '' : '!'
  const done = `impl ${negation}${nodeLine(tree, trait)}`
  return [
    symbolOf({ name: `${name}.${done}`, kind: 'member', line: node.line, signature: `${done} for ${name}` }),
  ]
}

/** `crate::x::List<T>` is List, `&mut A` is A. */
function typeName(tree: SyntaxTree, typed: SyntaxNode): string {
  if (typed.kind === 'type_identifier' || typed.children.length === 0) return textOf(tree, typed)
  const inner = childBy(typed, 'name') ?? childBy(typed, 'type') ?? childBy(typed, 'trait')
  if (inner !== null) return typeName(tree, inner)
  const [first] = descendants(typed, 'type_identifier', 'primitive_type')
  return first === undefined ? nodeLine(tree, typed) : textOf(tree, first)
}

/** `a::{b, c as d, e::*}` brings b, d and all of e. */
function usedSymbols(items: Items, node: SyntaxNode, path: string): readonly PublicSymbol[] {
  const { tree, prefix } = items
  const list = node.kind === 'use_list' ? node : childBy(node, 'list')
  if (list !== null) {
    const before = childBy(node, 'path')
    const inner = `${path}${before === null || node === list ? '' : `${nodeLine(tree, before)}::`}`
    return namedChildren(list).flatMap((one) => usedSymbols(items, one, inner))
  }
  const named = node.kind === 'use_as_clause' ? childBy(node, 'path') : node
  const whole = `${path}${named === null ? '' : nodeLine(tree, named)}`
  const alias = childBy(node, 'alias')
  const last = alias === null ? whole.split('::').at(-1) : textOf(tree, alias)
  const own = last === '*' ? whole : last === 'self' ? whole.split('::').at(-2) : last
  if (own === undefined || own === '' || own === '_') return []
  const signature = `use ${whole}`
  return [symbolOf({ name: `${prefix}${own}`, kind: 'module', line: node.line, signature })]
}

function valueSymbol(tree: SyntaxTree, node: SyntaxNode, name: string): PublicSymbol {
  const typed = childBy(node, 'type')
  // What a trait asks of a type of its own.
  const bounds = childBy(node, 'bounds')?.children.slice(1) ?? []
  const isType = node.kind === 'type_item' || node.kind === 'associated_type'
  const word = isType ? 'type' : node.kind.replace('_item', '')
  const parts = typed === null ? bounds : [typed]
  const type = parts.length === 0 ? null : nodeLine(tree, ...parts)
  return symbolOf({
    name,
    kind: isType ? 'type' : 'value',
    line: node.line,
    type,
    signature: withType(`${word} ${name}`, type, isType && typed !== null ? ' = ' : ': '),
    typeParameters: childLines(tree, node, 'type_parameters'),
  })
}
