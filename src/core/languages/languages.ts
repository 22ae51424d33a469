/** The table of languages: their file names and their grammars. */
import { nameOf, segmentsOf } from './paths.ts'

export type LanguageName =
  | 'typescript'
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'c'
  | 'cpp'
  | 'java'
  | 'kotlin'
  | 'scala'
  | 'groovy'
  | 'csharp'
  | 'swift'
  | 'php'
  | 'dart'
  | 'perl'
  | 'ruby'
  | 'shell'
  | 'json'
  | 'yaml'
  | 'toml'
  | 'markdown'
  | 'sql'

/** A grammar of @vscode/tree-sitter-wasm, by the name of its file. */
export type Grammar = 'typescript' | 'tsx' | 'python' | 'go' | 'rust' | 'cpp' | 'java' | 'ruby' | 'bash'

export interface Language {
  readonly name: LanguageName
  /** File extensions, in lower case and without the dot. */
  readonly extensions: readonly string[]
  /** Whole file names, in lower case. */
  readonly fileNames?: readonly string[]
  /** Programs of a `#!` line, for files without an extension. */
  readonly interpreters?: readonly string[]
  /** Null where no grammar is available. */
  readonly grammar: Grammar | null
  /** Only the text in `<script>` elements is in this language. */
  readonly isEmbedded?: true
}

/**
 * TSX reads JavaScript as well, so that both have the same kinds of nodes. TypeScript proper needs a grammar of its own:
 * `<T>value` is a cast there and an element in TSX. There is no grammar for C; that of C++ reads its sources well enough
 * to find calls, but stumbles over most headers.
 */
export const LANGUAGES: readonly Language[] = [
  { name: 'typescript', extensions: ['ts', 'mts', 'cts'], grammar: 'typescript' },
  { name: 'typescript', extensions: ['tsx'], grammar: 'tsx' },
  {
    name: 'javascript',
    extensions: ['js', 'mjs', 'cjs', 'jsx'],
    interpreters: ['node'],
    grammar: 'tsx',
  },
  { name: 'javascript', extensions: ['vue', 'svelte'], grammar: 'tsx', isEmbedded: true },
  { name: 'python', extensions: ['py', 'pyi'], interpreters: ['python', 'python3'], grammar: 'python' },
  { name: 'go', extensions: ['go'], grammar: 'go' },
  { name: 'rust', extensions: ['rs'], grammar: 'rust' },
  { name: 'c', extensions: ['c', 'h', 'm'], grammar: 'cpp' },
  {
    name: 'cpp',
    extensions: ['cc', 'cpp', 'cxx', 'cu', 'mm', 'hh', 'hpp', 'hxx', 'h++', 'cuh', 'inl'],
    grammar: 'cpp',
  },
  { name: 'java', extensions: ['java'], grammar: 'java' },
  { name: 'kotlin', extensions: ['kt', 'kts'], grammar: null },
  { name: 'scala', extensions: ['scala'], grammar: null },
  { name: 'groovy', extensions: ['groovy', 'gradle'], grammar: null },
  { name: 'csharp', extensions: ['cs'], grammar: null },
  { name: 'swift', extensions: ['swift'], grammar: null },
  { name: 'php', extensions: ['php'], grammar: null },
  { name: 'dart', extensions: ['dart'], grammar: null },
  { name: 'perl', extensions: ['pl'], grammar: null },
  {
    name: 'ruby',
    extensions: ['rb', 'rake', 'gemspec'],
    fileNames: ['gemfile', 'rakefile'],
    interpreters: ['ruby'],
    grammar: 'ruby',
  },
  {
    name: 'shell',
    extensions: ['sh', 'bash', 'zsh', 'bats'],
    interpreters: ['sh', 'bash', 'zsh', 'dash'],
    grammar: 'bash',
  },
  // The bash grammar cannot parse fish.
  { name: 'shell', extensions: ['fish'], interpreters: ['fish'], grammar: null },
  { name: 'json', extensions: ['json', 'jsonc'], grammar: null },
  { name: 'yaml', extensions: ['yaml', 'yml'], grammar: null },
  { name: 'toml', extensions: ['toml'], grammar: null },
  { name: 'markdown', extensions: ['md', 'mdx', 'markdown'], grammar: null },
  { name: 'sql', extensions: ['sql'], grammar: null },
]

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
)
const BY_NAME: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => (language.fileNames ?? []).map((name) => [name, language] as const)),
)
const BY_INTERPRETER: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => (language.interpreters ?? []).map((name) => [name, language] as const)),
)

/** The language of a file by its name; without an extension, by its first line. */
export function languageOf(path: string, firstLine = ''): Language | null {
  const name = nameOf(path).toLowerCase()
  const extension = /\.([^.]+)$/.exec(name)?.[1]
  const named = (extension === undefined ? undefined : BY_EXTENSION.get(extension)) ?? BY_NAME.get(name)
  if (named !== undefined || extension !== undefined) return named ?? null
  // Husky runs the files of this folder, which mostly have no `#!` line.
  if (segmentsOf(path)[0] === '.husky') return BY_EXTENSION.get('sh') ?? null
  const interpreter = /^#!\s*\S*?(?:\/env\s+(?:-S\s+)?)?([\w.+-]+)(?:\s|$)/.exec(firstLine)?.[1] ?? ''
  return BY_INTERPRETER.get(interpreter) ?? BY_INTERPRETER.get(interpreter.replace(/[\d.]+$/, '')) ?? null
}

/** A JavaScript or TypeScript module that others can import by its path. */
export function isScript(path: string): boolean {
  const language = languageOf(path)
  return language !== null && SCRIPTS.has(language.name) && language.isEmbedded !== true
}

const SCRIPTS: ReadonlySet<LanguageName> = new Set(['typescript', 'javascript'])

/** The text to parse: for an embedded language, everything around it is replaced by blanks. */
export function parsedText(language: Language, text: string): string {
  if (language.isEmbedded !== true) return text
  let read = ''
  let end = 0
  for (const found of text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script\s*>/gi)) {
    const [, opening = '', script = ''] = found
    const start = found.index + opening.length
    read += blank(text.slice(end, start)) + script
    end = start + script.length
  }
  return read + blank(text.slice(end))
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
