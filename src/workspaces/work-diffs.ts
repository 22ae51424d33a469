/** Differences in one repository of Bosun's, for people to read. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkDiffs } from '../ports/checkouts.ts'
import type { ClonePool } from './clones/clone-pool.ts'
import { Git, surroundingsIn } from './git/git.ts'
import { workDiff } from './git/tree-diff.ts'
import type { Quarantine } from './quarantine.ts'
import { lookAtWork, collectedRef } from './saved-work/work-snapshot.ts'

interface Places extends Pick<Quarantine, 'git' | 'place'> {
  /** Of an open repository: who works where. */
  readonly clones: Pick<ClonePool, 'find'> | null
}

/** For a repository that no plan has open; null where no work was ever done in it. */
export function diffsIn(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): WorkDiffs | null {
  const gitDir = join(directory, 'quarantine.git')
  if (!existsSync(gitDir)) return null
  return workDiffs({ git: new Git(surroundingsIn(env)), place: { gitDir }, clones: null })
}

export function workDiffs(places: Places): WorkDiffs {
  const { git, place, clones } = places
  const valueOf = (name: string): Promise<string | null> =>
    git.lineOrNull({ args: ['rev-parse', '--verify', '--quiet', name], at: place })
  const between = async (from: string, to: string, mostBytes: number) => {
    const [base, head] = [await valueOf(from), await valueOf(to)]
    return base === null || head === null ? null : workDiff(places, { base, head }, mostBytes)
  }
  return {
    between,
    ofCommit: (sha, mostBytes) => between(`${sha}^1`, `${sha}^{commit}`, mostBytes),
    ofDraft: ({ plan, worker, tree }, mostBytes) =>
      between(`refs/plans/${plan}/onto/${worker}`, tree, mostBytes),
    async ofWorker({ worker, base }, mostBytes) {
      const clone = (await clones?.find(worker)) ?? null
      const looked = clone === null ? null : await lookAtWork(clone)
      if (clone === null || looked === null) {
        const ref = collectedRef(worker)
        return base === 'draft' ? null : between(`${ref}^1`, ref, mostBytes)
      }
      const { start } = clone
      const from = base === 'draft' ? (start.tree ?? start.commit) : start.commit
      const diff = await between(from, looked.tree, mostBytes)
      // The tree is in no ref: a command that names it may find nothing later.
      return diff === null ? null : { ...diff, isCut: diff.isCut || !looked.isWhole, command: null }
    },
  }
}
