/** Commits of proven work, made from trees without a checkout. */
import { fromText } from '../git/byte-path.ts'
import { commitTree, type NewCommit } from '../git/commit-tree.ts'
import { GitFailed } from '../git/git.ts'
import type { TreeEdit } from '../git/trees.ts'
import type { Quarantine } from '../quarantine.ts'

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
