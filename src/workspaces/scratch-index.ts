/** Trees made in an index file of their own, which is gone afterwards. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathList, type BytePath } from './byte-path.ts'
import type { Git, GitPlace } from './git.ts'

export async function withScratchIndex<T>(directory: string, use: (index: string) => Promise<T>): Promise<T> {
  const index = join(directory, `index-${randomUUID()}`)
  try {
    return await use(index)
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

/** Takes files from the work tree into the index. Answers which it could not take; the rest is taken. */
export async function takeIn(
  git: Git,
  at: GitPlace,
  paths: readonly BytePath[],
): Promise<readonly BytePath[]> {
  if (paths.length === 0) return []
  const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin']
  const all = await git.run({ args, at, input: pathList(paths) })
  if (all.kind === 'exited' && all.code === 0) return []
  // Git gives up at the first that fails: one that is being written, or cannot be converted.
  const failed: BytePath[] = []
  for (const path of paths) {
    const one = await git.run({ args, at, input: pathList([path]) })
    if (one.kind !== 'exited' || one.code !== 0) failed.push(path)
  }
  return failed
}

export async function takeOut(git: Git, at: GitPlace, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return
  await git.read({ args: ['update-index', '-z', '--force-remove', '--stdin'], at, input: pathList(paths) })
}

export interface Entry {
  readonly mode: '100644' | '100755' | '120000'
  readonly sha: string
  readonly path: BytePath
}

/** Sets entries in the index by their object, with no file anywhere. */
export async function setEntries(git: Git, at: GitPlace, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const lines = entries.map((one) => `${one.mode} ${one.sha}\t${one.path}\0`).join('')
  await git.read({ args: ['update-index', '-z', '--index-info'], at, input: Buffer.from(lines, 'latin1') })
}

export const writeTree = (git: Git, at: GitPlace): Promise<string> => git.line({ args: ['write-tree'], at })
