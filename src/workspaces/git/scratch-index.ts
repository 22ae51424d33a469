/** Trees made in an index file of their own, which is gone afterwards. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathList, type BytePath } from './byte-path.ts'
import type { Git, GitCall, GitPlace } from './git.ts'

export async function withScratchIndex<T>(directory: string, use: (index: string) => Promise<T>): Promise<T> {
  const index = join(directory, `index-${randomUUID()}`)
  try {
    return await use(index)
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

/**
 * The tree of an index after files of the work tree were taken into it; and which could not be taken, where the rest
 * was.
 */
export async function takenTree(
  git: Git,
  at: GitPlace,
  paths: readonly BytePath[],
): Promise<{ readonly tree: string; readonly failed: readonly BytePath[] }> {
  const taking = (some: readonly BytePath[]): GitCall => ({
    args: ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'],
    at,
    input: pathList(some),
  })
  const failed: BytePath[] = []
  if (paths.length > 0 && !(await succeeds(git, taking(paths))))
    // Git gives up at the first that fails: one that is being written, or cannot be converted.
    for (const path of paths) if (!(await succeeds(git, taking([path])))) failed.push(path)
  return { tree: await writeTree(git, at), failed }
}

async function succeeds(git: Git, call: GitCall): Promise<boolean> {
  const outcome = await git.run(call)
  return outcome.kind === 'exited' && outcome.code === 0
}

export async function takeOut(git: Git, at: GitPlace, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return
  await git.read({ args: ['update-index', '-z', '--force-remove', '--stdin'], at, input: pathList(paths) })
}

/** What a path is to hold, by its object; mode 0 and no object for nothing. */
export interface Entry {
  readonly mode: string
  readonly sha: string
  readonly path: BytePath
}

/** Sets entries in the index, with no file anywhere. */
export async function setEntries(git: Git, at: GitPlace, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const lines = entries.map((one) => `${one.mode} ${one.sha}\t${one.path}\0`).join('')
  await git.read({ args: ['update-index', '-z', '--index-info'], at, input: Buffer.from(lines, 'latin1') })
}

export const writeTree = (git: Git, at: GitPlace): Promise<string> => git.line({ args: ['write-tree'], at })
