/**
 * The import graph of JavaScript, TypeScript, Python and Go files. Imports are found in the text, not in syntax trees:
 * every file of the repository is read, parsing one takes about 2 ms, and a false import in a comment or a string only
 * costs one unnecessary run of a suite.
 */
import { languageOf } from './languages.ts'
import { folderOf, resolvePath } from './paths.ts'

export interface TreeTexts {
  readonly files: ReadonlySet<string>
  read(path: string): string | null
}

type Imports = 'js' | 'python' | 'go'

/** The import syntax of a file; null where it is not supported. */
function importsIn(path: string): Imports | null {
  const name = languageOf(path)?.name
  if (name === 'javascript' || name === 'typescript') return 'js'
  return name === 'python' || name === 'go' ? name : null
}

/** Whether the imports of a file are supported. */
export const isGraphed = (path: string): boolean => importsIn(path) !== null

/** For each file, the files that import it. */
export function importers(tree: TreeTexts): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const aliases = aliasesIn(tree)
  const module = /^module\s+(\S+)/m.exec(tree.read('go.mod') ?? '')?.[1] ?? null
  const packages = Map.groupBy(
    [...tree.files].filter((path) => importsIn(path) === 'go'),
    folderOf,
  )
  for (const path of tree.files) {
    const imports = importsIn(path)
    const text = imports === null ? null : tree.read(path)
    if (text === null) continue
    const targets =
      imports === 'js'
        ? jsTargets(path, text, { tree, aliases })
        : imports === 'python'
          ? pyTargets(path, text, tree)
          : goTargets(path, text, { module, packages })
    for (const target of new Set(targets)) {
      if (target === path) continue
      found.set(target, [...(found.get(target) ?? []), path])
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

function jsTargets(
  path: string,
  text: string,
  { tree, aliases }: { readonly tree: TreeTexts; readonly aliases: readonly Alias[] },
): readonly string[] {
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
/** Lists in brackets may contain comments, and lines may continue after a backslash. */
const plainPython = (text: string): string => text.replace(/\\\r?\n/g, ' ')
const withoutComments = (list: string): string => list.replace(/#.*/g, '')

function pyTargets(path: string, text: string, tree: TreeTexts): readonly string[] {
  const asked: string[] = []
  const plain = plainPython(text)
  for (const [, dots = '', name = '', list = '', line = ''] of plain.matchAll(PY_FROM)) {
    const parts = name === '' ? [] : name.split('.')
    const roots = dots === '' ? pyRoots(path) : [upwards(folderOf(path), dots.length - 1)]
    const names = withoutComments(list === '' ? line : list)
      .split(',')
      .map((one) => /\w+/.exec(one)?.[0] ?? '')
    for (const root of roots) {
      const spot = [root, ...parts].filter((part) => part !== '').join('/')
      asked.push(spot, ...names.map((one) => (spot === '' ? one : `${spot}/${one}`)))
    }
  }
  for (const [, list = ''] of plain.matchAll(PY_IMPORT)) {
    for (const one of list.split(',')) {
      const spot = (/[\w.]+/.exec(one)?.[0] ?? '').replaceAll('.', '/')
      for (const root of pyRoots(path)) asked.push(root === '' ? spot : `${root}/${spot}`)
    }
  }
  return asked.flatMap((spot) => [`${spot}.py`, `${spot}/__init__.py`].filter((name) => tree.files.has(name)))
}

/** A module may be at the root, under `src`, or beside the file. */
const pyRoots = (path: string): readonly string[] => [...new Set(['', 'src', 'lib', folderOf(path)])]

function upwards(folder: string, levels: number): string {
  return folder
    .split('/')
    .slice(0, Math.max(0, folder.split('/').length - levels))
    .join('/')
}

/** Files of one package see each other; an import loads a whole package. */
function goTargets(
  path: string,
  text: string,
  go: { readonly module: string | null; readonly packages: ReadonlyMap<string, readonly string[]> },
): readonly string[] {
  const own = go.packages.get(folderOf(path)) ?? []
  const brought = [...text.matchAll(/^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\n]{1,300})"/gm)].flatMap(
    ([, imported = '']) => {
      const { module } = go
      if (module === null || (imported !== module && !imported.startsWith(`${module}/`))) return []
      return go.packages.get(imported.slice(module.length + 1)) ?? []
    },
  )
  return [...own, ...brought]
}
