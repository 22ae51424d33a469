/**
 * The import graph of JavaScript, TypeScript, Python and Go files. Imports are found in the text, not in syntax trees:
 * every file of the repository is read, parsing one takes about 2 ms, and a false import in a comment or a string only
 * costs one unnecessary run of a suite.
 */
import { languageOf, type Family } from './languages.ts'
import { folderOf, resolvePath } from './paths.ts'

export interface TreeTexts {
  readonly files: ReadonlySet<string>
  read(path: string): string | null
}

interface Repository {
  readonly tree: TreeTexts
  /** The path aliases of its tsconfig. */
  readonly aliases: readonly Alias[]
  /** Its Go module, and the files of each package. */
  readonly module: string | null
  readonly packages: ReadonlyMap<string, readonly string[]>
}

/** The files that this one may import. */
type Targets = (path: string, text: string, repository: Repository) => readonly string[]

const TARGETS: Partial<Record<Family, Targets>> = { js: jsTargets, python: pyTargets, go: goTargets }

function targetsOf(path: string): Targets | undefined {
  const family = languageOf(path)?.family ?? null
  return family === null ? undefined : TARGETS[family]
}

/** Whether the imports of a file are supported. */
export const isGraphed = (path: string): boolean => targetsOf(path) !== undefined

/** For each file, the files that import it. */
export function importers(tree: TreeTexts): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const goFiles = [...tree.files].filter((path) => languageOf(path)?.name === 'go')
  const repository = {
    tree,
    aliases: aliasesIn(tree),
    module: /^module\s+(\S+)/m.exec(tree.read('go.mod') ?? '')?.[1] ?? null,
    packages: Map.groupBy(goFiles, folderOf),
  }
  for (const path of tree.files) {
    const targets = targetsOf(path)
    const text = targets === undefined ? null : tree.read(path)
    if (targets === undefined || text === null) continue
    for (const target of new Set(targets(path, text, repository))) {
      if (target !== path) found.set(target, [...(found.get(target) ?? []), path])
    }
  }
  return found
}

const JS_IMPORT =
  /(?:\bfrom\s{0,9}|\bimport\s{0,9}\(?\s{0,9}|\brequire\s{0,9}\(\s{0,9}|\bmock\(\s{0,9})["']([^"'\n]{1,300})["']/g
const JS_ENDINGS = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.d.ts', '.vue', '.svelte']

interface Alias {
  readonly from: string
  readonly to: string
}

function jsTargets(path: string, text: string, { tree, aliases }: Repository): readonly string[] {
  return [...text.matchAll(JS_IMPORT)].flatMap(([, specifier = '']) => {
    const spots = specifier.startsWith('.')
      ? [resolvePath(folderOf(path), specifier)]
      : aliases.flatMap(({ from, to }) =>
          specifier.startsWith(from) ? [resolvePath('', to + specifier.slice(from.length))] : [],
        )
    return spots.flatMap((spot) => jsFile(spot, (name) => tree.files.has(name)) ?? [])
  })
}

/** The module at a path, with or without its extension. A source may be imported by the name of its build output. */
export function jsFile(spot: string | null, has: (path: string) => boolean): string | null {
  if (spot === null) return null
  const bare = spot.replace(/\.([cm]?)jsx?$/, '')
  const names = [
    spot,
    ...JS_ENDINGS.map((ending) => spot + ending),
    ...(bare === spot ? [] : JS_ENDINGS.map((ending) => bare + ending)),
    ...JS_ENDINGS.map((ending) => `${spot}/index${ending}`),
  ]
  return names.find(has) ?? null
}

/** Only `"@/*": ["src/*"]` entries of a tsconfig are followed. */
function aliasesIn(tree: TreeTexts): readonly Alias[] {
  const text = tree.read('tsconfig.json') ?? tree.read('jsconfig.json') ?? ''
  const base = /"baseUrl"\s{0,9}:\s{0,9}"([^"]{0,200})"/.exec(text)?.[1] ?? '.'
  const entries = text.matchAll(/"([^"*\n]{1,100})\*"\s{0,9}:\s{0,9}\[\s{0,99}"([^"*\n]{0,200})\*"/g)
  return [...entries].map(([, from = '', to = '']) => ({ from, to: `${base}/${to}` }))
}

const PY_FROM = /^[ \t]*from[ \t]+(\.{0,5})([\w.]*)[ \t]+import[ \t]*(?:\(([^()]*)|([^#\n]*))/gm
const PY_IMPORT = /^[ \t]*import[ \t]+([\w., \t]+)/gm

function pyTargets(path: string, text: string, { tree }: Repository): readonly string[] {
  const asked: string[] = []
  // Lines may continue after a backslash.
  const plain = text.replace(/\\\r?\n/g, ' ')
  for (const [, dots = '', name = '', list = '', line = ''] of plain.matchAll(PY_FROM)) {
    const roots =
      dots === '' ? pyRoots(path) : [resolvePath(folderOf(path), '../'.repeat(dots.length - 1)) ?? '']
    // Lists in brackets may contain comments.
    const names = (list === '' ? line : list)
      .replace(/#.*/g, '')
      .split(',')
      .map((one) => /\w+/.exec(one)?.[0] ?? '')
    for (const root of roots) {
      const spot = joined(root, name.replaceAll('.', '/'))
      asked.push(spot, ...names.map((one) => joined(spot, one)))
    }
  }
  for (const [, list = ''] of plain.matchAll(PY_IMPORT)) {
    for (const one of list.split(',')) {
      const spot = (/[\w.]+/.exec(one)?.[0] ?? '').replaceAll('.', '/')
      for (const root of pyRoots(path)) asked.push(joined(root, spot))
    }
  }
  return asked.flatMap((spot) => [`${spot}.py`, `${spot}/__init__.py`].filter((name) => tree.files.has(name)))
}

const joined = (folder: string, path: string): string =>
  [folder, path].filter((part) => part !== '').join('/')

/** A module may be at the root, under `src`, or beside the file. */
const pyRoots = (path: string): readonly string[] => [...new Set(['', 'src', 'lib', folderOf(path)])]

/** Files of one package see each other; an import loads a whole package. */
function goTargets(path: string, text: string, { module, packages }: Repository): readonly string[] {
  const imports = text.matchAll(/^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\n]{1,300})"/gm)
  const folders = [...imports].flatMap(([, imported = '']) =>
    module !== null && `${imported}/`.startsWith(`${module}/`) ? [imported.slice(module.length + 1)] : [],
  )
  return [folderOf(path), ...folders].flatMap((folder) => packages.get(folder) ?? [])
}
