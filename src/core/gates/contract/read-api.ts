/** Selects the files of the public interface and their readers. */
import { languageOf, type LanguageName } from '../../languages/languages.ts'
import { isUnread, unreadReason, type Parsed, type SyntaxTree } from '../../languages/syntax.ts'
import { isTestPath, nameOf, segmentsOf } from '../../languages/paths.ts'
import { readCHeader } from './c-header.ts'
import { hasErrors } from './declarations.ts'
import { readGo } from './go.ts'
import type { DocumentParser } from '../documents.ts'
import { looksLikeOpenApi, readOpenApi } from './openapi.ts'
import { NO_API, type FileApi } from './public-symbol.ts'
import { readPython } from './python.ts'
import { readRust } from './rust.ts'
import { readTypeScript } from './typescript.ts'

/** The tree of a file; null if it is not parsed yet, then the gate runs again after parsing. */
export type ParsedLookup = (file: SourceFile) => Parsed | null

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Readers by language. Interfaces of other languages are not checked. */
export type Reader = 'script' | 'python' | 'go' | 'rust' | 'c_header' | 'document'

const READERS: Readonly<Partial<Record<LanguageName, Reader>>> = {
  typescript: 'script',
  javascript: 'script',
  python: 'python',
  go: 'go',
  rust: 'rust',
  c: 'c_header',
  cpp: 'c_header',
  json: 'document',
  yaml: 'document',
}
const C_HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|cuh)$/i
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
  if (reader === 'c_header' && !C_HEADER.test(path)) return null
  const folders = segmentsOf(path).slice(0, -1)
  if (reader === 'go' && folders.includes('internal')) return null
  return folders.some((folder) => NOT_PUBLIC.has(folder) && reader !== 'document') ? null : reader
}

export interface Parsers {
  readonly parsed: ParsedLookup
  readonly parseDocument: DocumentParser
}

const TREE_READERS = { script: readTypeScript, python: readPython, go: readGo, rust: readRust } as const

const hasTree = (reader: Reader | null): reader is keyof typeof TREE_READERS =>
  reader !== null && reader in TREE_READERS

/** Null while the file is not parsed yet. */
export function readApi(file: SourceFile, { parsed, parseDocument }: Parsers): FileApi | null {
  const { path, text } = file
  const reader = readerOf(path)
  if (reader === 'c_header') return unlessTooDeep(() => readCHeader(text))
  if (reader === 'document') return looksLikeOpenApi(text) ? readOpenApi(parseDocument(text)) : NO_API
  if (!hasTree(reader)) return NO_API
  const tree = parsed(file)
  if (tree === null) return null
  if (isUnread(tree)) return { ...NO_API, doubts: [`it could not be parsed: ${unreadReason(tree)}`] }
  return readTree(reader, tree, path)
}

const readTree = (reader: keyof typeof TREE_READERS, tree: SyntaxTree, path: string): FileApi =>
  unlessTooDeep(() => ({ ...TREE_READERS[reader](tree, path), doubts: [], hasErrors: hasErrors(tree) }))

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
  const { symbols, passedOn } = readTree(reader, tree, path)
  return new Set([...symbols, ...passedOn].map(({ name }) => name).filter((name) => !name.includes('.')))
}

/** The scope of a name: the folder in Go, global in C, else the file. */
export function unitOf(path: string): string {
  const reader = readerOf(path)
  if (reader === 'go') return segmentsOf(path).slice(0, -1).join('/')
  return reader === 'c_header' ? 'C' : path
}
