/** Refuses a database that has lost the plans of existing worker folders: it was emptied or replaced. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LivingWorkers } from '../app/host/host-to-read.ts'
import { Refusal } from '../lib/refusal.ts'
import type { EventReader } from '../ports/event-log.ts'
import type { Transcripts } from '../ports/transcript.ts'

export async function refuseLostPlans(log: Pick<EventReader, 'streams'>, root: string): Promise<void> {
  if (hasNoWorkers(root)) return
  const [{ livingPid, workerFolders }, { refuseUnknownWorkers, unknownWorkers }] = await Promise.all([
    import('../agents/worker-folders.ts'),
    import('../app/workers/unknown-workers.ts'),
  ])
  const unknown = await unknownWorkers(log, workerFolders(root))
  refuseUnknownWorkers(unknown, root, (worker) => livingPid(root, worker))
}

/** Reads transcripts of workers from their folders. */
export function transcriptsIn(root: string): Transcripts {
  return async (repository, worker, after) => {
    const { readTranscript } = await import('../agents/read-transcript.ts')
    return readTranscript(root, { repository, worker }, after)
  }
}

/** Finds the living workers of a plan that cannot be loaded, so of an earlier start, from the worker folders alone. */
export async function livingWorkersIn(root: string): Promise<LivingWorkers> {
  if (hasNoWorkers(root)) return () => []
  const { livingWorkers } = await import('../agents/worker-folders.ts')
  return (repository, plan) => livingWorkers(root, repository, plan)
}

/** The refusal for a daemon that ended because its database is gone; null where the database exists. */
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
    const message = `the daemon stopped: ${error.message}`
    return new Refusal({ code: 'no_daemon', message, remedy: error.remedy, cause: error })
  }
}

/** Where no plan was ever registered, what reads their folders is not even loaded (bench/idle-memory). */
const hasNoWorkers = (root: string): boolean => !existsSync(join(root, 'repos'))
