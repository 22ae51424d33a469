/** How much of the disk one worker may take: nobody may leave the others without room. */

export interface DiskUse {
  /** Written in its workspace since it started. */
  readonly writtenBytes: number
  readonly freeBytes: number
  readonly totalBytes: number
}

const MIB = 1024 ** 2
/** Nothing that a worker is asked for needs more. */
export const MAX_WRITTEN_BYTES = 20 * 1024 * MIB
const MAX_KEPT_BYTES = 512 * MIB
const KEPT_SHARE = 1 / 20

/** The room that is kept for everybody else: a twentieth of the disk, at most 512 MiB. */
export const roomToKeep = (totalBytes: number): number => Math.min(MAX_KEPT_BYTES, totalBytes * KEPT_SHARE)

/** Why a worker has to be ended for what it wrote; null where it need not be. */
export function diskProblem({ writtenBytes, freeBytes, totalBytes }: DiskUse): string | null {
  if (writtenBytes > MAX_WRITTEN_BYTES)
    return `it wrote ${inWords(writtenBytes)}, more than ${inWords(MAX_WRITTEN_BYTES)}`
  const keep = roomToKeep(totalBytes)
  // A worker that wrote little did not take the room, whoever did.
  if (freeBytes >= keep || writtenBytes < keep) return null
  return `it wrote ${inWords(writtenBytes)} and left ${inWords(freeBytes)} of the disk to everybody else`
}

/** Whether what a worker wrote has to be added up at all; that takes a walk through its workspace. */
export const isWorthMeasuring = (now: Omit<DiskUse, 'writtenBytes'>, freeAtStart: number): boolean =>
  now.freeBytes < roomToKeep(now.totalBytes) || freeAtStart - now.freeBytes > MAX_WRITTEN_BYTES

function inWords(bytes: number): string {
  return bytes >= 1024 * MIB ? `${(bytes / (1024 * MIB)).toFixed(1)} GiB` : `${(bytes / MIB).toFixed(1)} MiB`
}
