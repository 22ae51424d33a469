/** How a plan's working branch would meet the branch it started from, were a person to merge it now. */
import { mergeTrees } from '../landing/commits.ts'
import type { Git } from '../git/git.ts'
import type { Quarantine } from '../quarantine.ts'
import type { UserRepository } from '../user-repository.ts'

export type Forecast =
  | {
      readonly kind: 'clean' | 'conflicts'
      /** Commits of the working branch the base has not. */
      readonly ahead: number
      /** Commits of the base the working branch has not. */
      readonly behind: number
      readonly conflicts: readonly string[]
    }
  | { readonly kind: 'base_gone' }
  | { readonly kind: 'unrelated' }

export async function forecastMerge(job: {
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  /** Its full name, as it was when the plan started. */
  readonly baseBranch: string
  /** A commit in the quarantine. */
  readonly working: string
}): Promise<Forecast> {
  const base = await job.git.lineOrNull({
    args: ['rev-parse', '--verify', '--quiet', `${job.baseBranch}^{commit}`],
    at: job.user.place,
  })
  if (base === null) return { kind: 'base_gone' }
  await job.quarantine.fetch(job.user, base)
  const merged = await mergeTrees(job.quarantine, base, job.working)
  if (!merged.ok && merged.why === 'unrelated') return { kind: 'unrelated' }
  const counts = await job.quarantine.git.line({
    args: ['rev-list', '--left-right', '--count', `${base}...${job.working}`],
    at: job.quarantine.place,
  })
  const [behind = 0, ahead = 0] = counts.split('\t').map(Number)
  const conflicts = merged.ok ? [] : merged.paths
  return { kind: merged.ok ? 'clean' : 'conflicts', ahead, behind, conflicts }
}
