/** Folders of gates among the system's temporary ones. Each is named after the process it belongs to, so that it is known when nobody needs it. */
import { lstatSync, mkdtempSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { removeFolder } from '../lib/remove-folder.ts'
import { identify } from '../lib/process/identity.ts'

const NAME = /^bosun-gate-(\d+)-([A-Za-z0-9]+)-\w+$/

/** A new one. Whoever makes it removes it. */
export const makeGateFolder = (): string =>
  mkdtempSync(join(tmpdir(), `bosun-gate-${ownerOf(process.pid) ?? 0}-`))

/** Removes those of processes that are no more: killed, they could not do it themselves. */
export async function removeLeftGateFolders(folder: string = tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid = '', start = ''] = NAME.exec(name) ?? []
    if (pid === '' || ownerOf(Number(pid)) === `${pid}-${start}`) continue
    const path = join(folder, name)
    if (isOurs(path)) await removeFolder(path)
  }
}

function ownerOf(pid: number): string | null {
  const identity = identify(pid)
  return identity === null ? null : `${pid}-${identity.start.replaceAll(/[^A-Za-z0-9]/g, '')}`
}

/** A folder of this user's, and no link to one. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === userInfo().uid
}
