/**
 * Folders of gates among the system's temporary ones. Each is named after the process it belongs to, so that it is known
 * when nobody needs it; and briefly, since tests put sockets there, whose paths may not be long.
 */
import { lstatSync, mkdtempSync, readlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fingerprint } from '../../lib/system/fingerprint.ts'
import { identify } from '../../lib/process/identity.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'

const NAME = /^bosun-gate-([a-z0-9]+)-(\d+)-([a-z0-9]+)-\w+$/

/** Whose they are: a process stays who it is. */
let ownPrefix: string | null = null

/** A new one. Whoever makes it removes it. */
export function makeGateFolder(): string {
  ownPrefix ??= `bosun-gate-${spaceTag()}-${process.pid}-${startTag(process.pid) ?? '0'}-`
  return mkdtempSync(join(tmpdir(), ownPrefix))
}

/** Removes those of processes that are no more: killed, they could not do it themselves. Rejects if any of them resists. */
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

/** Null where no such process lives. */
function startTag(pid: number): string | null {
  const identity = identify(pid)
  return identity === null ? null : short(identity.start)
}

/** Containers may share the folder: what a process number means is known only among those who count together. */
function spaceTag(): string {
  try {
    return short(readlinkSync('/proc/self/ns/pid'))
  } catch {
    // A system where all processes are counted together.
    return '0'
  }
}

const short = (text: string): string => fingerprint(text).toString(36).slice(-5)

/** A folder of this user's, and no link to one. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === userInfo().uid
}
