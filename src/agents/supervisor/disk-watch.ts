/** Watches how much disk space a worker uses. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { diskProblem, isWorthMeasuring, roomToKeep } from '../../core/watch/disk-use.ts'
import { roomAt } from '../../lib/files/full-disk.ts'

const LOOK_MS = 1000
/** Adding up stops here: what is found by then is what counts. */
const MAX_ENTRIES = 500_000
/** A workspace is walked through again when so much of the room to be kept is gone since the last time. */
const STEP = 1 / 16
const BLOCK_BYTES = 512

/** Calls once, with the problem. Returns a function that stops watching. */
export function watchDisk(workspace: string, onProblem: (why: string) => void): () => void {
  const startedAt = Date.now()
  const atStart = roomAt(workspace)
  if (atStart === null) return () => undefined
  let measuredAt = Infinity
  const timer = setInterval(() => {
    const room = roomAt(workspace)
    if (room === null) return
    const now = { freeBytes: room.bytes, totalBytes: room.totalBytes }
    if (!isWorthMeasuring(now, atStart.bytes)) return
    if (measuredAt - room.bytes < roomToKeep(room.totalBytes) * STEP) return
    measuredAt = room.bytes
    const problem = diskProblem({ ...now, writtenBytes: bytesWrittenSince(workspace, startedAt) })
    if (problem === null) return
    clearInterval(timer)
    onProblem(problem)
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** Disk space of the files whose ctime is newer; unlike mtime, a program cannot set it. */
export function bytesWrittenSince(folder: string, sinceMs: number): number {
  const folders = [folder]
  let bytes = 0
  let entries = 0
  for (const next of folders) {
    for (const entry of entriesOf(next)) {
      if (++entries > MAX_ENTRIES) return bytes
      const path = join(next, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else bytes += bytesOf(path, sinceMs)
    }
  }
  return bytes
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The worker may delete anything, even its workspace.
    return []
  }
}

function bytesOf(path: string, sinceMs: number): number {
  try {
    const { ctimeMs, blocks } = lstatSync(path)
    return ctimeMs >= sinceMs ? blocks * BLOCK_BYTES : 0
  } catch {
    // Gone since it was listed.
    return 0
  }
}
