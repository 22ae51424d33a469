/** Which files make up a public interface, and who reads them. */
import { isTestPath, nameOf, segmentsOf } from '../../planning/paths.ts'
import { readCHeader } from './c-header.ts'
import { readGo } from './go.ts'
import { looksLikeOpenApi, readOpenApi, type DocumentParser } from './openapi.ts'
import { NO_API, type FileApi } from './public-symbol.ts'
import { readPython } from './python.ts'
import { readRust } from './rust.ts'
import { readTypeScript } from './typescript.ts'

export type Language = 'typescript' | 'python' | 'go' | 'rust' | 'c' | 'document'

const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/\.(?:[mc]?[jt]s|[jt]sx)$/, 'typescript'],
  [/\.pyi?$/, 'python'],
  [/\.go$/, 'go'],
  [/\.rs$/, 'rust'],
  [/\.(?:h|hh|hpp|hxx|h\+\+|cuh)$/, 'c'],
  [/\.(?:ya?ml|json)$/, 'document'],
]
/** What lies in these is made for one's own use, or made by a tool. */
const NOT_PUBLIC: ReadonlySet<string> = new Set(
  'node_modules vendor dist build out target bench benches benchmark benchmarks examples example scripts docs doc fixtures __fixtures__ testdata .storybook .github'.split(
    ' ',
  ),
)
const NOT_PUBLIC_NAME =
  /\.config\.[mc]?[jt]s$|\.(?:stories|bench|min)\.[jt]sx?$|^(?:setup|conftest|manage|noxfile)\.py$|^build\.rs$|^main\.rs$|^package(?:-lock)?\.json$|^tsconfig.*\.json$/

/** Null for what is nobody's interface: tests, examples, scripts, settings. */
export function publicLanguage(path: string): Language | null {
  const language = LANGUAGES.find(([pattern]) => pattern.test(path.toLowerCase()))?.[1] ?? null
  if (language === null || isTestPath(path) || NOT_PUBLIC_NAME.test(nameOf(path))) return null
  const folders = segmentsOf(path).slice(0, -1)
  if (language === 'go' && folders.includes('internal')) return null
  return folders.some((folder) => NOT_PUBLIC.has(folder) && language !== 'document') ? null : language
}

export function readApi(
  file: { readonly path: string; readonly text: string },
  parseDocument: DocumentParser,
): FileApi {
  const { path, text } = file
  switch (publicLanguage(path)) {
    case 'typescript':
      return readTypeScript(text)
    case 'python':
      return readPython(text, path)
    case 'go':
      return readGo(text)
    case 'rust':
      return readRust(text)
    case 'c':
      return readCHeader(text)
    case 'document':
      return looksLikeOpenApi(text) ? readOpenApi(parseDocument(text)) : NO_API
    case null:
      return NO_API
  }
}

/** Where a name is known: a package of Go is a folder, names of C are known everywhere, others belong to their file. */
export function unitOf(path: string): string {
  const language = publicLanguage(path)
  if (language === 'go') return segmentsOf(path).slice(0, -1).join('/')
  return language === 'c' ? 'C' : path
}
