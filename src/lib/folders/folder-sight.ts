/** What folders look like, so that a later look shows whether anything in them was changed: by inodes and ctimes. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { textOf } from '../process/output-keeper.ts'
import { runTool } from '../process/run-capped.ts'

/** Longer than the tick of any system clock: two changes within one tick have the same ctime. */
const TICK_MS = 20
const MOST_LISTING_BYTES = 256 * 1024 * 1024

/** By path: inode, permissions and, but for folders, size and ctime. */
export type FolderSight = ReadonlySet<string>

/** Null where later changes could not be seen: `find` cannot list them, or a file in them has another name elsewhere. */
export async function sightOf(root: string, entries: readonly string[]): Promise<FolderSight | null> {
  await pause(TICK_MS)
  return look(root, entries)
}

/** False also where they cannot be compared. */
export async function isUnchanged(
  sight: FolderSight,
  root: string,
  entries: readonly string[],
): Promise<boolean> {
  const now = await look(root, entries)
  return now !== null && now.size === sight.size && [...now].every((line) => sight.has(line))
}

const FOLDERS = String.raw`d 1 %i %m %U:%G - - %p\0`
const FILES = String.raw`%y %n %i %m %U:%G %s %C@ %p\0`
/** So many paths are read without a pause for other work of this process. */
const SLICE = 5000

/**
 * `find` sees a hundred thousand files in a second. Null where it cannot tell, where an entry is no folder, or where a file has a
 * name outside of these folders, through which it could be changed later.
 */
async function look(root: string, entries: readonly string[]): Promise<FolderSight | null> {
  const folders = new Set(entries.map((entry) => `./${entry}`))
  const listing = ['(', '-type', 'd', '-printf', FOLDERS, ')', '-o', '-printf', FILES]
  const limits = { maxOutputBytes: MOST_LISTING_BYTES }
  const { code, output } = await runTool(['find', ...folders, ...listing], root, limits)
  if (code !== 0 || output.omittedBytes > 0) return null
  const lines = new Set<string>()
  /** By inode, how many names of a file with several were not seen. */
  const unseen = new Map<string, number>()
  for (const [at, line] of textOf(output).split('\0').entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn()
    if (line === '') continue
    const [type, links = '', inode = '', , , , , ...words] = line.split(' ')
    if (type === 'd') folders.delete(words.join(' '))
    if (Number(links) > 1) unseen.set(inode, (unseen.get(inode) ?? Number(links)) - 1)
    lines.add(line)
  }
  return folders.size === 0 && [...unseen.values()].every((left) => left === 0) ? lines : null
}
