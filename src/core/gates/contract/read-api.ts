/** Selects the files of the public interface and their readers. */
import { languageOf, type LanguageName } from '../../languages/languages.ts'
import {
  isUnread,
  unreadReason,
  type Parsed,
  type SyntaxNode,
  type SyntaxTree,
} from '../../languages/syntax.ts'
import { isTestPath, nameOf, segmentsOf } from '../../languages/paths.ts'
import { readCpp } from './cpp.ts'
import { hasErrors, unparsedParts } from './declarations.ts'
import { readGo, readRust } from './go-and-rust.ts'
import {
  isMapping,
  list,
  mapping,
  text,
  type DocumentParser,
  type Mapping,
  type ParsedDocument,
} from '../documents.ts'
import { NO_API, symbolOf, type FileApi, type Parameter, type PublicSymbol } from './compare.ts'
import { readPython } from './python.ts'
import { readTypeScript } from './typescript.ts'

/** The tree of a file; null if it is not parsed yet, then the gate runs again after parsing. */
export type ParsedLookup = (file: SourceFile) => Parsed | null

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Readers by language. Interfaces of other languages are not checked. */
export type Reader = 'script' | 'python' | 'go' | 'rust' | 'cpp' | 'document'

const READERS: Readonly<Partial<Record<LanguageName, Reader>>> = {
  typescript: 'script',
  javascript: 'script',
  python: 'python',
  go: 'go',
  rust: 'rust',
  c: 'cpp',
  cpp: 'cpp',
  json: 'document',
  yaml: 'document',
}
/** Folders with internal or generated files. */
const NOT_PUBLIC: ReadonlySet<string> = new Set(
  'node_modules vendor dist build out target bench benches benchmark benchmarks examples example scripts docs doc fixtures __fixtures__ testdata .storybook .github'.split(
    ' ',
  ),
)
const NOT_PUBLIC_NAME =
  /\.config\.[mc]?[jt]s$|\.(?:stories|bench|min)\.[jt]sx?$|^(?:setup|conftest|manage|noxfile)\.py$|^build\.rs$|^main\.rs$|^package(?:-lock)?\.json$|^tsconfig.*\.json$/

/** Null for files that are not a public interface: tests, examples, scripts, settings. */
export function readerOf(path: string): Reader | null {
  const language = languageOf(path)
  const reader = language === null || language.isEmbedded === true ? undefined : READERS[language.name]
  if (reader === undefined || isTestPath(path) || NOT_PUBLIC_NAME.test(nameOf(path))) return null
  if (reader === 'cpp' && !C_HEADER.test(path)) return null
  const folders = segmentsOf(path).slice(0, -1)
  if (reader === 'go' && folders.includes('internal')) return null
  return folders.some((folder) => NOT_PUBLIC.has(folder) && reader !== 'document') ? null : reader
}

export interface Parsers {
  readonly parsed: ParsedLookup
  readonly parseDocument: DocumentParser
}

const C_HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|cuh)$/i

const TREE_READERS = {
  script: readTypeScript,
  python: readPython,
  go: readGo,
  rust: readRust,
  cpp: readCpp,
} as const

const hasTree = (reader: Reader | null): reader is keyof typeof TREE_READERS =>
  reader !== null && reader in TREE_READERS

/** Null while the file is not parsed yet. */
export function readApi(file: SourceFile, { parsed, parseDocument }: Parsers): FileApi | null {
  const { path, text } = file
  const reader = readerOf(path)
  if (reader === 'document') return looksLikeOpenApi(text) ? readOpenApi(parseDocument(text)) : NO_API
  if (!hasTree(reader)) return NO_API
  const tree = parsed(file)
  if (tree === null) return null
  if (isUnread(tree)) return { ...NO_API, doubts: [`it could not be parsed: ${unreadReason(tree)}`] }
  return readTree(reader, tree.root, path)
}

const readTree = (reader: keyof typeof TREE_READERS, root: SyntaxNode, path: string): FileApi =>
  unlessTooDeep(() => {
    const api = TREE_READERS[reader](root, path)
    return { ...api, doubts: [], unparsed: unparsedParts(root, api.symbols), hasErrors: hasErrors(root) }
  })

/** Readers recurse into nested declarations; an extreme depth could overflow the stack on purpose. */
function unlessTooDeep(read: () => FileApi): FileApi {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { ...NO_API, doubts: ['it is nested too deeply to be read'] }
  }
}

/** Whether this file is read by its syntax tree. */
export const hasTreeReader = (path: string): boolean => hasTree(readerOf(path))

/** The public names of a file, without members. */
export function offeredNames(path: string, tree: SyntaxTree): ReadonlySet<string> {
  const reader = readerOf(path)
  if (!hasTree(reader)) return new Set()
  const { symbols, passedOn } = readTree(reader, tree.root, path)
  return new Set([...symbols, ...passedOn].map(({ name }) => name).filter((name) => !name.includes('.')))
}

/** The scope of a name: the folder in Go, global in C, else the file. */
export function unitOf(path: string): string {
  const reader = readerOf(path)
  if (reader === 'go') return segmentsOf(path).slice(0, -1).join('/')
  return reader === 'cpp' ? 'C' : path
}

/** Recognized by its first lines, so that not every YAML file has to be parsed. */
export const looksLikeOpenApi = (source: string): boolean =>
  /(?:^|[{,])[ \t]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(source)

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const DEEPEST = 6
const MOST_SYMBOLS = 20_000

/** Reads an OpenAPI document: each method of each path with parameters and responses. */
export function readOpenApi(parsed: ParsedDocument): FileApi {
  const [error] = parsed.errors
  if (error !== undefined) return { ...NO_API, doubts: [`line ${error.line}: ${error.message}`] }
  const root = mapping(parsed.value)
  if (text(root['openapi']) === '' && text(root['swagger']) === '' && typeof root['swagger'] !== 'number')
    return NO_API
  const schemas = new Schemas(root)
  const symbols: PublicSymbol[] = []
  for (const [path, item] of Object.entries(mapping(root['paths']))) {
    const own = mapping(schemas.resolved(item))
    for (const method of METHODS) {
      const operation = own[method]
      if (!isMapping(operation)) continue
      // The names of path parameters do not matter to callers.
      const name = `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`
      const parameters = [...list(own['parameters']), ...list(operation['parameters'])].flatMap((one) =>
        schemas.parameter(one),
      )
      const byName = new Map([...parameters, ...schemas.body(operation)].map((one) => [one.name, one]))
      const line = parsed.lineOf(['paths', path, method])
      const signature = `${method.toUpperCase()} ${path}`
      symbols.push(symbolOf({ name, line, signature, parameters: [...byName.values()] }))
      for (const [code, response] of Object.entries(mapping(operation['responses']))) {
        const at = parsed.lineOf(['paths', path, method, 'responses', code])
        schemas.response(`${name}.${code}`, at, response, symbols)
      }
    }
  }
  return { ...NO_API, symbols, doubts: schemas.doubts }
}

class Schemas {
  readonly doubts: string[] = []
  readonly #root: Mapping

  constructor(root: Mapping) {
    this.#root = root
  }

  /** Resolves `$ref` within the document, not in other files. */
  resolved(value: unknown, depth = 0): unknown {
    const ref = isMapping(value) ? text(value['$ref']) : ''
    if (ref === '' || depth > DEEPEST) return value
    if (!ref.startsWith('#/')) {
      const words = `it refers to ${ref}, which is not read`
      if (!this.doubts.includes(words) && this.doubts.length < 5) this.doubts.push(words)
      return {}
    }
    let found: unknown = this.#root
    for (const part of ref.slice(2).split('/'))
      found = mapping(found)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
    return this.resolved(found, depth + 1)
  }

  parameter(given: unknown): readonly Parameter[] {
    const own = mapping(this.resolved(given))
    const [place, isOptional] = [text(own['in']), own['required'] !== true]
    if (place === 'body') return this.#members('body', own['schema'], isOptional)
    if (place === 'path' || place === '') return []
    return [byName(`${place} ${text(own['name'])}`, this.#typeOf(own['schema'] ?? own), isOptional)]
  }

  body(operation: Mapping): readonly Parameter[] {
    const body = mapping(this.resolved(operation['requestBody']))
    return Object.entries(mapping(body['content'])).flatMap(([form, media]) =>
      this.#members(`body ${form}`, mapping(media)['schema'], body['required'] !== true),
    )
  }

  /** Each member of a body can change on its own. */
  #members(name: string, schema: unknown, isOptional: boolean): readonly Parameter[] {
    const own = this.#merged(schema)
    const members = Object.entries(mapping(own['properties']))
    if (members.length === 0) return [byName(name, this.#typeOf(schema), isOptional)]
    const required = list(own['required'])
    return [
      byName(name, '', isOptional),
      ...members.map(([key, one]) => byName(`${name} ${key}`, this.#typeOf(one), !required.includes(key))),
    ]
  }

  response(name: string, line: number, response: unknown, symbols: PublicSymbol[]): void {
    const own = mapping(this.resolved(response))
    symbols.push(symbolOf({ name, line }))
    if (own['schema'] !== undefined) this.#answered(name, line, own['schema'], 0, symbols)
    for (const [form, media] of Object.entries(mapping(own['content'])))
      this.#answered(`${name} ${form}`, line, mapping(media)['schema'], 0, symbols)
  }

  /** Each member of a response is a symbol: adding one is compatible, removing one is a break. */
  #answered(name: string, line: number, schema: unknown, depth: number, symbols: PublicSymbol[]): void {
    const own = this.#merged(schema)
    const members = Object.entries(mapping(own['properties']))
    if (symbols.length > MOST_SYMBOLS) return
    if (own['type'] === 'array' && depth < DEEPEST)
      return this.#answered(`${name}[]`, line, own['items'], depth + 1, symbols)
    const isWhole = members.length === 0 || depth >= DEEPEST
    const type = isWhole ? this.#typeOf(schema) : ''
    symbols.push(symbolOf({ name, line, signature: `${name}: ${type || 'object'}`, type }))
    const required = list(own['required'])
    for (const [key, one] of isWhole ? [] : members) {
      const place = symbols.length
      this.#answered(`${name}.${key}`, line, one, depth + 1, symbols)
      const first = symbols[place]
      if (first !== undefined && !required.includes(key)) symbols[place] = { ...first, words: 'optional' }
    }
  }

  /** Including the members from `allOf`. */
  #merged(schema: unknown, depth = 0): Mapping {
    const own = mapping(this.resolved(schema))
    const parts = depth > DEEPEST ? [] : list(own['allOf']).map((part) => this.#merged(part, depth + 1))
    if (parts.length === 0) return own
    const all = [...parts, own]
    const properties: Mapping = Object.assign({}, ...all.map((part) => mapping(part['properties'])))
    return { ...own, properties, required: all.flatMap((part) => list(part['required'])) }
  }

  /** A schema as a type on one line; empty if it declares none. */
  #typeOf(schema: unknown, depth = 0): string {
    const own = this.#merged(schema)
    if (depth > DEEPEST) return '…'
    const choices = [...list(own['enum']), ...('const' in own ? [own['const']] : [])]
    if (choices.length > 0) return choices.map((one) => JSON.stringify(one)).join(' | ')
    const parts = [...list(own['oneOf']), ...list(own['anyOf'])]
    if (parts.length > 0) return parts.map((part) => this.#typeOf(part, depth + 1)).join(' | ')
    if (own['type'] === 'array') return `Array<${this.#typeOf(own['items'], depth + 1)}>`
    const members = Object.entries(mapping(own['properties']))
    if (members.length > 0)
      return `{${members.map(([key, one]) => `${key}: ${this.#typeOf(one, depth + 1)}`).join('; ')}}`
    const types = [own['type'], own['format'], own['nullable'] === true ? 'null' : ''].flat()
    return types
      .map(text)
      .filter((one) => one !== '')
      .join(' ')
  }
}

const byName = (name: string, type: string, isOptional: boolean): Parameter => ({
  name,
  type,
  isOptional,
  passedBy: 'name',
})
