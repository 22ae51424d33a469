/** Classifies files by their path. Paths are relative to the repository and use `/`. */

export type PathKind = 'test' | 'doc' | 'lock' | 'config' | 'asset' | 'source'

/** Lock files, and the manifests that each may belong to. */
const LOCK_FILES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'package-lock.json': ['package.json'],
    'npm-shrinkwrap.json': ['package.json'],
    'yarn.lock': ['package.json'],
    'pnpm-lock.yaml': ['package.json'],
    'bun.lock': ['package.json'],
    'bun.lockb': ['package.json'],
    'deno.lock': ['deno.json', 'deno.jsonc'],
    'cargo.lock': ['Cargo.toml'],
    'gemfile.lock': ['Gemfile'],
    'composer.lock': ['composer.json'],
    'poetry.lock': ['pyproject.toml'],
    'pdm.lock': ['pyproject.toml'],
    'uv.lock': ['pyproject.toml'],
    'pipfile.lock': ['Pipfile'],
    'go.sum': ['go.mod'],
    'mix.lock': ['mix.exs'],
    'flake.lock': ['flake.nix'],
  }),
)
const CONFIG_FILES: ReadonlySet<string> = new Set([
  'package.json',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'cargo.toml',
  'go.mod',
  'requirements.txt',
  'codeowners',
  'makefile',
])
const TEST_FOLDERS: ReadonlySet<string> = new Set([
  'test',
  'tests',
  '__tests__',
  'spec',
  'specs',
  'e2e',
  'testing',
])
const TEST_NAME = /(^|[._-])(test|tests|spec|e2e)([._-]|$)/
const DOC_NAME = /\.(md|mdx|markdown|rst|adoc|txt)$|^(license|copying|notice|authors|changelog|readme)(\.|$)/
const CONFIG_NAME =
  /^\.[a-z]+(rc|ignore|attributes|config)\b|^tsconfig|\.config\.[cm]?[jt]s$|\.(ini|cfg|conf|editorconfig)$|^\.(editorconfig|prettierrc|eslintrc|nvmrc|npmrc)/
const ASSET_NAME = /\.(svg|png|jpe?g|gif|webp|ico|woff2?|ttf|otf|mp3|mp4|css|scss|sass|less)$/
const CODE_NAME = /\.(test|spec)?\.?[a-z0-9]+$/

/** The path without `./`, doubled slashes or a slash at the end. */
export function normalPath(path: string): string {
  const plain = path
    .replace(/\\/g, '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^(\.\/)+/, '')
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain
}

/** Has a backslash, or an empty segment or `.`; most paths have none, and a brief looks at every path of a repository. */
const UNEVEN = /\\|(?:^|\/)\.?(?:\/|$)/

export function segmentsOf(path: string): readonly string[] {
  if (!UNEVEN.test(path)) return path.split('/')
  return normalPath(path)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
}

/** The last segment; empty for the root. */
export function nameOf(path: string): string {
  return UNEVEN.test(path) ? (segmentsOf(path).at(-1) ?? '') : path.slice(path.lastIndexOf('/') + 1)
}

/** The file name without its extensions: `slug.test.js` → `slug`, `.env` → `.env`. */
export function stemOf(path: string): string {
  const name = nameOf(path)
  const dot = name.indexOf('.', 1)
  return dot === -1 ? name : name.slice(0, dot)
}

/** The folder of a file; empty at the root. */
export function folderOf(path: string): string {
  return segmentsOf(path).slice(0, -1).join('/')
}

/** The path of a file in a folder, which is empty for the root. */
export const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** The path that is relative to a folder, without `..` and `.`; null if it leaves the repository. */
export function resolvePath(folder: string, path: string): string | null {
  const parts = [...segmentsOf(folder)]
  for (const part of path.split('/')) {
    if (part === '.' || part === '') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** Whether the author wrote the path as a folder. */
export function isFolderPath(path: string): boolean {
  return path.endsWith('/')
}

/** Whether a path leaves the repository: absolute, in a home directory, or through `..`. */
export function isOutside(path: string): boolean {
  return /^(\/|~|[A-Za-z]:[\\/])/.test(path) || segmentsOf(path).includes('..')
}

/** The path of a document in the repository at `root`; its name where it lies elsewhere. */
export function documentPath(path: string, root: string): string {
  const folder = root.endsWith('/') ? root : `${root}/`
  const inside = path.startsWith(folder) ? path.slice(folder.length) : path
  return isOutside(inside) ? nameOf(inside) : normalPath(inside)
}

/** Whether a path has a placeholder or a pattern, so that no file has exactly this name. */
export function isPattern(path: string): boolean {
  return /[*?<>{}]|\.\.\.|…/.test(path)
}

export function isTestPath(path: string): boolean {
  const segments = segmentsOf(path.toLowerCase())
  const name = segments.at(-1) ?? ''
  const folders = isFolderPath(path) ? segments : segments.slice(0, -1)
  if (DOC_NAME.test(name) && !TEST_NAME.test(name)) return false
  if (folders.some((folder) => TEST_FOLDERS.has(folder))) return true
  return TEST_NAME.test(name) || /_test\.|tests?\.(java|kt|cs|swift|php)$|^test_|^conftest\.py$/.test(name)
}

export function isDocPath(path: string): boolean {
  const segments = segmentsOf(path.toLowerCase())
  const name = segments.at(-1) ?? ''
  if (CONFIG_FILES.has(name)) return false
  const inDocs = segments[0] === 'docs' || segments[0] === 'doc'
  return DOC_NAME.test(name) || (inDocs && (isFolderPath(path) || !CODE_NAME.test(name)))
}

export function isLockPath(path: string): boolean {
  return LOCK_FILES.has(nameOf(path).toLowerCase())
}

/** The names of the manifests that a lock file may belong to; none for other files. */
export function manifestsOf(path: string): readonly string[] {
  return LOCK_FILES.get(nameOf(path).toLowerCase()) ?? []
}

export function isConfigPath(path: string): boolean {
  const name = nameOf(path).toLowerCase()
  return CONFIG_FILES.has(name) || CONFIG_NAME.test(name)
}

export function kindOfPath(path: string): PathKind {
  if (isLockPath(path)) return 'lock'
  if (isTestPath(path)) return 'test'
  if (isDocPath(path)) return 'doc'
  if (isConfigPath(path)) return 'config'
  if (ASSET_NAME.test(nameOf(path).toLowerCase())) return 'asset'
  return 'source'
}

/** The words in a path or a name: `src/AuthMiddleware.ts` → src, auth, middleware, ts. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
