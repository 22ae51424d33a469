/**
 * Temporary folders for gates. The name identifies the owning process, so that leftovers can be found, and is short, because
 * tests put sockets there and socket paths are limited.
 */
import { lstatSync, mkdtempSync, readlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fingerprint } from '../../lib/system/fingerprint.ts'
import { identify } from '../../lib/process/identity.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'

const NAME = /^bosun-gate-([a-z0-9]+)-(\d+)-([a-z0-9]+)-\w+$/

let ownPrefix: string | null = null

/** Creates a folder; the caller removes it. */
export function makeGateFolder(): string {
  ownPrefix ??= `bosun-gate-${spaceTag()}-${process.pid}-${startTag(process.pid) ?? '0'}-`
  return mkdtempSync(join(tmpdir(), ownPrefix))
}

/** Removes folders of processes that no longer run. Rejects if one cannot be removed. */
export async function removeLeftGateFolders(
  folder: string = tmpdir(),
  remove: (path: string) => Promise<void> = removeFolder,
): Promise<void> {
  const space = spaceTag()
  const removals: Promise<void>[] = []
  for (const name of await readdir(folder)) {
    const [, itsSpace, pid, start] = NAME.exec(name) ?? []
    if (itsSpace !== space || startTag(Number(pid)) === start) continue
    const path = join(folder, name)
    if (isOurs(path)) removals.push(remove(path))
  }
  await Promise.allSettled(removals)
  await Promise.all(removals)
}

/** Null if no such process runs. */
function startTag(pid: number): string | null {
  const identity = identify(pid)
  return identity === null ? null : short(identity.start)
}

/** Identifies the PID namespace: containers may share the temporary folder, and pids differ between namespaces. */
function spaceTag(): string {
  try {
    return short(readlinkSync('/proc/self/ns/pid'))
  } catch {
    // No PID namespaces on this system.
    return '0'
  }
}

const short = (text: string): string => fingerprint(text).toString(36).slice(-5)

/** Whether it is a real folder (not a link) owned by this user. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === userInfo().uid
}
