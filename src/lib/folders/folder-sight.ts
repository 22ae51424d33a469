/** What folders look like, so that a later look shows whether anything in them was changed: by inodes and ctimes. */
import { hash, randomBytes } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { builtEnvironment } from '../process/built-environment.ts'
import { textOf } from '../process/output-keeper.ts'
import { runCapped } from '../process/run-capped.ts'

const LOOK_MS = 60_000
/** Longer than the tick of any system clock: two changes within one tick have the same ctime. */
const TICK_MS = 20
const MOST_LISTING_BYTES = 256 * 1024 * 1024

/** A mark for every path in them. */
export type FolderSight = ReadonlySet<string>

/** Null where later changes could not be seen: `find` cannot list them, or a file in them has another name elsewhere. */
export async function sightOf(root: string, entries: readonly string[]): Promise<FolderSight | null> {
  await pause(TICK_MS)
  const found = await look(root, entries)
  return found === null || found.isLinkedElsewhere ? null : new Set(found.paths.keys())
}

/** The paths that were added since; null if anything was changed or removed, or cannot be compared. */
export async function addedTo(
  sight: FolderSight,
  root: string,
  entries: readonly string[],
): Promise<readonly string[] | null> {
  const found = await look(root, entries)
  if (found === null || found.isLinkedElsewhere) return null
  const added = [...found.paths].flatMap(([mark, path]) => (sight.has(mark) ? [] : [path]))
  return found.paths.size - added.length === sight.size ? added : null
}

interface Look {
  /** By what shows a change: path, inode, permissions and, but for folders, size and ctime. */
  readonly paths: ReadonlyMap<string, string>
  /** Whether a file has a name outside of these folders, through which it could be changed later. */
  readonly isLinkedElsewhere: boolean
}

/** Without it, no other file with the same mark can be searched for. */
const KEY = randomBytes(16).toString('hex')
const FOLDERS = String.raw`d 1 %i %m %U:%G - - %p\0`
const FILES = String.raw`%y %n %i %m %U:%G %s %C@ %p\0`
/** So many paths are read without a pause for other work of this process. */
const SLICE = 5000

/** `find` sees a hundred thousand files in a second. Null where it cannot tell, or where an entry is no folder. */
async function look(root: string, entries: readonly string[]): Promise<Look | null> {
  const folders = new Set(entries.map((entry) => `./${entry}`))
  const { outcome, output } = await runCapped({
    command: ['find', ...folders, '(', '-type', 'd', '-printf', FOLDERS, ')', '-o', '-printf', FILES],
    cwd: root,
    env: builtEnvironment(process.env),
    timeoutMs: LOOK_MS,
    maxOutputBytes: MOST_LISTING_BYTES,
  })
  if (outcome.kind !== 'exited' || outcome.code !== 0 || output.omittedBytes > 0) return null
  const paths = new Map<string, string>()
  const names = new Map<string, { readonly links: number; readonly seen: number }>()
  for (const [at, line] of textOf(output).split('\0').entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn()
    if (line === '') continue
    const [type, links = '', inode = '', , , , , ...words] = line.split(' ')
    const path = words.join(' ')
    if (type === 'd') folders.delete(path)
    if (Number(links) > 1) names.set(inode, { links: Number(links), seen: (names.get(inode)?.seen ?? 0) + 1 })
    paths.set(hash('sha256', `${KEY} ${line}`, 'base64').slice(0, 20), path)
  }
  if (folders.size > 0) return null
  return { paths, isLinkedElsewhere: [...names.values()].some(({ links, seen }) => links !== seen) }
}
