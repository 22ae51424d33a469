/** What a worker left in its work tree, sorted into what may land, what may not and why, and what only needs saving. */
import { chmodSync } from 'node:fs'
import { foldersAbove, fromText, lookAt, onDisk, pathText, type BytePath } from '../git/byte-path.ts'
import { linkProblem, nameProblem, type LinkProblem, type NameProblem } from '../git/path-rules.ts'
import { Placed } from '../clones/placed.ts'
import { filesBelow, type Oddity } from '../clones/walk.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import { orElse } from '../../lib/or-else.ts'

export interface SnapshotLimits {
  readonly maxFileBytes: number
  /** Of all files that changed, together. */
  readonly maxTotalBytes: number
  readonly maxFiles: number
}

export const SNAPSHOT_LIMITS: SnapshotLimits = {
  maxFileBytes: 50 * 1024 * 1024,
  maxTotalBytes: 500 * 1024 * 1024,
  maxFiles: 100_000,
}

/** A file larger than this is not even saved; its work tree is kept instead. */
const SAVED_FILE_BYTES = 2 * 1024 ** 3
/** Nor are more files than this below one folder that git does not look into. */
const SAVED_FILES = 100_000

export type RefusedReason =
  | NameProblem
  | LinkProblem
  | Oddity['kind']
  | 'file_too_large'
  | 'too_many_files'
  | 'too_much_in_all'
  | 'submodules_changed'
  /** The disk has room, but not for this. */
  | 'no_room'
  /** It holds what an env file of the user's holds. */
  | 'copy_of_env_file'
  /** Its content would have to pass a filter or an encoding, which Bosun does not run or git cannot do. */
  | 'filtered'
  | 'not_encodable'

/** Reasons that a name alone does not explain. */
const REASONS: Partial<Record<RefusedReason, string>> = {
  filtered:
    'an attribute in .gitattributes applies a filter to its content, and Bosun runs no filters; remove the attribute or leave the file unchanged',
  not_encodable: 'an attribute in .gitattributes sets an encoding that its content does not match',
  no_room: 'not enough space on the disk',
  special: 'not a file, a folder or a link',
}

/** For people, and for the worker that has to change it. */
export const refusedWords = (reason: RefusedReason): string => REASONS[reason] ?? reason.replaceAll('_', ' ')

/** Why a tree cannot land. The path is text; `.` stands for the whole tree. */
export interface Refused {
  readonly path: string
  readonly reason: RefusedReason
}

export interface Survey {
  /** Files and links that are new or changed, with names git can hold. */
  readonly written: readonly BytePath[]
  /** Files of the tree that are no longer there as files. */
  readonly removed: readonly BytePath[]
  /** Files under names no tree may hold. */
  readonly unnamable: readonly BytePath[]
  readonly ignored: readonly BytePath[]
  readonly refused: readonly Refused[]
  /** Present, but not to be read or too large to be saved. */
  readonly unsaved: readonly BytePath[]
  readonly hasAttributes: boolean
}

export async function survey(
  tree: WorkTree,
  { limits = SNAPSHOT_LIMITS, placed = new Placed() }: { limits?: SnapshotLimits; placed?: Placed } = {},
  look: 'first' | 'second' = 'first',
): Promise<Survey> {
  const [status, gitlinks] = await Promise.all([tree.status(), tree.gitlinks()])
  const walked = await tree.walk([...status.ignored, ...placed.whole])
  if (walked.opened && look === 'first') return survey(tree, { limits, placed }, 'second')
  const sorted = new Sorting({ root: tree.path, limits, gitlinks, placed })
  // A running process keeps closing folders, so git did not see everything.
  if (walked.opened) sorted.takeOddity({ path: fromText('.'), kind: 'unreadable' })
  for (const oddity of walked.oddities) sorted.takeOddity(oddity)
  for (const path of status.deleted) sorted.removed.push(path)
  for (const path of [...status.changed, ...status.untracked]) sorted.take(path)
  const ignored = status.ignored.filter((path) => !placed.isOurs(tree.path, path))
  return { ...sorted.result(), ignored, hasAttributes: walked.hasAttributes }
}

class Sorting {
  readonly #root: string
  readonly #limits: SnapshotLimits
  readonly #placed: Placed
  /** Folders that hold a submodule; a file in the place of one would take the submodule with it. */
  readonly #aboveSubmodules: ReadonlySet<string>
  readonly #written = new Set<BytePath>()
  readonly #unnamable = new Set<BytePath>()
  readonly #unsaved = new Set<BytePath>()
  readonly #refused: Refused[] = []
  readonly removed: BytePath[] = []
  #bytes = 0

  constructor(about: {
    readonly root: string
    readonly limits: SnapshotLimits
    readonly gitlinks: ReadonlySet<BytePath>
    readonly placed: Placed
  }) {
    this.#root = about.root
    this.#limits = about.limits
    this.#placed = about.placed
    this.#aboveSubmodules = new Set([...about.gitlinks].flatMap((path) => foldersAbove(path)))
  }

  result(): Pick<Survey, 'written' | 'removed' | 'unnamable' | 'refused' | 'unsaved'> {
    const count = this.#written.size + this.removed.length
    if (count > this.#limits.maxFiles) this.#refuse('.', 'too_many_files')
    if (this.#bytes > this.#limits.maxTotalBytes) this.#refuse('.', 'too_much_in_all')
    return {
      written: [...this.#written],
      removed: this.removed,
      unnamable: [...this.#unnamable],
      refused: this.#refused,
      unsaved: [...this.#unsaved],
    }
  }

  takeOddity({ path, kind }: Oddity): void {
    this.#refuse(pathText(path), kind)
    if (kind === 'unreadable') this.#unsaved.add(path)
    if (kind !== 'git_name' && kind !== 'in_submodule') return
    for (const file of this.#below(path)) this.#unnamable.add(file)
  }

  take(path: BytePath): void {
    if (this.#placed.isOurs(this.#root, path)) return
    const found = lookAt(this.#root, path)
    switch (found.kind) {
      case 'gone':
        return
      case 'unreadable':
        this.#unsaved.add(path)
        return this.#refuse(pathText(path), 'unreadable')
      case 'special':
        // The walk has refused it already.
        this.removed.push(path)
        return
      case 'folder':
        // Git shows a repository in the tree as one entry.
        for (const file of this.#below(path)) this.take(file)
        return
      case 'file':
        // Not even saved: what was saved once is never forgotten.
        if (this.#placed.isCopy(this.#root, path)) return this.#refuse(pathText(path), 'copy_of_env_file')
        this.#bytes += found.bytes
        if (found.bytes > this.#limits.maxFileBytes) this.#refuse(pathText(path), 'file_too_large')
        if (found.bytes > SAVED_FILE_BYTES) {
          this.#unsaved.add(path)
          return
        }
        // Where that fails it cannot be read either, and reading it says so.
        if ((found.mode & 0o400) === 0)
          orElse(() => chmodSync(onDisk(this.#root, path), (found.mode & 0o777) | 0o400), null)
        return this.#takeNamed(path)
      case 'link': {
        const problem = linkProblem(pathText(path), found.target)
        if (problem !== null) this.#refuse(pathText(path), problem)
        if (problem !== 'link_read_by_git') return this.#takeNamed(path)
        this.#unnamable.add(path)
        return
      }
    }
  }

  #takeNamed(path: BytePath): void {
    const text = pathText(path)
    if (this.#aboveSubmodules.has(path)) {
      this.#unnamable.add(path)
      return this.#refuse(text, 'submodules_changed')
    }
    const problem = nameProblem(text)
    // Everything under a name for .git was refused where the name was found.
    if (problem !== null && problem !== 'git_name') this.#refuse(text, problem)
    if (text === '.gitmodules') this.#refuse(text, 'submodules_changed')
    if (problem === null || problem === 'path_too_long') this.#written.add(path)
    else this.#unnamable.add(path)
  }

  #below(path: BytePath): readonly BytePath[] {
    const files = filesBelow(this.#root, path, SAVED_FILES)
    if (files === null) this.#unsaved.add(path)
    return files ?? []
  }

  #refuse(path: string, reason: RefusedReason): void {
    this.#refused.push({ path, reason })
  }
}
