/** Reads the public interface before and after a change; only changed files and those that lead to them. */
import type { Change } from '../change.ts'
import { beforeFiles, type TreeFiles } from '../tree-files.ts'
import type { PlacedSymbol } from './compare.ts'
import { NO_API, type FileApi } from './public-symbol.ts'
import { readApi, readerOf, unitOf, type Parsers } from './read-api.ts'
import { entriesOf, packageOf, passedName, reachedFrom, type Modules } from './typescript-entries.ts'

export interface TwoSides {
  readonly before: readonly PlacedSymbol[]
  readonly after: readonly PlacedSymbol[]
  /** Files that could not be read. */
  readonly doubts: readonly string[]
  /** A description of the compared names. */
  readonly scope: string
  /** The number of changed interface files. */
  readonly files: number
  /** Files in which declarations could not be parsed, on one side at least and not the same on both. */
  readonly broken: ReadonlySet<string>
  /** Files of the work in which anything could not be parsed. */
  readonly withErrors: ReadonlySet<string>
}

export function twoSides(change: Change, tree: TreeFiles, parsers: Parsers): TwoSides {
  const sides: Sides = { before: sideOf(beforeFiles(change, tree), parsers), after: sideOf(tree, parsers) }
  const doubts: string[] = []
  const before: PlacedSymbol[] = []
  const after: PlacedSymbol[] = []
  const handled = new Set<string>()
  let isReached = false
  for (const folder of changedPackages(change, sides)) {
    const [old, now] = [entriesOf(folder, sides.before), entriesOf(folder, sides.after)]
    if (old.length === 0 || now.length === 0) continue
    isReached = true
    before.push(...reachedSymbols(folder, old, sides.before, doubts))
    after.push(...reachedSymbols(folder, now, sides.after, doubts))
    handled.add(folder)
  }
  const own = change.files.filter(({ path }) => {
    const reader = readerOf(path)
    if (reader !== 'script') return reader !== null
    const folder = packageOf(path, sides.after) ?? packageOf(path, sides.before)
    return folder === null || !handled.has(folder)
  })
  for (const file of own) {
    if (file.isBinary) doubts.push(`${file.path} could not be read as text`)
    if (file.kind !== 'added') before.push(...fileSymbols(file.path, sides.before, doubts))
    if (file.kind !== 'deleted') after.push(...fileSymbols(file.path, sides.after, doubts))
  }
  const files = change.files.filter(({ path }) => readerOf(path) !== null).length
  const scope = isReached ? 'the exports of the package entries' : 'all exported names except those of tests'
  const unparsed = unparsedParts(sides)
  return {
    before,
    after,
    doubts: [
      ...new Set([...doubts, ...unparsed.map(({ file, text }) => `${file}: could not be parsed: ${text}`)]),
    ],
    scope,
    files,
    broken: new Set(unparsed.map(({ file }) => file)),
    withErrors: new Set(
      [...sides.after.read].filter(([, api]) => api?.hasErrors === true).map(([path]) => path),
    ),
  }
}

interface Side extends Modules {
  /** The files requested so far. */
  readonly read: ReadonlyMap<string, FileApi | null>
}

interface Sides {
  readonly before: Side
  readonly after: Side
}

const LONGEST_PART = 60

/** The same parse errors on both sides do not matter. */
function unparsedParts({
  before,
  after,
}: Sides): readonly { readonly file: string; readonly text: string }[] {
  const files = new Set([...before.read.keys(), ...after.read.keys()])
  return [...files].flatMap((file) => {
    const old = new Set(before.read.get(file)?.unparsed)
    const now = new Set(after.read.get(file)?.unparsed)
    const different = [...old, ...now].filter((text) => !old.has(text) || !now.has(text))
    return different.map((text) => ({ file, text: text.slice(0, LONGEST_PART) }))
  })
}

function sideOf(files: TreeFiles, parsers: Parsers): Side {
  const read = new Map<string, FileApi | null>()
  return {
    ...files,
    read,
    api: (path) => {
      const known = read.get(path)
      if (known !== undefined) return known
      const text = files.text(path)
      // The gate runs again once the file is parsed.
      const api = text === null ? null : (readApi({ path, text }, parsers) ?? NO_API)
      read.set(path, api)
      return api
    },
  }
}

/** Packages in which a module or the manifest changed. */
function changedPackages(change: Change, sides: Sides): ReadonlySet<string> {
  const folders = change.files.flatMap(({ path }) => {
    const isManifest = path === 'package.json' || path.endsWith('/package.json')
    if (!isManifest && readerOf(path) !== 'script') return []
    return packageOf(path, sides.after) ?? packageOf(path, sides.before) ?? []
  })
  return new Set(folders)
}

function reachedSymbols(
  folder: string,
  entries: readonly string[],
  modules: Modules,
  doubts: string[],
): readonly PlacedSymbol[] {
  return entries.flatMap((entry) => {
    const reached = reachedFrom(entry, modules)
    doubts.push(...reached.doubts)
    // An entry that moved to another language is the same entry.
    const unit = `${folder}:${entry.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, '')}`
    return reached.found.map((symbol) => ({ ...symbol, unit }))
  })
}

function fileSymbols(path: string, modules: Modules, doubts: string[]): readonly PlacedSymbol[] {
  const api = modules.api(path)
  if (api === null) {
    doubts.push(`${path} could not be read as text`)
    return []
  }
  doubts.push(...api.doubts.map((doubt) => `${path}: ${doubt}`))
  const unit = unitOf(path)
  return [...api.symbols, ...api.passedOn.map(passedName)].map((symbol) => ({ ...symbol, unit, file: path }))
}
