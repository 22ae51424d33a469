/** The tree of what a running worker has written so far. Nothing is saved, and no index but a passing one changes. */
import { copyFile, stat, utimes } from 'node:fs/promises'
import type { Clone } from '../clones/clone.ts'
import { fromText, lookAt, type BytePath } from '../git/byte-path.ts'
import { takenTree, takeOut, withScratchIndex } from '../git/scratch-index.ts'
import { survey } from '../survey/survey.ts'

/** What is larger is not read to be looked at. */
const MOST_FILE_BYTES = 4 * 1024 * 1024
const MOST_TOTAL_BYTES = 64 * 1024 * 1024

export interface LookedAt {
  readonly tree: string
  /** Whether all it wrote is in the tree. */
  readonly isWhole: boolean
}

/** Null where there is no folder to read. */
export async function lookAtWork(clone: Clone): Promise<LookedAt | null> {
  const { tree: workTree, placed, quarantine } = clone
  if (!workTree.isThere()) return null
  const seen = await survey(workTree, { placed })
  const refused = new Set(seen.refused.map(({ path }) => fromText(path)))
  const readable = smallOnes(
    clone.path,
    seen.written.filter((path) => !refused.has(path)),
  )
  const { index: own } = workTree.place('raw')
  return withScratchIndex(workTree.scratch, async (index) => {
    if (own !== undefined) await copyWithTime(own, index)
    const at = workTree.place('raw', index)
    await takeOut(quarantine.git, at, seen.removed)
    const { tree, failed } = await takenTree(quarantine.git, at, readable)
    return { tree, isWhole: failed.length === 0 && readable.length === seen.written.length }
  })
}

/** Git reads a file again where the index is no younger than it: a younger copy would hide a change of the same second. */
async function copyWithTime(from: string, to: string): Promise<void> {
  const { atimeMs, mtimeMs } = await stat(from)
  await copyFile(from, to)
  await utimes(to, Math.floor(atimeMs) / 1000, Math.floor(mtimeMs) / 1000)
}

function smallOnes(root: string, paths: readonly BytePath[]): readonly BytePath[] {
  let left = MOST_TOTAL_BYTES
  return paths.filter((path) => {
    const found = lookAt(root, path)
    const bytes = found.kind === 'file' ? found.bytes : 0
    if (bytes > MOST_FILE_BYTES || bytes > left) return false
    left -= bytes
    return true
  })
}
