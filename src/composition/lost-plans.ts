/** Refuses a database that has lost the plans of existing worker folders: it was emptied or replaced. */
import { join } from 'node:path'
import { livingPid, workerFolders } from '../agents/worker-folders.ts'
import { refuseUnknownWorkers, unknownWorkers } from '../app/workers/unknown-workers.ts'
import { Refusal } from '../lib/refusal.ts'
import type { EventReader } from '../ports/event-log.ts'
import { refuseLostDatabase } from '../store/open-store.ts'
import { StoreError } from '../store/store-error.ts'

export async function refuseLostPlans(log: Pick<EventReader, 'streams'>, root: string): Promise<void> {
  const unknown = await unknownWorkers(log, workerFolders(root))
  refuseUnknownWorkers(unknown, root, (worker) => livingPid(root, worker))
}

/** The refusal for a daemon that ended because its database is gone; null where the database exists. */
export async function lostDatabase(root: string): Promise<Refusal | null> {
  try {
    await refuseLostDatabase(join(root, 'bosun.db'))
    return null
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const message = `the daemon stopped: ${error.message}`
    return new Refusal({ code: 'no_daemon', message, remedy: error.remedy, cause: error })
  }
}
