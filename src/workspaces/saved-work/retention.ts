/** Retention rules. A worker's saved work goes last, and only after its plan has finished. */
import type { CleanedRepository, CleaningOrder } from '../../ports/caretaker.ts'
import type { CheckoutSlots } from '../clones/slots.ts'
import type { ClonePool } from '../clones/clone-pool.ts'
import { listTree } from '../git/trees.ts'
import type { Quarantine } from '../quarantine.ts'

/**
 * Releases the work trees of finished plans' workers (saving them first), removes unused folders, and deletes saved
 * work that has expired and whose every file has landed. Objects stay until no plan is active.
 */
export async function clean(
  job: Omit<CleaningOrder, 'isIdle'> & {
    readonly quarantine: Quarantine
    readonly clones: ClonePool
    readonly checkouts: CheckoutSlots
    /** How many free work trees and checkouts stay ready. */
    readonly keepSlots: number
  },
): Promise<Omit<CleanedRepository, 'caches'>> {
  const released: string[] = []
  for (const worker of await job.clones.workers()) {
    if (!job.finishedWorkers.has(worker)) continue
    await job.clones.release(worker, job.nowMs)
    released.push(worker)
  }
  const folders = (await job.clones.shrink(job.keepSlots)) + (await job.checkouts.shrink(job.keepSlots))
  const saved = [
    ...(await job.quarantine.refs('refs/salvage/')),
    ...(await job.quarantine.refs('refs/collected/')),
  ]
  const expired = saved.filter(
    ({ ref, atMs }) =>
      job.finishedWorkers.has(ref.split('/').at(-1) ?? '') && job.nowMs - atMs > job.keepSavedMs,
  )
  const forgotten: string[] = []
  // Folders that could not be saved completely come first.
  const kept = [...job.finishedWorkers].flatMap((worker) => job.clones.kept(worker) ?? [])
  const landed = expired.length === 0 ? new Set<string>() : await landedFiles(job.quarantine)
  for (const { ref, sha } of expired) {
    const isOnlyHere = await holdsMore(job.quarantine, sha, landed)
    if (!isOnlyHere) await job.quarantine.deleteRef(ref, sha)
    const into = isOnlyHere ? kept : forgotten
    into.push(ref)
  }
  return { released, folders, forgotten, kept }
}

/** Where proven work lies, and what it started from. */
const LANDED = ['refs/base/', 'refs/plans/', 'refs/bosun/']

/** The files of everything that landed, by their content. */
async function landedFiles(quarantine: Quarantine): Promise<ReadonlySet<string>> {
  const refs = (await Promise.all(LANDED.map((prefix) => quarantine.refs(prefix)))).flat()
  const files = new Set<string>()
  for (const commit of new Set(refs.map(({ sha }) => sha)))
    for (const file of await filesOf(quarantine, commit)) files.add(file)
  return files
}

/** Whether saved work, or what it was saved on top of, holds a file that landed nowhere. */
async function holdsMore(quarantine: Quarantine, sha: string, landed: ReadonlySet<string>): Promise<boolean> {
  const known = LANDED.map((prefix) => `--glob=${prefix}*`)
  for (const commit of await quarantine.lines('rev-list', sha, '--not', ...known))
    if ((await filesOf(quarantine, commit)).some((file) => !landed.has(file))) return true
  return false
}

async function filesOf({ git, place }: Quarantine, commit: string): Promise<readonly string[]> {
  return (await listTree(git, commit, { at: place })).map(({ sha }) => sha)
}

/** Prunes unreferenced objects. Only without active plans, since running workers borrow them. */
export async function forgetUnnamed(quarantine: Quarantine): Promise<void> {
  await quarantine.git.read({
    args: ['-c', 'gc.pruneExpire=now', 'gc', '--quiet', '--prune=now'],
    at: quarantine.place,
  })
}
