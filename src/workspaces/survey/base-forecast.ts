/** What became of the branch a plan started from, and how the plan's work would meet it now. */
import type { BaseForecast } from '../../ports/base-forecast.ts'
import { forecastMerge } from './forecast.ts'
import type { Git } from '../git/git.ts'
import type { PlanWorkspace } from '../plan-workspace.ts'
import type { Quarantine } from '../quarantine.ts'
import type { UserRepository } from '../user-repository.ts'

interface Parts {
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  readonly workspace: PlanWorkspace
  readonly plan: string
}

/**
 * A look that is cheap to repeat: the two are merged again only when one of them has moved. `known` is the branch that
 * was written down before.
 */
export async function baseForecast(
  parts: Parts,
  known: string | null,
): Promise<() => Promise<BaseForecast | null>> {
  const branch = await startBranch(parts, known)
  let last: { readonly of: string; readonly forecast: BaseForecast } | null = null
  return async () => {
    if (branch === null) return null
    const [tip, base] = await Promise.all([parts.workspace.tip(), parts.workspace.base()])
    const args = ['rev-parse', '--verify', '--quiet', `${branch}^{commit}`]
    const now = await parts.git.lineOrNull({ args, at: parts.user.place })
    const name = branch.slice('refs/heads/'.length)
    if (now === base) return { branch: name, kind: 'unmoved', behind: 0, conflicts: [] }
    const of = `${now} ${tip}`
    if (last?.of === of) return last.forecast
    const found = await forecastMerge({ ...parts, baseBranch: branch, working: tip })
    const { behind, conflicts } = 'behind' in found ? found : { behind: 0, conflicts: [] }
    const forecast = { branch: name, kind: found.kind, behind, conflicts }
    last = { of, forecast }
    return forecast
  }
}

const branchKey = (plan: string): string => `plan.${plan}.branch`

/** What was written down when the plan was first seen; null where it was not seen yet. */
export function writtenBranch({ git, place }: Quarantine, plan: string): Promise<string | null> {
  return git.lineOrNull({ args: ['config', '--get', branchKey(plan)], at: place })
}

/** The branch that was checked out when the plan was first seen; null where there was none. */
async function startBranch({ quarantine, user, plan }: Parts, known: string | null): Promise<string | null> {
  const { git, place } = quarantine
  if (known !== null) return known === 'none' ? null : known
  const branch = user.base.branch
  await git.read({ args: ['config', branchKey(plan), branch ?? 'none'], at: place })
  return branch
}
