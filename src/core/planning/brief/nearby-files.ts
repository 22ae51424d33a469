/** Files around a task: those near its own, images that its text refers to, env files. */
import { compareText } from '../ids.ts'
import {
  folderOf,
  inFolder,
  isOutside,
  isPattern,
  isTestPath,
  kindOfPath,
  nameOf,
  normalPath,
  segmentsOf,
} from '../../languages/paths.ts'
import type { TaskSpec } from '../plan.ts'
import type { Brief } from './brief.ts'

type Named = Pick<TaskSpec, 'files' | 'testsToAdd'>
export type NearbyFiles = Pick<Brief, 'keyPaths' | 'patternToFollow'>

export const NOTHING_NEARBY: NearbyFiles = { keyPaths: [], patternToFollow: null }

const MOST_PATHS = 8
const MOST_FOLDERS = 40
const TEST_FOLDERS = ['test', 'tests', '__tests__', 'spec']

/** The folders whose files are worth a look, the nearest first: those of the named files, and where their tests may be. */
export function foldersNear(task: Named): readonly string[] {
  const own = unique(namedPaths(task).map(folderOf))
  return unique([...own, ...own.flatMap(testFoldersOf)]).slice(0, MOST_FOLDERS)
}

/** `src/cart` → `src/cart/test`, `test/cart`, `test`, and the same with the other names of test folders. */
function testFoldersOf(folder: string): readonly string[] {
  const below = segmentsOf(folder).slice(1)
  const mirrored = below.map((_, at) => below.slice(0, below.length - at).join('/'))
  return TEST_FOLDERS.flatMap((name) => [
    inFolder(folder, name),
    ...mirrored.map((path) => `${name}/${path}`),
    name,
  ])
}

/** `found` are the files of those folders. */
export function nearbyFiles(task: Named, found: readonly string[]): NearbyFiles {
  const named = new Set(namedPaths(task))
  const folders = foldersNear(task)
  const extensions = new Set([...named].map(extensionOf))
  const rank = (path: string): number => folders.indexOf(folderOf(path))
  const near = found
    .filter((path) => !named.has(path) && extensions.has(extensionOf(path)) && rank(path) !== -1)
    .toSorted((a, b) => rank(a) - rank(b) || compareText(a, b))
  const own = new Set([...named].map(folderOf))
  const tests = near.filter((path) => isTestPath(path) && kindOfPath(path) === 'test')
  return {
    keyPaths: near
      .filter((path) => own.has(folderOf(path)) && kindOfPath(path) === 'source')
      .slice(0, MOST_PATHS)
      .map((path) => ({ name: null, path })),
    patternToFollow: tests[0] ?? null,
  }
}

export function namedPaths({ files, testsToAdd }: Named): readonly string[] {
  const all = [...files.create, ...files.modify, ...files.delete, ...testsToAdd]
  return unique(all.filter((path) => !isPattern(path) && !isOutside(path)).map(normalPath))
}

const extensionOf = (path: string): string => nameOf(path).split('.').at(-1) ?? ''

const unique = (items: readonly string[]): readonly string[] => [...new Set(items)]

const MOST_REFERENCES = 20
const LONGEST = 500

/** `![mock](docs/mock.png "title")`, or a plain path. */
const MARKDOWN = /!\[[^\]\n]*\]\(\s*(?:<([^>\n]+)>|([^)\s]+))[^)\n]*\)/g
const PLAIN = /(?<![\w/.:%~-])(?:[\w@.-]+\/)*[\w@.-]+\.(?:png|jpe?g|gif|webp)(?![\w/-]|\.\w)/gi
const IS_IMAGE = /\.(?:png|jpe?g|gif|webp)$/i

/** Relative paths as they are written, in their order. Addresses, absolute paths and files that the task makes are left out. */
export function imageReferences(
  spec: Pick<TaskSpec, 'description' | 'acceptanceCriteria' | 'files'>,
): readonly string[] {
  const text = [spec.description, ...spec.acceptanceCriteria].join('\n')
  const inMarkdown = [...text.matchAll(MARKDOWN)].map(([, quoted, plain]) => decoded(quoted ?? plain ?? ''))
  const named = [...text.replaceAll(MARKDOWN, ' ').matchAll(PLAIN)].map(([path]) => path)
  const made = new Set(spec.files.create)
  const found = [...inMarkdown, ...named].filter(
    (path) => IS_IMAGE.test(path) && isRelative(path) && path.length <= LONGEST && !made.has(path),
  )
  return [...new Set(found)].slice(0, MOST_REFERENCES)
}

const isRelative = (path: string): boolean =>
  !/^(?:[a-z][a-z\d+.-]*:|\/|~|\\)/i.test(path) && !path.includes('\0')

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Not encoded.
    return path
  }
}

/** The paths of `environment.env_files` that lie in the repository and not in its `.git`. */
export function envFilePaths(configured: readonly string[] | undefined): readonly string[] {
  const paths = (configured ?? []).filter((path) => !isOutside(path)).map(normalPath)
  return [...new Set(paths)].filter((path) => path !== '' && !path.split('/').some(isGitFolder))
}

const isGitFolder = (name: string): boolean => /^(\.|\.git)$/i.test(name)
