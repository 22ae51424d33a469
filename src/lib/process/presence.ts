/**
 * A cheap check that one process is still alive. On Linux an open file of /proc belongs to the
 * process it was opened for: it can be read while that one lives, even if its pid is reused. Elsewhere the
 * number is asked for every time, and who has it only now and then. bench/idle-workers has the mark it serves.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { isAlive, type ProcessIdentity } from './identity.ts'
import { parseStat } from './process-rows.ts'

export interface Presence {
  readonly isThere: () => boolean
  readonly close: () => void
}

const GONE: Presence = { isThere: () => false, close: () => undefined }
const STAT_BYTES = 1024
/** Shared: it is filled and read synchronously. */
const shared = Buffer.allocUnsafeSlow(STAT_BYTES)
const LOOKS_PER_IDENTITY = 5

export function presenceOf(
  identity: ProcessIdentity,
  platform: NodeJS.Platform = process.platform,
): Presence {
  if (!isAlive(identity)) return GONE
  return (platform === 'linux' ? byOpenFile(identity) : null) ?? byNumber(identity)
}

/** Null where it cannot be opened; there may be too many open files already. */
function byOpenFile({ pid, start }: ProcessIdentity): Presence | null {
  let file: number | null
  try {
    file = openSync(`/proc/${pid}/stat`, 'r')
  } catch {
    // The other way is left.
    return null
  }
  const close = (): void => {
    if (file !== null) closeSync(file)
    file = null
  }
  const isThere = (): boolean => {
    if (file === null) return false
    try {
      const row = parseStat(shared.toString('latin1', 0, readSync(file, shared, 0, STAT_BYTES, 0)))
      return row !== null && !row.isZombie && row.start === start
    } catch {
      // Its process is gone.
      return false
    }
  }
  return { isThere, close }
}

function byNumber(identity: ProcessIdentity): Presence {
  let looks = 0
  return {
    isThere: () => {
      if (++looks % LOOKS_PER_IDENTITY === 0) return isAlive(identity)
      try {
        process.kill(identity.pid, 0)
        return true
      } catch {
        // No process has the pid, or one of another user, which is not ours.
        return false
      }
    },
    close: () => undefined,
  }
}
