import { setTimeout as pause } from 'node:timers/promises'
import { atomicCreateSync } from '../../lib/atomic-write.ts'
import type { WorkerFolder, WorkerResult } from '../worker-folder.ts'
import type { Journal } from './journal.ts'
import { errorCode } from '../../lib/system/error-code.ts'

const RETRY_MS = 1000

/**
 * Writes down how a worker ended: the result first, then the journal's last entry, which tells that it is there. The
 * first end stays. A full disk is waited for: an end that is lost would be a worker that never ends.
 */
export async function recordEnd(folder: WorkerFolder, journal: Journal, result: WorkerResult): Promise<void> {
  await patiently(() => atomicCreateSync(folder.result, JSON.stringify(result)))
  await patiently(() => journal.write({ kind: 'ended', end: result.end }))
}

async function patiently(write: () => void): Promise<void> {
  for (;;) {
    try {
      return write()
    } catch (error) {
      const code = errorCode(error)
      if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EMFILE' && code !== 'ENFILE') throw error
      await pause(RETRY_MS)
    }
  }
}
