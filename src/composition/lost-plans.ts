/** A database that does not know who works here was emptied or replaced: it is not used as if nothing had been. */
import { join } from 'node:path'
import type { LivingWorkers } from '../app/host/host-to-read.ts'
import { Refusal } from '../lib/refusal.ts'
import type { EventReader } from '../ports/event-log.ts'

export async function refuseLostPlans(log: Pick<EventReader, 'streams'>, root: string): Promise<void> {
  const [{ livingPid, workerFolders }, { refuseUnknownWorkers, unknownWorkers }] = await Promise.all([
    import('../agents/worker-folders.ts'),
    import('../app/workers/unknown-workers.ts'),
  ])
  const unknown = await unknownWorkers(log, workerFolders(root))
  refuseUnknownWorkers(unknown, root, (worker) => livingPid(root, worker))
}

/** Who is at work here for a plan, by the folders of workers alone. */
export async function livingWorkersIn(root: string): Promise<LivingWorkers> {
  const { livingWorkers } = await import('../agents/worker-folders.ts')
  return (repository, plan) => livingWorkers(root, repository, plan)
}

/** Why a daemon ended and no other can be started: its database is gone. Null where it is there. */
export async function lostDatabase(root: string): Promise<Refusal | null> {
  const [{ refuseLostDatabase }, { StoreError }] = await Promise.all([
    import('../store/open-store.ts'),
    import('../store/store-error.ts'),
  ])
  try {
    await refuseLostDatabase(join(root, 'bosun.db'))
    return null
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const message = `the daemon was ended: ${error.message}`
    return new Refusal({ code: 'no_daemon', message, remedy: error.remedy, cause: error })
  }
}
