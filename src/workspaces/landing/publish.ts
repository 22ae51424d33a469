/**
 * Hands proven work to the user's repository: objects, then refs in one transaction, each only from the value it is
 * known to have. HEAD, index and work trees are not touched, no hook runs, no ref is forced.
 */
import type { RepositoryChange } from '../../core/events/worker/repository-changed.ts'
import type { UserRepository } from '../user-repository.ts'
import { foldersAbove } from '../git/byte-path.ts'
import { GitFailed, type Git, type GitCall, type GitOutcome } from '../git/git.ts'
import { FETCH, type Quarantine } from '../quarantine.ts'

export const workingBranch = (plan: string): string => `refs/heads/feat/${plan}/working`

/** `short` is a slug of the task's title: `refs/heads/feat/shop/task-7-login`. */
export const heldBranch = (plan: string, task: string, short: string): string =>
  `refs/heads/feat/${plan}/${short === '' ? task : `${task}-${short}`}`

export const checkpointTag = (plan: string, task: string): string => `refs/tags/pm/${plan}/checkpoint-${task}`

const PUBLISHED = /^refs\/(?:heads\/feat|tags\/pm)\/([^/]+)\//

/** Whether a ref of the user's moved as Bosun moves one: forward, to what has landed in the plan of its name. */
export async function isPublished(
  quarantine: Quarantine,
  { name, from, to }: RepositoryChange,
): Promise<boolean> {
  const [, plan] = PUBLISHED.exec(name) ?? []
  if (plan === undefined || to === null) return false
  const tip = await quarantine.refValue(`refs/plans/${plan}/tip`)
  if (tip === null || (await quarantine.refValue(to)) !== to || !(await quarantine.isAncestor(to, tip)))
    return false
  return from === null || ((await quarantine.refValue(from)) === from && quarantine.isAncestor(from, to))
}

export interface RefUpdate {
  /** Its full name. */
  readonly ref: string
  readonly to: string
  /** What Bosun is known to have published there last; null where it is new. */
  readonly from: string | null
  /** Whether Bosun alone can have put this there: it was killed before it could note that it had. */
  readonly isOurs?: ((found: string) => Promise<boolean>) | undefined
}

export type Published =
  | { readonly ok: true }
  /** Nothing was changed, since another git process was using the repository. Worth a retry. */
  | { readonly ok: false; readonly why: 'busy'; readonly detail: string }
  /** The user moved it, or made one of that name. */
  | { readonly ok: false; readonly why: 'moved'; readonly ref: string; readonly found: string }
  | { readonly ok: false; readonly why: 'deleted'; readonly ref: string }
  /** Moving a checked-out branch would make the user's work tree look changed. */
  | { readonly ok: false; readonly why: 'checked_out'; readonly ref: string; readonly where: string }
  | { readonly ok: false; readonly why: 'not_fast_forward'; readonly ref: string }
  /** A ref of the user's whose name leaves no room: `feat`, or `feat/shop/working/x`. */
  | { readonly ok: false; readonly why: 'in_the_way'; readonly ref: string }

interface Publishing {
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  readonly updates: readonly RefUpdate[]
  readonly reason: string
}

/** All of the updates or none. Idempotent: refs already in place count as done. */
export async function publish(job: Publishing): Promise<Published> {
  const refs = await userRefs(job)
  const open: RefUpdate[] = []
  for (const update of job.updates) {
    const found = refs.get(update.ref)?.sha ?? null
    if (found === update.to) continue
    const isOurs = found !== null && found !== update.from && ((await update.isOurs?.(found)) ?? false)
    const known = isOurs ? { ...update, from: found } : update
    const problem = await problemWith(job, known, refs)
    if (problem !== null) return problem
    open.push(known)
  }
  if (open.length === 0) return { ok: true }
  await fetchAll(job, open)
  return judged(job, open, await job.git.run(moving(job, open)))
}

async function problemWith(
  job: Publishing,
  update: RefUpdate,
  refs: ReadonlyMap<string, UserRef>,
): Promise<Published | null> {
  const { ref, from, to } = update
  const found = refs.get(ref)
  if (found === undefined) {
    if (from !== null) return { ok: false, why: 'deleted', ref }
    const above = foldersOf(ref)
    const other = [...refs.keys()].find((name) => name.startsWith(`${ref}/`) || above.includes(name))
    return other === undefined ? null : { ok: false, why: 'in_the_way', ref: other }
  }
  if (found.sha !== from) return { ok: false, why: 'moved', ref, found: found.sha }
  if (!(await job.quarantine.isAncestor(from, to))) return { ok: false, why: 'not_fast_forward', ref }
  return found.checkedOutAt === null
    ? null
    : { ok: false, why: 'checked_out', ref, where: found.checkedOutAt }
}

async function fetchAll(job: Publishing, updates: readonly RefUpdate[]): Promise<void> {
  const tips = updates.map((update) => update.to)
  await job.git.read({
    args: [...FETCH, '--update-shallow', job.quarantine.place.gitDir, ...tips],
    at: job.user.place,
  })
}

function moving(job: Publishing, updates: readonly RefUpdate[]): GitCall {
  const input = updates
    .map(({ ref, to, from }) =>
      from === null ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${from}\0`,
    )
    .join('')
  return { args: ['update-ref', '-m', `bosun: ${job.reason}`, '-z', '--stdin'], at: job.user.place, input }
}

/** Whether the refs were moved, and if not, why. */
async function judged(
  job: Publishing,
  updates: readonly RefUpdate[],
  outcome: GitOutcome,
): Promise<Published> {
  if (outcome.kind === 'exited' && outcome.code === 0) return { ok: true }
  // A concurrent change or a lock: the refs show which.
  const refs = await userRefs(job)
  for (const { ref, to, from } of updates) {
    const found = refs.get(ref)?.sha ?? null
    if (found === to || found === from) continue
    return found === null ? { ok: false, why: 'deleted', ref } : { ok: false, why: 'moved', ref, found }
  }
  if (outcome.kind === 'exited') return { ok: false, why: 'busy', detail: outcome.stderr }
  throw new GitFailed(['update-ref'], outcome)
}

interface UserRef {
  readonly sha: string
  /** The work tree in which a branch is checked out, or null. */
  readonly checkedOutAt: string | null
}

/** The user's refs of these names, and those whose names leave no room for them. */
async function userRefs(job: Publishing): Promise<ReadonlyMap<string, UserRef>> {
  const names = job.updates.flatMap(({ ref }) => [ref, `${ref}/`, ...foldersOf(ref)])
  const format = '%(refname)%00%(objectname)%00%(worktreepath)%00'
  const output = await job.git.read({
    args: ['for-each-ref', `--format=${format}`, ...new Set(names)],
    at: job.user.place,
  })
  const cells = output.toString('utf8').split('\0')
  const refs = new Map<string, UserRef>()
  for (let at = 0; at + 2 < cells.length; at += 3) {
    const [name = '', sha = '', where = ''] = cells.slice(at, at + 3)
    refs.set(name.replace(/^\n/, ''), { sha, checkedOutAt: where === '' ? null : where })
  }
  return refs
}

/** Names above a ref's that would be a file where it needs a folder: `refs/heads/feat` for `refs/heads/feat/a`. */
const foldersOf = (ref: string): readonly string[] => foldersAbove(ref).slice(2)
