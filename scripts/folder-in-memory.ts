/**
 * Sets the temporary folder of a test run: in memory, where there is room. Bosun writes what has to last, so one plan waits for
 * the disk about a hundred times, and tests that run side by side wait for each other's writes too.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SHARED_MEMORY = '/dev/shm'
/** What `statfs` says of a file system in memory. */
const TMPFS = 0x01021994
/** All tests together take less than one. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** Returns the temporary folder: one that is removed when this process ends, or the usual one. */
export function useFolderInMemory(): string {
  // Chosen by the user, or by a run around this one.
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return tmpdir()
  const folder = mkdtempSync(join(realpathSync(SHARED_MEMORY), 'bosun-tests-'))
  // Some tests run a program as another user.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  if (mayRunPrograms(folder)) process.env['TMPDIR'] = folder
  return tmpdir()
}

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(SHARED_MEMORY)
    return type === TMPFS && bavail * bsize >= ENOUGH_BYTES && process.availableMemory() >= 2 * ENOUGH_BYTES
  } catch {
    // Not every system has it.
    return false
  }
}

/** A container may forbid it. */
function mayRunPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program, { force: true })
  }
}
