import type { Identity } from './git.ts'
import type { Quarantine } from './quarantine.ts'

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: Identity
  readonly atMs: number
}

/** Makes a commit without a checkout. The same values make the same commit. */
export function commitTree(quarantine: Quarantine, commit: NewCommit): Promise<string> {
  const date = `@${Math.floor(commit.atMs / 1000)} +0000`
  return quarantine.git.line({
    args: ['commit-tree', commit.tree, ...commit.parents.flatMap((parent) => ['-p', parent])],
    at: quarantine.place,
    input: commit.message,
    env: {
      GIT_AUTHOR_NAME: commit.author.name,
      GIT_AUTHOR_EMAIL: commit.author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  })
}
