/** The table of languages: their file names and their grammars. */
import { nameOf, segmentsOf } from './paths.ts'

interface LanguageRow {
  readonly name: string
  /** File extensions, in lower case and without the dot. */
  readonly extensions: readonly string[]
  /** Whole file names, in lower case. */
  readonly fileNames?: readonly string[]
  /** Programs of a `#!` line, for files without an extension. */
  readonly interpreters?: readonly string[]
  /** The file name of a grammar of @vscode/tree-sitter-wasm; null where there is none. */
  readonly grammar: string | null
  /** Languages that rules treat alike; null where there are no rules. */
  readonly family: string | null
  /** Only the text in `<script>` elements is in this language. */
  readonly isEmbedded?: true
}

/**
 * TSX reads JavaScript as well, so that both have the same kinds of nodes. TypeScript proper needs a grammar of its own:
 * `<T>value` is a cast there and an element in TSX. There is no grammar for C; that of C++ reads it too.
 */
const ROWS = [
  { name: 'typescript', extensions: ['ts', 'mts', 'cts'], grammar: 'typescript', family: 'js' },
  { name: 'typescript', extensions: ['tsx'], grammar: 'tsx', family: 'js' },
  {
    name: 'javascript',
    extensions: ['js', 'mjs', 'cjs', 'jsx'],
    interpreters: ['node'],
    grammar: 'tsx',
    family: 'js',
  },
  { name: 'javascript', extensions: ['vue', 'svelte'], grammar: 'tsx', family: 'js', isEmbedded: true },
  {
    name: 'python',
    extensions: ['py', 'pyi'],
    interpreters: ['python', 'python3'],
    grammar: 'python',
    family: 'python',
  },
  { name: 'go', extensions: ['go'], grammar: 'go', family: 'go' },
  { name: 'rust', extensions: ['rs'], grammar: 'rust', family: 'rust' },
  { name: 'c', extensions: ['c', 'h', 'm'], grammar: 'cpp', family: 'c' },
  {
    name: 'cpp',
    extensions: ['cc', 'cpp', 'cxx', 'cu', 'mm', 'hh', 'hpp', 'hxx', 'h++', 'cuh', 'inl'],
    grammar: 'cpp',
    family: 'c',
  },
  { name: 'java', extensions: ['java'], grammar: 'java', family: 'java' },
  { name: 'kotlin', extensions: ['kt', 'kts'], grammar: null, family: 'java' },
  { name: 'scala', extensions: ['scala'], grammar: null, family: 'java' },
  { name: 'groovy', extensions: ['groovy', 'gradle'], grammar: null, family: 'java' },
  { name: 'csharp', extensions: ['cs'], grammar: null, family: 'java' },
  { name: 'swift', extensions: ['swift'], grammar: null, family: 'java' },
  { name: 'php', extensions: ['php'], grammar: null, family: 'java' },
  { name: 'dart', extensions: ['dart'], grammar: null, family: 'java' },
  { name: 'perl', extensions: ['pl'], grammar: null, family: null },
  {
    name: 'ruby',
    extensions: ['rb', 'rake', 'gemspec'],
    fileNames: ['gemfile', 'rakefile'],
    interpreters: ['ruby'],
    grammar: 'ruby',
    family: 'ruby',
  },
  {
    name: 'shell',
    extensions: ['sh', 'bash', 'zsh', 'bats'],
    interpreters: ['sh', 'bash', 'zsh', 'dash'],
    grammar: 'bash',
    family: 'shell',
  },
  // The bash grammar cannot parse fish.
  { name: 'shell', extensions: ['fish'], interpreters: ['fish'], grammar: null, family: 'shell' },
  { name: 'json', extensions: ['json', 'jsonc'], grammar: null, family: 'json' },
  { name: 'yaml', extensions: ['yaml', 'yml'], grammar: null, family: 'config' },
  { name: 'toml', extensions: ['toml'], grammar: null, family: 'config' },
  { name: 'markdown', extensions: ['md', 'mdx', 'markdown'], grammar: null, family: null },
  { name: 'sql', extensions: ['sql'], grammar: null, family: null },
] as const satisfies readonly LanguageRow[]

export type LanguageName = (typeof ROWS)[number]['name']
export type Grammar = NonNullable<(typeof ROWS)[number]['grammar']>
export type Family = NonNullable<(typeof ROWS)[number]['family']>

export interface Language extends LanguageRow {
  readonly name: LanguageName
  readonly grammar: Grammar | null
  readonly family: Family | null
}

export const LANGUAGES: readonly Language[] = ROWS

const languagesBy = (keys: 'extensions' | 'fileNames' | 'interpreters'): ReadonlyMap<string, Language> =>
  new Map(LANGUAGES.flatMap((language) => (language[keys] ?? []).map((key) => [key, language] as const)))

const BY_EXTENSION = languagesBy('extensions')
const BY_NAME = languagesBy('fileNames')
const BY_INTERPRETER = languagesBy('interpreters')

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
  return language?.family === 'js' && language.isEmbedded !== true
}

/** Directives of C, of which every branch counts, and macros before declarations: the grammar takes them for errors. */
const NOT_C =
  /^[ \t\ufeff]*#(?![ \t]*define\b)(?:\\\r?\n|[^\n])*|(?<!#[ \t]*define[ \t]+)\b[A-Z][A-Z0-9_]*_(?:API|EXPORTS?|PUBLIC|DLL|EXTERN|DECL|INLINE|DEPRECATED|NODISCARD)\b(?:[ \t]*\([^()\n]*\))?/gm

/** The text to parse: what is not in the language is replaced by blanks. */
export function parsedText(language: Language, text: string): string {
  if (language.family === 'c') return text.replace(NOT_C, blank)
  if (language.isEmbedded !== true) return text
  let [read, end] = ['', 0]
  for (const found of text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script\s*>/gi)) {
    const [, opening = '', script = ''] = found
    const start = found.index + opening.length
    read += blank(text.slice(end, start)) + script
    end = start + script.length
  }
  return read + blank(text.slice(end))
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
