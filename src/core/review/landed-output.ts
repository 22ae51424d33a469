/** What a finished task really changed, for the briefs of the tasks that depend on it. */
import type { ChangedFile } from '../gates/change.ts'
import { outlineOf } from '../languages/file-outline.ts'
import { isTestPath } from '../languages/paths.ts'
import { withoutRecords, type LandedChange } from './task-delta.ts'

export interface LandedOutput {
  readonly files: readonly {
    readonly path: string
    readonly kind: ChangedFile['kind']
    readonly added: number
    readonly removed: number
  }[]
  /** How many more there are. */
  readonly more: number
  readonly added: number
  readonly removed: number
  /** Public names by what happened to them: found by patterns in the changed lines, so some may be missing. */
  readonly names: {
    readonly added: readonly string[]
    readonly changed: readonly string[]
    readonly removed: readonly string[]
  }
}

const MOST_FILES = 20
const MOST_NAMES = 20

/** Without Bosun's own records. The largest changes first. */
export function landedOutput({ change }: LandedChange, ownFolders: readonly string[]): LandedOutput {
  const own = withoutRecords(change, ownFolders)
  const bySize = own
    .map(({ path, kind, added, removed }) => ({ path, kind, added: added.length, removed: removed.length }))
    .toSorted((a, b) => b.added + b.removed - (a.added + a.removed))
  return {
    files: bySize.slice(0, MOST_FILES),
    more: Math.max(0, bySize.length - MOST_FILES),
    added: bySize.reduce((sum, { added }) => sum + added, 0),
    removed: bySize.reduce((sum, { removed }) => sum + removed, 0),
    names: publicNames(own),
  }
}

function publicNames(files: readonly ChangedFile[]): LandedOutput['names'] {
  const [fresh, gone] = [new Set<string>(), new Set<string>()]
  for (const { path, added, removed, isBinary } of files) {
    if (isBinary || isTestPath(path) || !isCode(path)) continue
    for (const name of namesIn(path, added)) fresh.add(name)
    for (const name of namesIn(path, removed)) gone.add(name)
  }
  const few = (names: readonly string[]): readonly string[] => names.slice(0, MOST_NAMES)
  return {
    added: few([...fresh].filter((name) => !gone.has(name))),
    changed: few([...fresh].filter((name) => gone.has(name))),
    removed: few([...gone].filter((name) => !fresh.has(name))),
  }
}

/** Keys and headings of documents are no interface. */
const isCode = (path: string): boolean => !/\.(?:md|mdx|ya?ml|toml|json|jsonc|lock)$/i.test(path)

const namesIn = (path: string, lines: readonly { readonly text: string }[]): readonly string[] =>
  outlineOf(path, lines.map(({ text }) => text).join('\n')).holds
