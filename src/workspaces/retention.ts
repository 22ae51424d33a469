/** What may go, and when. What a worker wrote goes last, and only with the plan it was written for. */
import type { CheckoutSlots } from './checkout-slots.ts'
import type { ClonePool } from './clone-pool.ts'
import type { Quarantine } from './quarantine.ts'

export interface RetentionRules {
  /** How long saved work of a finished plan is kept. */
  readonly keepSavedMs: number
  /** How many free work trees and checkouts stay ready. */
  readonly keepSlots: number
}

export interface SavedWork {
  readonly ref: string
  readonly sha: string
  readonly atMs: number
}

/** The saved work that may go: of workers of finished plans, and older than the rules keep it. */
export function expiredWork(
  saved: readonly SavedWork[],
  known: {
    readonly finishedWorkers: ReadonlySet<string>
    readonly nowMs: number
    readonly rules: RetentionRules
  },
): readonly SavedWork[] {
  return saved.filter(
    ({ ref, atMs }) =>
      known.finishedWorkers.has(ref.split('/').at(-1) ?? '') && known.nowMs - atMs > known.rules.keepSavedMs,
  )
}

export interface Cleaned {
  readonly released: readonly string[]
  readonly slots: number
  readonly savedWork: readonly string[]
}

/**
 * Gives back the work trees of workers of finished plans (saving them first), removes folders nobody uses, and
 * forgets saved work whose time is over. Objects stay until no plan lives.
 */
export async function clean(job: {
  readonly quarantine: Quarantine
  readonly clones: ClonePool
  readonly checkouts: CheckoutSlots
  /** Workers of plans that are finished or cancelled; all others are left alone. */
  readonly finishedWorkers: ReadonlySet<string>
  readonly nowMs: number
  readonly rules: RetentionRules
}): Promise<Cleaned> {
  const released: string[] = []
  for (const worker of await job.clones.workers()) {
    if (!job.finishedWorkers.has(worker)) continue
    await job.clones.release(worker, job.nowMs)
    released.push(worker)
  }
  const slots =
    (await job.clones.shrink(job.rules.keepSlots)) + (await job.checkouts.shrink(job.rules.keepSlots))
  const saved = [
    ...(await job.quarantine.refs('refs/salvage/')),
    ...(await job.quarantine.refs('refs/collected/')),
  ]
  const expired = expiredWork(saved, job)
  for (const one of expired) await job.quarantine.deleteRef(one.ref, one.sha)
  return { released, slots, savedWork: expired.map((one) => one.ref) }
}

/** Lets go of objects nothing names any more. Only while no plan lives: a running worker borrows them. */
export async function forgetUnnamed(quarantine: Quarantine): Promise<void> {
  await quarantine.git.read({
    args: ['-c', 'gc.pruneExpire=now', 'gc', '--quiet', '--prune=now'],
    at: quarantine.place,
  })
}
