/** Commits of proven work, made from trees without a checkout. */
import { fromText } from '../git/byte-path.ts'
import { commitTree, type NewCommit, type TreeEdit } from '../git/trees.ts'
import { GitFailed } from '../git/git.ts'
import type { Quarantine } from '../quarantine.ts'
import { Recent } from '../../lib/recent.ts'

export interface CommitKey {
  /** Names as they stand in branches: `shop`, `task-7`. */
  readonly plan: string
  readonly task: string
  readonly attempt: number
}

export const commitRef = (key: CommitKey): string => `refs/bosun/${key.plan}/${key.task}/${key.attempt}`

/** Makes the commit of an attempt once; a repeated call returns the same commit, whatever its values. */
export async function commitOnce(quarantine: Quarantine, key: CommitKey, commit: NewCommit): Promise<string> {
  const before = await quarantine.refValue(commitRef(key))
  if (before !== null) return before
  return quarantine.setRef(commitRef(key), await commitTree(quarantine, commit), null)
}

export interface NewFile {
  readonly path: string
  readonly content: string | Buffer
}

/** The tree with these files in it, new or in the place of others. */
export function withFiles({ trees }: Quarantine, tree: string, files: readonly NewFile[]): Promise<string> {
  return trees.write(tree, files.map(fileEdit))
}

export const fileEdit = ({ path, content }: NewFile): TreeEdit => ({
  path: fromText(path),
  content: Buffer.from(content),
})

export type Merged =
  | { readonly ok: true; readonly tree: string }
  | { readonly ok: false; readonly why: 'conflict'; readonly paths: readonly string[] }
  /** The two share no history. */
  | { readonly ok: false; readonly why: 'unrelated' }

/** Merges two commits into a tree, against what they have in common. No merge driver runs: none is defined. */
export async function mergeTrees(quarantine: Quarantine, ours: string, theirs: string): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]
  const outcome = await quarantine.git.run({ args, at: quarantine.place })
  if (outcome.kind !== 'exited') throw new GitFailed(args, outcome)
  if (outcome.stderr.includes('unrelated histories')) return { ok: false, why: 'unrelated' }
  if (outcome.code > 1) throw new GitFailed(args, outcome)
  const [tree = '', ...paths] = outcome.stdout.toString('utf8').split('\0')
  if (outcome.code === 0) return { ok: true, tree }
  const named = paths.filter((path) => path !== '')
  return { ok: false, why: 'conflict', paths: [...new Set(named)].sort() }
}

/**
 * The tree of a draft, made on `base`, on top of where the branch is now. Where the branch did not move it is the
 * draft's own tree.
 */
export async function rebaseTree(
  quarantine: Quarantine,
  draft: { readonly tree: string; readonly base: string; readonly onto: string },
): Promise<Merged> {
  if (draft.base === draft.onto) return { ok: true, tree: draft.tree }
  const commit = await commitTree(quarantine, {
    tree: draft.tree,
    parents: [draft.base],
    message: 'A draft\n',
    author: { name: 'Bosun', email: 'bosun@localhost' },
    atMs: 0,
  })
  return mergeTrees(quarantine, draft.onto, commit)
}

// What has landed, as proof sees it: without the plan's review artifacts, whose text is known only once a tree is proven.
// Landing adds them, so the tree of a tip is the proven tree and its artifacts. All of it can be derived from the commits.

/** The line of a task's commit that names its review artifact. */
const REVIEW_LINE = /^Review: (.+)$/m
const KEPT_TIPS = 16

export class ProvenTip {
  readonly #quarantine: Quarantine
  /** The commit the plan started from. */
  readonly #base: () => Promise<string>
  readonly #known = new Recent<string>(KEPT_TIPS)

  constructor(quarantine: Quarantine, base: () => Promise<string>) {
    this.#quarantine = quarantine
    this.#base = base
  }

  /** The tree of a tip without the plan's review artifacts. */
  async tree(tip: string): Promise<string> {
    const known = this.#known.get(tip)
    if (known !== undefined) return known
    const base = await this.#base()
    const tree =
      tip === base
        ? await this.#quarantine.treeOf(tip)
        : await this.#quarantine.trees.write(tip, await this.#asBefore(base, tip))
    this.#known.keep(tip, tree)
    return tree
  }

  /** Saves deriving it: a commit landed whose tree is this one and artifacts. */
  learn(tip: string, tree: string): void {
    this.#known.keep(tip, tree)
  }

  /** A proven tree with the artifacts that have landed by this tip, and more of them. */
  async withArtifacts(tree: string, tip: string, more: readonly NewFile[] = []): Promise<string> {
    const { trees } = this.#quarantine
    const landed = await trees.differences(await this.tree(tip), tip)
    const edits = [...landed.map(({ path, after }) => ({ path, entry: after })), ...more.map(fileEdit)]
    return edits.length === 0 ? tree : trees.write(tree, edits)
  }

  /** Work that was begun on this tip, without the artifacts that lay there. */
  async withoutArtifacts(tree: string, tip: string): Promise<string> {
    const { trees } = this.#quarantine
    const artifacts = await trees.differences(await this.tree(tip), tip)
    if (artifacts.length === 0) return tree
    const edits = artifacts.map(({ path, before }) => ({ path, entry: before }))
    return trees.write(tree, edits)
  }

  async #asBefore(base: string, tip: string): Promise<readonly TreeEdit[]> {
    const { git, place, trees } = this.#quarantine
    const args = ['log', '--first-parent', '-z', '--format=%B', `${base}..${tip}`]
    const messages = (await git.line({ args, at: place })).split('\0')
    const paths = new Set(messages.flatMap((message) => REVIEW_LINE.exec(message)?.[1] ?? []))
    return Promise.all(
      [...paths].map(async (path) => ({
        path: fromText(path),
        entry: await trees.at(base, fromText(path)),
      })),
    )
  }
}
