/** Limits on the disk space of one worker. */

export interface DiskUse {
  /** Written in its workspace since it started. */
  readonly writtenBytes: number
  readonly freeBytes: number
  readonly totalBytes: number
}

const MIB = 1024 ** 2
/** More than any task should need. */
export const MAX_WRITTEN_BYTES = 20 * 1024 * MIB
const MAX_KEPT_BYTES = 512 * MIB
const KEPT_SHARE = 1 / 20

/** The space that must stay free: a twentieth of the disk, at most 512 MiB. */
export const roomToKeep = (totalBytes: number): number => Math.min(MAX_KEPT_BYTES, totalBytes * KEPT_SHARE)

/** Why a worker has to be stopped for what it wrote; null if it need not. */
export function diskProblem({ writtenBytes, freeBytes, totalBytes }: DiskUse): string | null {
  if (writtenBytes > MAX_WRITTEN_BYTES)
    return `it wrote ${formatBytes(writtenBytes)}, more than ${formatBytes(MAX_WRITTEN_BYTES)}`
  const keep = roomToKeep(totalBytes)
  // A worker that wrote little did not fill the disk.
  if (freeBytes >= keep || writtenBytes < keep) return null
  return `it wrote ${formatBytes(writtenBytes)} and left only ${formatBytes(freeBytes)} free on the disk`
}

/** Whether to measure the workspace at all, which takes a walk through it. */
export const isWorthMeasuring = (now: Omit<DiskUse, 'writtenBytes'>, freeAtStart: number): boolean =>
  now.freeBytes < roomToKeep(now.totalBytes) || freeAtStart - now.freeBytes > MAX_WRITTEN_BYTES

function formatBytes(bytes: number): string {
  return bytes >= 1024 * MIB ? `${(bytes / (1024 * MIB)).toFixed(1)} GiB` : `${(bytes / MIB).toFixed(1)} MiB`
}
