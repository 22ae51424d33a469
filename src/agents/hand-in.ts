import { existsSync } from 'node:fs'
import { atomicWriteSync } from '../lib/atomic-write.ts'
import type { WorkerFolder } from './worker-folder.ts'

/** Keeps a report that a worker sent; it is durable on return. False: the worker has ended, and it comes too late. */
export function handIn(folder: WorkerFolder, report: Readonly<Record<string, unknown>>): boolean {
  if (!isOpen(folder)) return false
  atomicWriteSync(folder.handedIn, `${JSON.stringify(report)}\n`)
  // The supervisor reads the report before it writes down the end.
  return isOpen(folder)
}

const isOpen = (folder: WorkerFolder): boolean =>
  existsSync(folder.path) && !existsSync(folder.result) && !existsSync(folder.acknowledged)
