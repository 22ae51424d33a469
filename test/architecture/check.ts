/** Holds a tree of source files against the table. Knows no disk: the tree comes in as a map. */
import { posix } from 'node:path'
import { cyclesOf } from './cycles.ts'
import { importsOf, type Import } from './imports.ts'
import { impuritiesOf } from './purity.ts'
import { parseSource, type Syntax } from './syntax.ts'
import { COMPOSITION, EXCEPTIONS, MAX_LINES, PARTS, ROOTS, type Part } from './table.ts'

export interface Violation {
  readonly file: string
  readonly line: number
  readonly rule:
    | 'import'
    | 'package'
    | 'purity'
    | 'length'
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

export function checkArchitecture(tree: SourceTree): readonly Violation[] {
  const files = [...tree].map(([path, text]): SourceFile => {
    const syntax = parseSource(path, text)
    return { path, text, syntax, imports: importsOf(syntax) }
  })
  return [
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

function checkImports(file: SourceFile): readonly Violation[] {
  const from = partOf(file.path)
  if (from === null || file.path === COMPOSITION || isTest(file.path)) return []
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
  if (to === null || target === COMPOSITION)
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
  if (!file.path.startsWith('src/') || !file.path.endsWith('.test.ts')) return []
  const tested = posix.join(posix.dirname(file.path), `${posix.basename(file.path).split('.', 1)[0]}.ts`)
  if (tree.has(tested)) return []
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

/**
 * No files load each other in a circle, and no folders import each other, not even types, unless one is inside
 * the other.
 */
function checkCycles(files: readonly SourceFile[]): readonly Violation[] {
  const fileEdges: Edge[] = []
  const folderEdges: Edge[] = []
  for (const file of files) {
    for (const one of file.imports) {
      if (one.target === null || !one.target.startsWith('.')) continue
      const target = resolve(file.path, one.target)
      const place = { file: file.path, line: one.line }
      if (one.kind === 'static') fileEdges.push({ from: file.path, to: target, place })
      const [from, to] = [posix.dirname(file.path), posix.dirname(target)]
      if (!isTest(file.path) && !isNested(from, to)) folderEdges.push({ from, to, place })
    }
  }
  return [...cyclesOf(fileEdges), ...cyclesOf(folderEdges)].map(({ place, names }) => {
    return { ...place, rule: 'cycle', message: `imports go in a circle: ${names.join(' → ')}` }
  })
}

interface Edge {
  readonly from: string
  readonly to: string
  readonly place: { readonly file: string; readonly line: number }
}

function isNested(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)
}

function targetsOf(file: SourceFile): readonly string[] {
  return file.imports.flatMap(({ target }) => (target?.startsWith('.') ? [resolve(file.path, target)] : []))
}

function resolve(from: string, target: string): string {
  return posix.normalize(posix.join(posix.dirname(from), target))
}

/** What a file may do although its part may not. */
function isException(file: string, what: string): boolean {
  return EXCEPTIONS.some((one) => one.file === file && one.may === what)
}

/** `core` of `src/core/planning/plan.ts`, `lib/text` of `src/lib/text/a.ts`; null outside the parts of src/. */
function partOf(path: string): string | null {
  const [, folder] = /^src\/(.+)\/[^/]+$/.exec(path) ?? []
  if (folder === undefined) return null
  const names = Object.keys(PARTS).filter((name) => isWithin(folder, name))
  return names.toSorted((a, b) => b.length - a.length)[0] ?? folder.split('/', 1)[0] ?? null
}

const isWithin = (folder: string, other: string): boolean => `${folder}/`.startsWith(`${other}/`)

function isTest(path: string): boolean {
  return /\.(test|conformance)\.ts$/.test(path)
}
