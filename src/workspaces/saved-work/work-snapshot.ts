/**
 * The tree of everything a worker wrote. Saved first, then judged: what may not land is refused with a reason each,
 * and the saved commit is named either way.
 */
import { bytePath, pathList, pathText, fromText, lookAt, type BytePath } from '../git/byte-path.ts'
import type { Clone } from '../clones/clone-pool.ts'
import { commitTree } from '../git/trees.ts'
import { BOSUN, fields } from '../git/git.ts'
import { salvage, salvageRef, type Salvaged } from './salvage.ts'
import { takenTree, withScratchIndex, takeOut } from '../git/scratch-index.ts'
import { SNAPSHOT_LIMITS, survey, type Refused, type SnapshotLimits } from '../survey/survey.ts'
import { copyFile, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Refusal } from '../../lib/refusal.ts'
import type { Quarantine } from '../quarantine.ts'

export type Snapshot =
  | {
      readonly ok: true
      readonly tree: string
      /** The saved commit. */
      readonly salvage: string
      readonly unsaved: readonly string[]
      /** Whether this is what is there now, not what was there when it was first asked for. */
      readonly isNew: boolean
    }
  | {
      readonly ok: false
      readonly why: 'refused'
      readonly refused: readonly Refused[]
      readonly salvage: string
      readonly unsaved: readonly string[]
    }
  /** The work tree is gone or is no folder; what was saved before, if anything was. */
  | { readonly ok: false; readonly why: 'missing'; readonly salvage: string | null }

interface Options {
  readonly atMs: number
  readonly limits?: SnapshotLimits
}

/** Reads what is there now. */
export async function takeSnapshot(clone: Clone, options: Options): Promise<Snapshot> {
  if (!clone.tree.isThere()) {
    return { ok: false, why: 'missing', salvage: await clone.quarantine.refValue(salvageRef(clone.worker)) }
  }
  const { placed } = clone
  const seen = await survey(clone.tree, { limits: options.limits ?? SNAPSHOT_LIMITS, placed })
  const saved = await salvage(clone, seen, options.atMs)
  const common = { salvage: saved.commit, unsaved: saved.unsaved }
  const refused = [...seen.refused, ...saved.missing.map(({ path, why }) => ({ path, reason: why }))]
  if (refused.length > 0) return { ok: false, why: 'refused', refused, ...common }

  const landing = seen.hasAttributes
    ? await converted(clone, saved.rawTree)
    : { tree: saved.rawTree, refused: [] }
  if (landing.refused.length > 0) return { ok: false, why: 'refused', refused: landing.refused, ...common }
  return { ok: true, tree: landing.tree, isNew: true, ...common }
}

/** Saves what is there now; null where there is nothing to read. */
export async function saveWork(clone: Clone, atMs: number): Promise<Salvaged | null> {
  if (!clone.tree.isThere()) return null
  return salvage(clone, await survey(clone.tree, { placed: clone.placed }), atMs)
}

export const collectedRef = (worker: string): string => `refs/collected/${worker}`

/** Takes the worker's snapshot once: asked again it answers with the same tree, whatever is on disk by then. */
export async function collect(clone: Clone, options: Options): Promise<Snapshot> {
  const { quarantine, worker, start } = clone
  const before = await quarantine.refValue(collectedRef(worker))
  if (before !== null) return collectedAs(clone, before)
  const taken = await takeSnapshot(clone, options)
  if (!taken.ok) return taken
  const commit = (await saysItAll(clone, taken))
    ? taken.salvage
    : await commitTree(quarantine, {
        tree: taken.tree,
        parents: [start.commit, taken.salvage],
        message: `What ${worker} made\n`,
        author: BOSUN,
        atMs: options.atMs,
      })
  const kept = await quarantine.setRef(collectedRef(worker), commit, null)
  return kept === commit ? taken : collectedAs(clone, kept)
}

/** Mostly what was saved is what is collected, made from the start and with nothing beside it: one commit is enough. */
async function saysItAll({ quarantine, start }: Clone, taken: Snapshot & { ok: true }): Promise<boolean> {
  const saved = (await quarantine.reader.content(taken.salvage))?.content.toString('latin1') ?? ''
  return saved.startsWith(`tree ${taken.tree}\nparent ${start.commit}\nauthor `)
}

async function collectedAs(clone: Clone, commit: string): Promise<Snapshot> {
  const text = (await clone.quarantine.reader.content(commit))?.content.toString('utf8') ?? ''
  const [, saved = commit] = [...text.matchAll(/^parent (\w+)$/gm)].map((match) => match[1])
  const [, tree = ''] = /^tree (\w+)$/m.exec(text) ?? []
  return { ok: true, tree, salvage: saved, unsaved: [], isNew: false }
}

/** The tree as git would commit it by its attributes: line ends and encodings converted, no filter run. */
async function converted(clone: Clone, rawTree: string): Promise<{ tree: string; refused: Refused[] }> {
  const { git } = clone.quarantine
  const start = clone.start.tree ?? clone.start.commit
  const paths = await changedPaths(clone, start, rawTree)
  return withScratchIndex(clone.tree.scratch, async (index) => {
    const at = clone.tree.place('plain', index)
    await git.read({ args: ['read-tree', start], at })
    const { tree, failed } = await takenTree(git, at, paths)
    const filtered = await filteredPaths(clone, tree, paths)
    return {
      tree,
      refused: [
        ...failed.map((path) => ({ path: pathText(path), reason: 'not_encodable' as const })),
        ...filtered.map((path) => ({ path: pathText(path), reason: 'filtered' as const })),
      ],
    }
  })
}

/** Changed files that belong to a filter, which is not run: only a Git LFS pointer is what the filter would have made. */
async function filteredPaths(clone: Clone, tree: string, paths: readonly BytePath[]): Promise<BytePath[]> {
  const { git, reader, trees } = clone.quarantine
  const output = await git.read({
    args: ['check-attr', '-z', '--stdin', 'filter'],
    at: clone.tree.place('plain'),
    input: pathList(paths),
  })
  const answers = fields(output)
  const found: BytePath[] = []
  for (let at = 0; at + 2 < answers.length; at += 3) {
    const [path = '', , filter = ''] = answers.slice(at, at + 3)
    if (filter === 'unspecified' || filter === 'unset') continue
    const entry = await trees.at(tree, bytePath(path))
    const blob = entry === null ? null : await reader.content(entry.sha)
    const isPointer =
      filter === 'lfs' && blob?.content.toString('latin1', 0, 40).startsWith(LFS_POINTER) === true
    if (blob !== null && !isPointer) found.push(bytePath(path))
  }
  return found
}

const LFS_POINTER = 'version https://git-lfs'

async function changedPaths(clone: Clone, from: string, to: string): Promise<BytePath[]> {
  const differences = await clone.quarantine.trees.differences(from, to)
  return differences.map(({ path }) => path)
}

// The tree of what a running worker has written so far. Nothing is saved, and no index but a passing one changes.

/** What is larger is not read to be looked at. */
const MOST_FILE_BYTES = 4 * 1024 * 1024
const MOST_TOTAL_BYTES = 64 * 1024 * 1024

interface LookedAt {
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

/** Refuses a plan that began elsewhere: begun once more from today's HEAD, it would be released without what has landed. */
export async function requireKeptWork(quarantine: Quarantine, plan: string): Promise<void> {
  if ((await quarantine.refValue(`refs/plans/${plan}/base`)) !== null) return
  const folder = dirname(quarantine.place.gitDir)
  throw new Refusal({
    code: 'conflict',
    message: `its earlier work is not in ${folder}; copy that folder from the state root where the plan started`,
    remedy: 'Stop the daemons of both state roots before copying.',
  })
}
