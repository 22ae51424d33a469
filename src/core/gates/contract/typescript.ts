/** Reads the exports of a TypeScript or JavaScript module. Types are compared as text and not inferred. */
import { childBy, childOfKind, namedChildren, textBy, walk, type SyntaxNode } from '../../languages/syntax.ts'
import { declarationsIn, declared } from './declarations.ts'
import { symbolOf, type PassedOn, type PublicSymbol, type TreeApi, type FileApi } from './compare.ts'
import { jsFile } from '../../languages/import-graph.ts'
import { isScript } from '../../languages/languages.ts'
import { folderOf, inFolder, normalPath, resolvePath } from '../../languages/paths.ts'
import { jsonObject, type Mapping } from '../documents.ts'

interface Local {
  readonly kind: string
  readonly symbols: readonly PublicSymbol[]
}

interface Module {
  /** By local name; a name may be declared several times: overloads, a type and a value. */
  readonly locals: Map<string, Local[]>
  readonly imported: Map<string, Pick<PassedOn, 'from' | 'original'>>
  /** Local names and their exported names. */
  readonly exported: { readonly local: string; readonly name: string; readonly line: number }[]
  readonly passedOn: PassedOn[]
}

export const readTypeScript = (root: SyntaxNode): TreeApi => readModule(root, 'exported')

function readModule(body: SyntaxNode, shown: 'exported' | 'all'): TreeApi {
  const module: Module = { locals: new Map(), imported: new Map(), exported: [], passedOn: [] }
  for (const node of declarationsIn(body)) statement(module, node, shown === 'all')
  const symbols: PublicSymbol[] = []
  for (const { local, name, line } of module.exported) {
    const passed = module.imported.get(local)
    const found = module.locals.get(local) ?? []
    if (passed !== undefined) module.passedOn.push({ name, ...passed, line })
    else if (found.length === 0) symbols.push(symbolOf({ name, line }))
    for (const symbol of found.flatMap((one) => one.symbols))
      symbols.push({ ...symbol, name: `${name}${symbol.name.slice(local.length)}` })
  }
  return { symbols, passedOn: module.passedOn }
}

function statement(module: Module, node: SyntaxNode, isExported: boolean): void {
  if (node.kind === 'import_statement') importStatement(module, node)
  else if (node.kind === 'export_statement') exportStatement(module, node)
  else if (!commonJs(module, node)) {
    for (const name of declare(module, node)) if (isExported) exportAs(module, node, name, name)
  }
}

function exportAs({ exported }: Module, { line }: SyntaxNode, local: string, name: string): void {
  if (!exported.some((one) => one.local === local && one.name === name)) exported.push({ local, name, line })
}

/** The local names that a statement declares. */
function declare(module: Module, node: SyntaxNode, unnamed = ''): readonly string[] {
  const { locals } = module
  if (/^(ambient_declaration|expression_statement|lexical_declaration|variable_declaration)$/.test(node.kind))
    return namedChildren(node).flatMap((inner) => declare(module, inner))
  const named = childBy(node, 'name')
  if (node.kind === 'variable_declarator' && named?.kind.endsWith('_pattern') === true) {
    const names = boundNames(named)
    for (const name of names)
      add(locals, name, { kind: node.kind, symbols: [symbolOf({ name, line: node.line })] })
    return names
  }
  const name = named?.text ?? unnamed
  const symbols = symbolsOf(node, name)
  if (symbols.length === 0 || name === '') return []
  // Only the overloads of a function are callable.
  const isOverloaded = locals.get(name)?.some(({ kind }) => kind === 'function_signature') === true
  if (!isOverloaded || node.kind === 'function_signature') add(locals, name, { kind: node.kind, symbols })
  return [name]
}

const add = (locals: Map<string, Local[]>, name: string, local: Local): unknown =>
  locals.set(name, [...(locals.get(name) ?? []), local])

/** A declaration and its members. */
function symbolsOf(node: SyntaxNode, name: string): readonly PublicSymbol[] {
  const body = childBy(node, 'body')
  const own = (given: Partial<Parameters<typeof declared>[1]> = {}): PublicSymbol =>
    declared(node, { name, ...given })
  const { kind } = node
  if (FUNCTION.test(kind)) return [own()]
  if (/^(interface|enum)_declaration$/.test(kind)) return [own(), ...membersOf(name, body)]
  if (/^((abstract_)?class_declaration|class)$/.test(kind)) {
    const made = `${name}.constructor`
    const hasOwn = namedChildren(body).some((member) => textBy(member, 'name') === 'constructor')
    // A derived class without a constructor uses that of its base.
    const isImplied = !hasOwn && !/\bextends\b/.test(own().words)
    const implied = symbolOf({ name: made, line: node.line, signature: `${made}()`, parameters: [] })
    return [own(), ...membersOf(name, body), ...(isImplied ? [implied] : [])]
  }
  if (kind === 'type_alias_declaration') {
    const value = childBy(node, 'value')
    // A mapped type has no members of its own.
    const isMapped = namedChildren(value).some((one) => childOfKind(one, 'mapped_type_clause') !== null)
    const hasMembers = value?.kind === 'object_type' && !isMapped
    return hasMembers ? [own(), ...membersOf(name, value)] : [own({ type: value })]
  }
  if (/^(internal_)?module$/.test(kind)) {
    // `declare module 'x'` is about another module.
    if (body === null || childBy(node, 'name')?.kind === 'string') return []
    const inner = readModule(body, node.parent?.kind === 'ambient_declaration' ? 'all' : 'exported')
    return [own(), ...inner.symbols.map((symbol) => ({ ...symbol, name: `${name}.${symbol.name}` }))]
  }
  return kind === 'variable_declarator' ? [own({ callable: functionIn(node) })] : []
}

const FUNCTION =
  /^((generator_)?function_declaration|function_(signature|expression)|generator_function|arrow_function|method_definition)$/

/** The function that is its value, where no type says what it is; else the node itself. */
function functionIn(node: SyntaxNode): SyntaxNode {
  const value = childBy(node, 'type') === null ? childBy(node, 'value') : null
  const isFunction = /^(arrow_function|function_expression|generator_function)$/.test(value?.kind ?? '')
  return value !== null && isFunction ? value : node
}

const UNNAMED: Readonly<Record<string, string>> = {
  call_signature: '()',
  construct_signature: 'new',
  index_signature: '[]',
}

const NOT_PUBLIC = /^(private|protected)$/

/** The public members of a class, an interface, an object type or an enum. */
function membersOf(owner: string, body: SyntaxNode | null): readonly PublicSymbol[] {
  return namedChildren(body).flatMap((node): readonly PublicSymbol[] => {
    const named = childBy(node, 'name')
    const own = UNNAMED[node.kind] ?? nameIn(named ?? node)
    const access = childOfKind(node, 'accessibility_modifier')
    const isHidden = own.startsWith('#') || NOT_PUBLIC.test(access?.text ?? '')
    if (isHidden || /decorator|static_block/.test(node.kind)) return []
    const name = `${owner}.${own}`
    const isOfEnum = node.kind === 'enum_assignment'
    const symbol = declared(node, {
      name,
      callable: functionIn(node),
      ...(isOfEnum ? { type: childBy(node, 'value') } : {}),
    })
    // An accessor is used as a value.
    if (childOfKind(node, 'get', 'set') !== null)
      return [{ ...symbol, parameters: null, type: symbol.type || (symbol.parameters?.[0]?.type ?? '') }]
    return [symbol, ...(own === 'constructor' ? parameterMembers(owner, node) : [])]
  })
}

/** `constructor(readonly name: string)` declares a member. */
const parameterMembers = (owner: string, node: SyntaxNode): readonly PublicSymbol[] =>
  namedChildren(childBy(node, 'parameters')).flatMap((one) => {
    const access = childOfKind(one, 'accessibility_modifier', 'readonly')
    const pattern = childBy(one, 'pattern')
    if (access === null || pattern === null || NOT_PUBLIC.test(access.text)) return []
    return [declared(one, { name: `${owner}.${pattern.text}` })]
  })

/** A name, or the text within its quotes. */
const nameIn = ({ kind, text }: SyntaxNode): string => (kind === 'string' ? text.slice(1, -1) : text)

/** The names that `{ a, b: c, ...d }` or `[e, f]` binds, without keys and defaults. */
const boundNames = (pattern: SyntaxNode): readonly string[] =>
  walk(pattern, ({ field }) => field !== 'key' && field !== 'right')
    .filter(({ kind }) => kind === 'identifier' || kind === 'shorthand_property_identifier_pattern')
    .map((node) => node.text)
    .toArray()

function exportStatement(module: Module, node: SyntaxNode): void {
  const { passedOn } = module
  const [declaration, value] = [childBy(node, 'declaration'), childBy(node, 'value')]
  const list = childOfKind(node, 'export_clause')
  const source = childBy(node, 'source')
  const from = source === null ? null : nameIn(source)
  const isDefault = childOfKind(node, 'default') !== null
  const { line } = node
  if (declaration !== null) {
    for (const name of declare(module, declaration, 'default'))
      exportAs(module, node, name, isDefault ? 'default' : name)
  } else if (value !== null) assigned(module, value, 'default')
  else if (list !== null) {
    for (const one of namedChildren(list)) {
      const local = childBy(one, 'name')
      if (local === null) continue
      const name = nameIn(childBy(one, 'alias') ?? local)
      if (from === null) exportAs(module, one, local.text, name)
      else passedOn.push({ name, from, original: nameIn(local), line })
    }
  } else if (childOfKind(node, '=') !== null) {
    const given = namedChildren(node).at(-1)
    if (given !== undefined) assigned(module, given, 'export=')
  } else if (from !== null) {
    const [name] = namedChildren(childOfKind(node, 'namespace_export'))
    passedOn.push({ name: name === undefined ? '*' : nameIn(name), from, original: '*', line })
  }
}

/** An exported value: a local name, a function, a class, or another expression. */
function assigned(module: Module, node: SyntaxNode, name: string): void {
  if (node.kind === 'identifier') return exportAs(module, node, node.text, name)
  // The name in `= function a() {}` is its own.
  const own = `= ${name}`
  const symbols = symbolsOf(node, own)
  const found = symbols.length > 0 ? symbols : [symbolOf({ name: own, line: node.line, signature: name })]
  add(module.locals, own, { kind: node.kind, symbols: found })
  exportAs(module, node, own, name)
}

function importStatement({ imported }: Module, node: SyntaxNode): void {
  const source = childBy(node, 'source')
  if (source === null) return
  const from = nameIn(source)
  const bind = (local: SyntaxNode, original: string): unknown => imported.set(local.text, { from, original })
  for (const part of namedChildren(childOfKind(node, 'import_clause'))) {
    if (part.kind === 'identifier') bind(part, 'default')
    else if (part.kind === 'namespace_import') for (const inner of namedChildren(part)) bind(inner, '*')
    else
      for (const one of namedChildren(part)) {
        const name = childBy(one, 'name')
        if (name !== null) bind(childBy(one, 'alias') ?? name, nameIn(name))
      }
  }
}

const COMMON = /^(?:module\s*\.\s*)?exports(?:\s*\.\s*([\w$]+))?$/

/** `module.exports = …`, `module.exports.a = …`, `exports.a = …`; false for other statements. */
function commonJs(module: Module, node: SyntaxNode): boolean {
  const assignment = node.kind === 'expression_statement' ? childOfKind(node, 'assignment_expression') : null
  const right = childBy(assignment, 'right')
  const target = COMMON.exec(textBy(assignment, 'left'))
  if (target === null || right === null) return false
  const [, name] = target
  if (name !== undefined || right.kind !== 'object') assigned(module, right, name ?? 'default')
  else
    for (const property of namedChildren(right)) {
      const [key, value] = [childBy(property, 'key') ?? childBy(property, 'name'), childBy(property, 'value')]
      if (property.kind === 'shorthand_property_identifier') {
        exportAs(module, property, property.text, property.text)
      } else if (key !== null && key.kind !== 'computed_property_name')
        assigned(module, value ?? property, nameIn(key))
    }
  return true
}

/** One side of a change, read on demand. */
export interface Modules {
  /** Whether there is such a file. */
  readonly has: (path: string) => boolean
  readonly text: (path: string) => string | null
  readonly api: (path: string) => FileApi | null
}

/** A symbol under the name by which the entry exports it. */
interface Reached extends PublicSymbol {
  readonly file: string
}

const OUTPUT_FOLDERS = /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs|types|es)\//
const MOST_FILES = 2_000

/** The folder of the package of a file, or null. */
export function packageOf(path: string, modules: Pick<Modules, 'has'>): string | null {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (modules.has(inFolder(folder, 'package.json'))) return folder
    if (folder === '') return null
  }
}

/**
 * Finds the names that a JavaScript package exports through its entries. If it has no entry, or one cannot be found in its
 * sources, every exported name counts. The source files of the package entries; empty if one cannot be found.
 */
export function entriesOf(folder: string, modules: Pick<Modules, 'has' | 'text'>): readonly string[] {
  const at = (path: string): string => normalPath(inFolder(folder, path))
  // An unreadable manifest has no entries.
  const manifest = jsonObject(modules.text(at('package.json')) ?? '') ?? {}
  const targets = [
    ...stringsIn(manifest['exports'], 0),
    ...['main', 'module', 'types', 'typings', 'browser'].flatMap((key) => stringsIn(manifest[key], 0)),
  ].filter((target) => !target.includes('*') && !target.endsWith('.json') && !target.endsWith('.css'))
  const named = targets.length > 0 ? targets : isLibrary(manifest) ? ['index.js'] : []
  const found = named.map((target) => sourceOf(target, (path) => modules.has(at(path))))
  // An entry that cannot be found could export anything.
  if (found.some((path) => path === null)) return []
  return [...new Set(found.flatMap((path) => (path === null ? [] : [at(path)])))]
}

/** Applications have no public interface. */
const isLibrary = (manifest: Mapping): boolean =>
  manifest['private'] !== true && typeof manifest['name'] === 'string'

function stringsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > 6) return []
  return Object.values(value).flatMap((one) => stringsIn(one, depth + 1))
}

/** `./dist/index.js` is usually built from `src/index.ts`. */
function sourceOf(target: string, has: (path: string) => boolean): string | null {
  const plain = normalPath(target)
  if (has(plain)) return plain
  const stem = plain.replace(/\.d\.[mc]?ts$|\.[mc]?[jt]sx?$/, '')
  const inner = stem.replace(OUTPUT_FOLDERS, '')
  return jsFile(stem, has) ?? jsFile(`src/${inner}`, has) ?? jsFile(inner, has)
}

/** Resolves an import to a module; null if it belongs to another package or is missing. */
function moduleAt(file: string, from: string, { has }: Modules): string | null {
  const path = from.startsWith('.') ? resolvePath(folderOf(file), from) : null
  return jsFile(path, (one) => isScript(one) && has(one))
}

/** All names reachable from an entry; null if a module cannot be read. */
export function reachedFrom(
  entry: string,
  modules: Modules,
): { readonly found: readonly Reached[]; readonly doubts: readonly string[] } {
  const doubts: string[] = []
  const seen = new Map<string, readonly Reached[]>()
  const visit = (file: string, depth: number): readonly Reached[] => {
    const known = seen.get(file)
    if (known !== undefined) return known
    seen.set(file, [])
    const api = depth > 50 || seen.size > MOST_FILES ? null : modules.api(file)
    if (api === null) {
      doubts.push(`${file} could not be read`)
      return []
    }
    doubts.push(...api.doubts.map((doubt) => `${file}: ${doubt}`))
    const found: Reached[] = api.symbols.map((symbol) => ({ ...symbol, file }))
    for (const passed of api.passedOn) {
      const target = moduleAt(file, passed.from, modules)
      // Only the name of an export from another package is known.
      if (target === null) found.push({ ...passedName(passed), file })
      else found.push(...chosen(visit(target, depth + 1), passed, file))
    }
    seen.set(file, found)
    return found
  }
  return { found: visit(entry, 0), doubts }
}

/** A re-exported name, of which no more is known. */
export const passedName = ({ name, from, line }: PassedOn): PublicSymbol => {
  const shown = name === '*' ? `* of ${from}` : name
  return symbolOf({ name: shown, line, signature: `export ${shown} from '${from}'` })
}

function chosen(all: readonly Reached[], passed: PassedOn, file: string): readonly Reached[] {
  const { name, original } = passed
  if (original === '*') {
    if (name === '*') return all.filter((one) => one.name !== 'default' && !one.name.startsWith('default.'))
    return [{ ...passedName(passed), file }, ...all.map((one) => ({ ...one, name: `${name}.${one.name}` }))]
  }
  return all
    .filter((one) => one.name === original || one.name.startsWith(`${original}.`))
    .map((one) => ({ ...one, name: `${name}${one.name.slice(original.length)}` }))
}
