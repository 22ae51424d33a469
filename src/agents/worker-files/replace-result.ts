/** Gives a worker whose folder is damaged an end that can be read, whatever lies in its place. */
import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { atomicCreateSync } from '../../lib/files/atomic-write.ts'
import type { WorkerFolder } from '../worker-folder.ts'
import { orNull, readIdentity, readResult, type WorkerResult } from '../worker-records.ts'

/** What is in the way is set aside, so that a person can look at it. */
export function replaceResult(folder: WorkerFolder, result: WorkerResult): void {
  mkdirSync(folder.path, { recursive: true, mode: 0o700 })
  if (orNull(() => readIdentity(folder.identity)) === null) {
    setAside(folder.identity)
    // It owns the worker: no supervisor can start any more.
    atomicCreateSync(folder.identity, JSON.stringify({ supervisor: null, agent: null, plan: result.plan }))
  }
  setAside(folder.result)
  atomicCreateSync(folder.result, JSON.stringify(result))
}

export const asideOf = (path: string): string => `${path}.damaged`

function setAside(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return
  rmSync(asideOf(path), { recursive: true, force: true })
  renameSync(path, asideOf(path))
}

/** Marks the end as taken in. It is written again where its file was lost meanwhile. */
export function keepAcknowledged(
  folder: WorkerFolder,
  result: WorkerResult,
  onError: (error: unknown) => void,
): void {
  try {
    if (orNull(() => readResult(folder.result)) === null) replaceResult(folder, result)
    renameSync(folder.result, folder.acknowledged)
  } catch (error) {
    onError(error)
  }
}
