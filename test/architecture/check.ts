/** Holds a tree of source files against the table. Knows no disk: the tree comes in as a map. */
import { posix } from 'node:path'
import { cyclesOf, edgesOnCircles } from './cycles.ts'
import { importsOf, type Import } from './imports.ts'
import { impuritiesOf } from './purity.ts'
import { parseSource, type Syntax } from './syntax.ts'
import { CORE, EXCEPTIONS, MAX_FILES, MAX_LINES, PARTS, ROOTS, type Part } from './table.ts'

export interface Violation {
  readonly file: string
  readonly line: number
  readonly rule:
    | 'import'
    | 'package'
    | 'purity'
    | 'length'
    | 'folder'
    | 'core-folder'
    | 'cycle'
    | 'unreachable'
    | 'test-place'
    | 'unknown-part'
  readonly message: string
}

/** Path from the root of the repository, with slashes, to text. */
export type SourceTree = ReadonlyMap<string, string>

interface SourceFile {
  readonly path: string
  readonly text: string
  readonly syntax: Syntax
  readonly imports: readonly Import[]
}

const parsed = new WeakMap<SourceTree, readonly SourceFile[]>()

/** A tree is parsed once, however many rules look at it. */
function filesOf(tree: SourceTree): readonly SourceFile[] {
  const files =
    parsed.get(tree) ??
    [...tree].map(([path, text]): SourceFile => {
      const syntax = parseSource(path, text)
      return { path, text, syntax, imports: importsOf(syntax) }
    })
  parsed.set(tree, files)
  return files
}

export function checkArchitecture(tree: SourceTree): readonly Violation[] {
  const files = filesOf(tree)
  return [
    ...checkFolders(files),
    ...files.flatMap(checkCore),
    ...files.flatMap(checkLength),
    ...files.flatMap(checkImports),
    ...files.flatMap(checkPurity),
    ...files.flatMap((file) => checkTestPlace(file, tree)),
    ...checkReachable(files),
    ...checkCycles(files),
  ]
}

function checkLength(file: SourceFile): readonly Violation[] {
  const lines = file.text.replace(/\n$/, '').split('\n').length
  if (lines <= MAX_LINES) return []
  const message = `${lines} lines; past ${MAX_LINES} a file has a second idea`
  return [{ file: file.path, line: MAX_LINES + 1, rule: 'length', message }]
}

function checkFolders(files: readonly SourceFile[]): readonly Violation[] {
  const own = files.filter(({ path }) => /^(web\/)?src\//.test(path) && !isBesideSource(path))
  const folders = Map.groupBy(own, ({ path }) => posix.dirname(path))
  return [...folders].flatMap(([folder, { length }]) => {
    if (length <= MAX_FILES) return []
    return [{ file: folder, line: 1, rule: 'folder', message: `${length} files; more than ${MAX_FILES}` }]
  })
}

/** What stands beside the file it belongs to, so that it is no further one to look through. */
const isBesideSource = (path: string): boolean => isTest(path) || path.endsWith('.fixture.ts')

function checkCore(file: SourceFile): readonly Violation[] {
  const from = coreFolderOf(file.path)
  if (from === null || isTest(file.path)) return []
  const allowed = CORE[from]
  if (allowed === undefined)
    return [
      {
        file: file.path,
        line: 1,
        rule: 'core-folder',
        message: `core/${from} is not in the table of the core`,
      },
    ]
  return file.imports.flatMap((one): readonly Violation[] => {
    if (one.kind === 'type' || one.target === null || !one.target.startsWith('.')) return []
    const to = coreFolderOf(resolve(file.path, one.target))
    if (to === null || to === from || allowed.includes(to)) return []
    const message = `core/${from} may import types alone of core/${to}`
    return [{ file: file.path, line: one.line, rule: 'core-folder', message }]
  })
}

/** `planning` of `src/core/planning/readers/fields.ts`; null outside the core. */
const coreFolderOf = (path: string): string | null => /^src\/core\/([^/]+)\//.exec(path)?.[1] ?? null

function checkImports(file: SourceFile): readonly Violation[] {
  const from = partOf(file.path)
  if (from === null || isTest(file.path)) return []
  const part = PARTS[from]
  if (part === undefined) {
    return [{ file: file.path, line: 1, rule: 'unknown-part', message: `src/${from} is not in the table` }]
  }
  return file.imports.flatMap((one) => {
    const complaint = complaintAbout(one, file.path, from, part)
    return complaint === null ? [] : [{ file: file.path, line: one.line, ...complaint }]
  })
}

function complaintAbout(
  one: Import,
  file: string,
  from: string,
  part: Part,
): Pick<Violation, 'rule' | 'message'> | null {
  if (one.target === null) return { rule: 'import', message: 'imports something computed' }
  if (!one.target.startsWith('.')) {
    return isException(file, one.target) ? null : packageComplaint(one.target, from, part)
  }
  const target = resolve(file, one.target)
  const to = partOf(target)
  // Data beside the source, such as package.json, is no part of it.
  if (to === null && target.endsWith('.json')) return null
  if (to === null || (to === 'entry' && from !== 'entry'))
    return { rule: 'import', message: `${from} may not import ${target}` }
  if (to === from || part.imports.some((name) => isWithin(to, name))) return null
  if (one.kind === 'type' && part.types?.includes(to) === true) return null
  if (isException(file, target)) return null
  const kind = part.types?.includes(to) === true ? 'only types of' : 'nothing of'
  return { rule: 'import', message: `${from} may import ${kind} ${to}, and this is ${target}` }
}

function packageComplaint(
  target: string,
  from: string,
  part: Part,
): Pick<Violation, 'rule' | 'message'> | null {
  if (target.startsWith('node:')) {
    return part.node === 'yes' ? null : { rule: 'package', message: `${from} may not import ${target}` }
  }
  const name = target.split('/', target.startsWith('@') ? 2 : 1).join('/')
  if (part.packages === 'any' || part.packages.includes(name)) return null
  return { rule: 'package', message: `${from} may not import the package ${name}` }
}

function checkPurity(file: SourceFile): readonly Violation[] {
  const purity = PARTS[partOf(file.path) ?? '']?.purity
  if (purity === undefined || isTest(file.path)) return []
  return impuritiesOf(file.syntax, purity)
    .filter(({ what }) => !isException(file.path, what))
    .map(({ line, what }) => {
      return { file: file.path, line, rule: 'purity', message: `${what} has no place in ${purity} code` }
    })
}

/** `retry.test.ts` and `retry.crash.test.ts` stand beside `retry.ts`. */
function checkTestPlace(file: SourceFile, tree: SourceTree): readonly Violation[] {
  if (!/^(web\/)?src\//.test(file.path) || !file.path.endsWith('.test.ts')) return []
  const tested = posix.join(posix.dirname(file.path), `${posix.basename(file.path).split('.', 1)[0]}.ts`)
  if (tree.has(tested) || tree.has(`${tested}x`)) return []
  return [{ file: file.path, line: 1, rule: 'test-place', message: `stands beside no ${tested}` }]
}

function checkReachable(files: readonly SourceFile[]): readonly Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const queue = files.filter((file) => ROOTS.some((root) => root.pattern.test(file.path)))
  const reached = new Set(queue.map((file) => file.path))
  for (const file of queue) {
    for (const target of targetsOf(file)) {
      const next = byPath.get(target)
      if (next === undefined || reached.has(target)) continue
      reached.add(target)
      queue.push(next)
    }
  }
  return files
    .filter((file) => !reached.has(file.path))
    .map((file) => ({ file: file.path, line: 1, rule: 'unreachable', message: 'nothing imports it' }))
}

/** No files load each other in a circle. */
function checkCycles(files: readonly SourceFile[]): readonly Violation[] {
  const edges = files.flatMap((file) =>
    importedBy(file)
      .filter(({ kind }) => kind === 'static')
      .map(({ target, line }) => ({ from: file.path, to: target, place: { file: file.path, line } })),
  )
  return cyclesOf(edges).map(({ place, names }) => {
    return { ...place, rule: 'cycle', message: `imports go in a circle: ${names.join(' → ')}` }
  })
}

/** Imports between folders of src/ that can reach each other, types included; a folder and those in it are no two. */
export function importsOnCircles(tree: SourceTree): readonly string[] {
  const own = filesOf(tree).filter(({ path }) => path.startsWith('src/') && !isTest(path))
  const edges = own.flatMap((file) =>
    importedBy(file).map(({ target }) => ({ from: posix.dirname(file.path), to: posix.dirname(target) })),
  )
  return edgesOnCircles(edges.filter(({ from, to }) => !isNested(from, to)))
}

const importedBy = (file: SourceFile): readonly (Import & { readonly target: string })[] =>
  file.imports.flatMap((one) =>
    one.target?.startsWith('.') === true ? [{ ...one, target: resolve(file.path, one.target) }] : [],
  )

function isNested(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)
}

const targetsOf = (file: SourceFile): readonly string[] => importedBy(file).map(({ target }) => target)

function resolve(from: string, target: string): string {
  return posix.normalize(posix.join(posix.dirname(from), target))
}

/** What a file may do although its part may not. */
function isException(file: string, what: string): boolean {
  return EXCEPTIONS.some((one) => one.file === file && one.may === what)
}

/**
 * `core` of `src/core/planning/plan.ts`, `lib/text` of `src/lib/text/a.ts`, `entry` of `src/main.ts`, `web` of
 * `web/src/main.tsx`; null elsewhere.
 */
function partOf(path: string): string | null {
  if (path.startsWith('web/src/')) return 'web'
  if (/^src\/[^/]+$/.test(path)) return 'entry'
  const [, folder] = /^src\/(.+)\/[^/]+$/.exec(path) ?? []
  if (folder === undefined) return null
  const names = Object.keys(PARTS).filter((name) => isWithin(folder, name))
  return names.toSorted((a, b) => b.length - a.length)[0] ?? folder.split('/', 1)[0] ?? null
}

const isWithin = (folder: string, other: string): boolean => `${folder}/`.startsWith(`${other}/`)

function isTest(path: string): boolean {
  return /\.(test|conformance)\.ts$/.test(path)
}
