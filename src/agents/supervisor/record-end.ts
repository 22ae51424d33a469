import { setTimeout as pause } from 'node:timers/promises'
import { atomicCreateSync } from '../../lib/files/atomic-write.ts'
import { isShortage } from '../worker-files/damaged-file.ts'
import type { WorkerFolder } from '../worker-folder.ts'
import type { WorkerResult } from '../worker-records.ts'
import type { Journal } from './journal.ts'

const RETRY_MS = 1000

/**
 * Records how a worker ended: the result file first, then the journal entry that announces it. The first end counts.
 * Waits while the disk is full, since a lost end would leave the worker running for ever.
 */
export async function recordEnd(folder: WorkerFolder, journal: Journal, result: WorkerResult): Promise<void> {
  await retryWhileFull(() => atomicCreateSync(folder.result, JSON.stringify(result)))
  await retryWhileFull(() => journal.write({ kind: 'ended', end: result.end }))
}

async function retryWhileFull(write: () => void): Promise<void> {
  for (;;) {
    try {
      return write()
    } catch (error) {
      if (!isShortage(error)) throw error
      await pause(RETRY_MS)
    }
  }
}
