/** The area a task locks, derived from the files it touches. */
import { isFolderPath, kindOfPath, nameOf, segmentsOf, stemOf } from '../languages/paths.ts'

/** The whole repository. */
export const EVERYTHING = '.'

/** The smallest area that contains every file; `.` where they share none or there are none. */
export function areaOfFiles(paths: readonly string[]): string {
  const areas = new Set(decisive(paths).map(areaOfFile))
  const [first, ...rest] = areas
  return first === undefined ? EVERYTHING : rest.reduce(commonFolder, first)
}

/** Two areas conflict when they are equal or one contains the other. */
export const areasConflict = (a: string, b: string): boolean => keysConflict(areaKey(a), areaKey(b))

/** For many comparisons: an area whose key begins with that of another lies in it. */
export const areaKey = (area: string): string =>
  segmentsOf(area)
    .map((segment) => `${segment}/`)
    .join('')

export const keysConflict = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a)

/** Tests, docs and lock files count only where there are no sources. */
function decisive(paths: readonly string[]): readonly string[] {
  const kinds = new Set(paths.map(kindOfPath))
  if (kinds.has('source') || kinds.has('asset')) {
    return paths.filter((path) => !['test', 'doc', 'lock'].includes(kindOfPath(path)))
  }
  const withoutLocks = paths.filter((path) => kindOfPath(path) !== 'lock')
  return withoutLocks.length > 0 ? withoutLocks : paths
}

/** The first two folders (in a monorepo: the package), `folder/stem` for a file one deep, the name of a root file. */
function areaOfFile(path: string): string {
  const segments = segmentsOf(path)
  const folders = isFolderPath(path) ? segments : segments.slice(0, -1)
  const [root, second] = folders
  if (root === undefined) return nameOf(path) || EVERYTHING
  if (second !== undefined) return `${root}/${second}`
  if (isFolderPath(path)) return root
  return `${root}/${stemOf(path)}`
}

function commonFolder(a: string, b: string): string {
  const [left, right] = [segmentsOf(a), segmentsOf(b)]
  const common: string[] = []
  for (const [at, segment] of left.entries()) {
    if (right[at] !== segment) break
    common.push(segment)
  }
  return common.length === 0 ? EVERYTHING : common.join('/')
}
