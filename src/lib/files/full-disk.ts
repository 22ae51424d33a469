/** Detects failures caused by a full disk, and full disks. */
import { statfsSync, type StatsFs } from 'node:fs'

/** Less free space than this counts as full. */
const FULL_BYTES = 1024 * 1024
/** The same of files: one commit takes several, and gives some back when it fails for want of the rest. */
const FEW_FILES = 32
const CODES = new Set<unknown>(['ENOSPC', 'EDQUOT'])
/** As the C library says it, which is how git and most programs pass it on. */
const WORDS = /no space left on device|disk quota exceeded|disk is full/i
const MAX_CAUSES = 5

export function isFullDisk(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    if (('code' in cause && CODES.has(cause.code)) || WORDS.test(cause.message)) return true
    cause = cause.cause
  }
  return false
}

export interface Room {
  readonly path: string
  readonly bytes: number
  /** Of the whole disk. */
  readonly totalBytes: number
  /** Whether it can hold no further files, however much room it has. */
  readonly isOutOfFiles: boolean
}

/** The space left at a path for this user; null where it is unknown. */
export function roomAt(path: string): Room | null {
  try {
    return roomIn(path, statfsSync(path))
  } catch {
    // Missing or unreachable; the caller's own access reports it.
    return null
  }
}

export function roomIn(path: string, disk: Omit<StatsFs, 'type' | 'bfree' | 'frsize'>): Room {
  const { bavail, blocks, bsize, files, ffree } = disk
  // File systems without a fixed number of files say 0 of 0.
  const isOutOfFiles = files > 0 && ffree < FEW_FILES
  return { path, bytes: isOutOfFiles ? 0 : bavail * bsize, totalBytes: blocks * bsize, isOutOfFiles }
}

/** In words, which of these folders is on a full disk; null where none is. */
export function fullDisk(paths: readonly string[]): string | null {
  const rooms = paths.flatMap((path) => roomAt(path) ?? [])
  const least = rooms.sort((one, other) => one.bytes - other.bytes)[0]
  return least === undefined || least.bytes >= FULL_BYTES ? null : fullDiskText(least.path, least)
}

/** Room for bytes and room for files run out apart, and are made in different ways. */
export function fullDiskText(where: string, room: Room | null = roomAt(where)): string {
  return room?.isOutOfFiles === true
    ? `the disk has no free inodes at ${where}; delete files there, and work resumes by itself`
    : `the disk is full: no space left at ${where}; free some, and work resumes by itself`
}
