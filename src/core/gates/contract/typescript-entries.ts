/**
 * Finds the names that a JavaScript package exports through its entries. If it has no entry, or one cannot be found in its
 * sources, every exported name counts.
 */
import { jsFile } from '../../languages/import-graph.ts'
import { isScript } from '../../languages/languages.ts'
import { folderOf, inFolder, normalPath, resolvePath } from '../../languages/paths.ts'
import { jsonObject, type Mapping } from '../documents.ts'
import { symbolOf, type FileApi, type PassedOn, type PublicSymbol } from './public-symbol.ts'

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

/** The source files of the package entries; empty if one cannot be found. */
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
