/** Reads the exports of a TypeScript or JavaScript module. Types are compared as text and not inferred. */
import {
  childBy,
  childOfKind,
  namedChildren,
  textOf,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { brokenParts, declarationsIn } from './doubts.ts'
import { symbolOf, type PassedOn, type PublicSymbol, type TreeApi } from './public-symbol.ts'
import { declaredBy, type Declared, type Shown } from './typescript-declarations.ts'
import { callableOf, functionSymbol, isFunctionValue, nameIn } from './typescript-types.ts'

interface Known extends Declared {
  readonly isExported: boolean
  readonly unparsed: readonly string[]
}

interface Reading {
  readonly tree: SyntaxTree
  readonly prefix: string
  /** By local name; a name may be declared several times: overloads, a type and a value. */
  readonly declared: Map<string, Known[]>
  readonly imported: Map<string, { readonly from: string; readonly original: string }>
  /** Local names and their exported names. */
  readonly listed: { readonly local: string; readonly name: string; readonly line: number }[]
  readonly passedOn: PassedOn[]
  readonly own: PublicSymbol[]
  readonly unparsed: string[]
}

export const readTypeScript = (tree: SyntaxTree): TreeApi =>
  readModule({ tree, body: tree.root, prefix: '', shown: 'exported' })

interface ModuleBody {
  readonly tree: SyntaxTree
  readonly body: SyntaxNode
  readonly prefix: string
  readonly shown: Shown
}

function readModule({ tree, body, prefix, shown }: ModuleBody): TreeApi {
  const reading: Reading = {
    tree,
    prefix,
    declared: new Map(),
    imported: new Map(),
    listed: [],
    passedOn: [],
    own: [],
    unparsed: [],
  }
  for (const node of declarationsIn(tree, body, reading.unparsed)) statement(reading, node)
  const known = [...reading.declared.values()].flat()
  const exported = known.filter((one) => shown === 'all' || one.isExported)
  const symbols = [...exported.flatMap((one) => one.symbols), ...reading.own]
  const unparsed = [...reading.unparsed, ...exported.flatMap((one) => one.unparsed)]
  for (const { local, name, line } of reading.listed) {
    const passed = reading.imported.get(local)
    const found = reading.declared.get(local) ?? []
    if (passed !== undefined) reading.passedOn.push({ name, ...passed, line })
    else if (found.length === 0) symbols.push(symbolOf({ name: `${prefix}${name}`, kind: 'value', line }))
    for (const { symbols: all, unparsed: own } of found) {
      symbols.push(...all.map((symbol) => renamed(symbol, local, name, prefix)))
      unparsed.push(...own)
    }
  }
  return { symbols, passedOn: reading.passedOn, unparsed }
}

function renamed(symbol: PublicSymbol, local: string, name: string, prefix: string): PublicSymbol {
  const [from, to] = [`${prefix}${local}`, `${prefix}${name}`]
  if (from === to) return symbol
  const rest = symbol.name.slice(from.length)
  return symbolOf({
    ...symbol,
    name: `${to}${rest}`,
    signature: symbol.signature.replace(
      new RegExp(`(?<![\\w$])${from.replace(/[$.]/g, '\\$&')}(?![\\w$])`),
      () => to,
    ),
  })
}

function statement(reading: Reading, node: SyntaxNode): void {
  switch (node.kind) {
    case 'import_statement':
      importStatement(reading, node)
      break
    case 'export_statement':
      exportStatement(reading, node)
      break
    case 'expression_statement':
      commonJs(reading, node)
      declare(reading, node, 'local')
      break
    default:
      declare(reading, node, 'local')
  }
}

function declare(reading: Reading, node: SyntaxNode, where: 'local' | 'exported' | 'default'): void {
  const { tree, prefix } = reading
  const unparsed = brokenParts(tree, node)
  const all = declaredBy(tree, node, {
    prefix,
    ...(where === 'default' ? { as: 'default' } : {}),
    within: (body, name, shown) => {
      const inner = readModule({ tree, body, prefix: name, shown })
      unparsed.push(...inner.unparsed)
      return inner.symbols
    },
  })
  if (all.length === 0) reading.unparsed.push(...unparsed)
  for (const one of all) {
    const before = reading.declared.get(one.name) ?? []
    // Only the overloads of a function are callable.
    const isOverloaded = before.some(({ symbols }) => symbols[0]?.kind === 'function')
    if (one.isImplementation === true && isOverloaded) continue
    reading.declared.set(one.name, [...before, { ...one, isExported: where !== 'local', unparsed }])
  }
}

function exportStatement(reading: Reading, node: SyntaxNode): void {
  const { tree } = reading
  const [declaration, value] = [childBy(node, 'declaration'), childBy(node, 'value')]
  const list = childOfKind(node, 'export_clause')
  const source = childBy(node, 'source')
  const from = source === null ? null : nameIn(tree, source)
  const isDefault = childOfKind(node, 'default') !== null
  if (declaration !== null) declare(reading, declaration, isDefault ? 'default' : 'exported')
  else if (value !== null) assigned(reading, value, 'default')
  else if (list !== null) exportList(reading, list, from)
  else if (childOfKind(node, '=') !== null) {
    const given = namedChildren(node).at(-1)
    if (given !== undefined) assigned(reading, given, 'export=')
  } else if (from !== null) {
    const [name] = namedChildren(childOfKind(node, 'namespace_export'))
    const shown = name === undefined ? '*' : nameIn(tree, name)
    reading.passedOn.push({ name: shown, from, original: '*', line: node.line })
  }
}

function exportList({ tree, listed, passedOn }: Reading, list: SyntaxNode, from: string | null): void {
  for (const node of namedChildren(list)) {
    const local = childBy(node, 'name')
    if (local === null) continue
    const { line } = local
    const name = nameIn(tree, childBy(node, 'alias') ?? local)
    if (from === null) listed.push({ local: textOf(tree, local), name, line })
    else passedOn.push({ name, from, original: nameIn(tree, local), line })
  }
}

/** An exported value: a local name, a function, a class, or another expression. */
function assigned(reading: Reading, node: SyntaxNode, name: string): void {
  const { tree, prefix } = reading
  const { line } = node
  if (node.kind === 'identifier') reading.listed.push({ local: textOf(tree, node), name, line })
  else if (isFunctionValue(node) || node.kind === 'class') {
    reading.unparsed.push(...brokenParts(tree, node))
    const declared = declaredBy(tree, node, { prefix, as: name, within: () => [] })
    reading.own.push(...declared.flatMap(({ symbols }) => symbols))
  } else reading.own.push(symbolOf({ name: `${prefix}${name}`, kind: 'value', line }))
}

function importStatement({ tree, imported }: Reading, node: SyntaxNode): void {
  const source = childBy(node, 'source')
  const clause = childOfKind(node, 'import_clause')
  if (source === null || clause === null) return
  const from = nameIn(tree, source)
  for (const part of namedChildren(clause)) {
    if (part.kind === 'identifier') imported.set(textOf(tree, part), { from, original: 'default' })
    const [inner] = namedChildren(part)
    if (part.kind === 'namespace_import' && inner !== undefined)
      imported.set(textOf(tree, inner), { from, original: '*' })
    if (part.kind !== 'named_imports') continue
    for (const specifier of namedChildren(part)) {
      const name = childBy(specifier, 'name')
      if (name === null) continue
      const local = childBy(specifier, 'alias') ?? name
      imported.set(textOf(tree, local), { from, original: nameIn(tree, name) })
    }
  }
}

const COMMON = /^(?:module\s*\.\s*)?exports(?:\s*\.\s*([\w$]+))?$/

/** `module.exports = …`, `module.exports.a = …`, `exports.a = …`. */
function commonJs(reading: Reading, node: SyntaxNode): void {
  const assignment = childOfKind(node, 'assignment_expression')
  const [left, right] = [childBy(assignment, 'left'), childBy(assignment, 'right')]
  const target = left === null ? null : COMMON.exec(textOf(reading.tree, left))
  if (target === null || right === null) return
  const [, name] = target
  if (name !== undefined || right.kind !== 'object') return assigned(reading, right, name ?? 'default')
  for (const property of namedChildren(right)) commonProperty(reading, property)
}

function commonProperty(reading: Reading, property: SyntaxNode): void {
  const { tree, prefix } = reading
  const { line } = property
  const [key, value] = [childBy(property, 'key'), childBy(property, 'value')]
  if (property.kind === 'shorthand_property_identifier') {
    const name = textOf(tree, property)
    reading.listed.push({ local: name, name, line })
  } else if (property.kind === 'method_definition') {
    const [named, callable] = [childBy(property, 'name'), callableOf(tree, property)]
    if (named === null || callable === null) return
    const name = `${prefix}${nameIn(tree, named)}`
    reading.own.push(functionSymbol({ name, line, callable, modifiers: [] }))
  } else if (key !== null && value !== null && key.kind !== 'computed_property_name') {
    assigned(reading, value, nameIn(tree, key))
  }
}
