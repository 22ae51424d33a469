/** What became of the branch a plan started from, and how the plan's work would meet it, were a person to merge it now. */
import type { BaseForecast } from '../../ports/workspace.ts'
import { mergeTrees } from '../landing/commits.ts'
import type { LandingParts } from '../landing/landing.ts'
import type { PlanWorkspace } from '../plan-workspace.ts'
import type { Quarantine } from '../quarantine.ts'

interface Parts extends Pick<LandingParts, 'git' | 'user' | 'quarantine' | 'plan'> {
  readonly workspace: PlanWorkspace
}

/**
 * A look that is cheap to repeat: the two are merged again only when one of them has moved. `known` is the branch that
 * was written down before.
 */
export async function baseForecast(
  parts: Parts,
  known: string | null,
): Promise<() => Promise<BaseForecast | null>> {
  const ref = await startBranch(parts, known)
  let last: { readonly of: string; readonly forecast: BaseForecast } | null = null
  return async () => {
    if (ref === null) return null
    const [tip, start] = await Promise.all([parts.workspace.tip(), parts.workspace.start()])
    const args = ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]
    const now = await parts.git.lineOrNull({ args, at: parts.user.place })
    const branch = ref.slice('refs/heads/'.length)
    if (now === start) return { branch, kind: 'unmoved', behind: 0, conflicts: [] }
    const of = `${now} ${tip}`
    if (last?.of === of) return last.forecast
    const forecast = { branch, ...(await forecastMerge(parts, now, tip)) }
    last = { of, forecast }
    return forecast
  }
}

/** `base` is where the base branch is now, null where it is gone; `working` is a commit in the quarantine. */
export async function forecastMerge(
  { user, quarantine }: Pick<Parts, 'user' | 'quarantine'>,
  base: string | null,
  working: string,
): Promise<Omit<BaseForecast, 'branch'>> {
  if (base === null) return { kind: 'base_gone', behind: 0, conflicts: [] }
  await quarantine.fetch(user, base)
  const merged = await mergeTrees(quarantine, base, working)
  if (!merged.ok && merged.why === 'unrelated') return { kind: 'unrelated', behind: 0, conflicts: [] }
  const behind = await quarantine.git.line({
    args: ['rev-list', '--count', base, `^${working}`],
    at: quarantine.place,
  })
  const conflicts = merged.ok ? [] : merged.paths
  return { kind: merged.ok ? 'clean' : 'conflicts', behind: Number(behind), conflicts }
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
