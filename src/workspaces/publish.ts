/**
 * Hands proven work to the user's repository: objects, then refs in one transaction, each only from the value it is
 * known to have. HEAD, index and work trees are not touched, no hook runs, no ref is forced.
 */
import type { UserRepository } from './user-repository.ts'
import { fields, GitFailed, type Git } from './git.ts'
import { FETCH, type Quarantine } from './quarantine.ts'

export const workingBranch = (plan: string): string => `refs/heads/feat/${plan}/working`

/** `short` is a slug of the task's title: `refs/heads/feat/shop/task-7-login`. */
export const heldBranch = (plan: string, task: string, short: string): string =>
  `refs/heads/feat/${plan}/${short === '' ? task : `${task}-${short}`}`

export const checkpointTag = (plan: string, task: string): string => `refs/tags/pm/${plan}/checkpoint-${task}`

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
  /** Nothing was changed. Another look may go better: git was at work in the repository. */
  | { readonly ok: false; readonly why: 'busy'; readonly detail: string }
  /** The user moved it, or made one of that name. */
  | { readonly ok: false; readonly why: 'moved'; readonly ref: string; readonly found: string }
  | { readonly ok: false; readonly why: 'deleted'; readonly ref: string }
  /** Moving a branch that is checked out would turn the user's work tree upside down. */
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

/** All of the updates or none. What is there already counts as done, so it may be asked again. */
export async function publish(job: Publishing): Promise<Published> {
  const open: RefUpdate[] = []
  for (const update of job.updates) {
    const found = await refValue(job, update.ref)
    if (found === update.to) continue
    const isOurs = found !== null && found !== update.from && ((await update.isOurs?.(found)) ?? false)
    const known = isOurs ? { ...update, from: found } : update
    const problem = await problemWith(job, known, found)
    if (problem !== null) return problem
    open.push(known)
  }
  if (open.length === 0) return { ok: true }
  const fetched = await job.git.run({
    args: [...FETCH, '--update-shallow', job.quarantine.place.gitDir, ...open.map((update) => update.to)],
    at: job.user.place,
  })
  if (fetched.kind !== 'exited' || fetched.code !== 0) throw new GitFailed(['fetch'], fetched)
  return move(job, open)
}

async function problemWith(
  job: Publishing,
  update: RefUpdate,
  found: string | null,
): Promise<Published | null> {
  const { ref, from, to } = update
  if (found === null) {
    if (from !== null) return { ok: false, why: 'deleted', ref }
    const other = await inTheWay(job, ref)
    return other === null ? null : { ok: false, why: 'in_the_way', ref: other }
  }
  if (found !== from) return { ok: false, why: 'moved', ref, found }
  if (!(await isAncestor(job, from, to))) return { ok: false, why: 'not_fast_forward', ref }
  const where = await checkedOutAt(job, ref)
  return where === null ? null : { ok: false, why: 'checked_out', ref, where }
}

async function move(job: Publishing, updates: readonly RefUpdate[]): Promise<Published> {
  const input = updates
    .map(({ ref, to, from }) =>
      from === null ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${from}\0`,
    )
    .join('')
  const outcome = await job.git.run({
    args: ['update-ref', '-m', `bosun: ${job.reason}`, '-z', '--stdin'],
    at: job.user.place,
    input,
  })
  if (outcome.kind === 'exited' && outcome.code === 0) return { ok: true }
  // Somebody was quicker, or holds a lock: the refs say which.
  for (const { ref, to, from } of updates) {
    const found = await refValue(job, ref)
    if (found === to || found === from) continue
    return found === null ? { ok: false, why: 'deleted', ref } : { ok: false, why: 'moved', ref, found }
  }
  if (outcome.kind === 'exited') return { ok: false, why: 'busy', detail: outcome.stderr }
  throw new GitFailed(['update-ref'], outcome)
}

function refValue(job: Publishing, ref: string): Promise<string | null> {
  return job.git.lineOrNull({ args: ['rev-parse', '--verify', '--quiet', ref], at: job.user.place })
}

async function isAncestor(job: Publishing, from: string, to: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', from, to]
  const outcome = await job.quarantine.git.run({ args, at: job.quarantine.place })
  if (outcome.kind !== 'exited' || outcome.code > 1) throw new GitFailed(args, outcome)
  return outcome.code === 0
}

async function inTheWay(job: Publishing, ref: string): Promise<string | null> {
  const names = ref.split('/')
  const above = names.map((_, at) => names.slice(0, at).join('/')).slice(3)
  const output = await job.git.line({
    args: ['for-each-ref', '--format=%(refname)', `${ref}/`, ...above],
    at: job.user.place,
  })
  return output.split('\n').find((name) => name.startsWith(`${ref}/`) || above.includes(name)) ?? null
}

/** The work tree in which a branch is checked out, or null. */
async function checkedOutAt(job: Publishing, ref: string): Promise<string | null> {
  const output = await job.git.read({ args: ['worktree', 'list', '--porcelain', '-z'], at: job.user.place })
  let where = ''
  for (const line of fields(output)) {
    if (line.startsWith('worktree '))
      where = Buffer.from(line.slice('worktree '.length), 'latin1').toString('utf8')
    if (line === `branch ${Buffer.from(ref).toString('latin1')}`) return where
  }
  return null
}
