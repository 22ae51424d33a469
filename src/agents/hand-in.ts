import { existsSync } from 'node:fs'
import { atomicWriteSync } from '../lib/files/atomic-write.ts'
import type { WorkerFolder } from './worker-folder.ts'

/** Stores a report that a worker sent, durable on return. False if the worker has ended. */
export function handIn(folder: WorkerFolder, report: Readonly<Record<string, unknown>>): boolean {
  if (!isOpen(folder)) return false
  atomicWriteSync(folder.handedIn, `${JSON.stringify(report)}\n`)
  // The supervisor reads the report before it records the end.
  return isOpen(folder)
}

const isOpen = (folder: WorkerFolder): boolean =>
  existsSync(folder.path) && !existsSync(folder.result) && !existsSync(folder.acknowledged)
