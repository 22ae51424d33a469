/** Watches how much disk space a worker uses. */
import { diskProblem, isWorthMeasuring, roomToKeep } from '../../core/watch/disk-use.ts'
import { roomAt } from '../../lib/files/full-disk.ts'
import { entriesBelow, statsOf } from './entries-below.ts'

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
function bytesWrittenSince(folder: string, sinceMs: number): number {
  let bytes = 0
  let entries = 0
  for (const { path, isFolder } of entriesBelow(folder)) {
    if (++entries > MAX_ENTRIES) return bytes
    const stats = isFolder ? null : statsOf(path)
    if (stats !== null && stats.ctimeMs >= sinceMs) bytes += stats.blocks * BLOCK_BYTES
  }
  return bytes
}
