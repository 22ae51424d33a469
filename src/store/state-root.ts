/** The folder of Bosun's state, and whether a database is safe there. */
import { readFile, realpath, statfs } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { makeStateFolder } from '../lib/files/state-folder.ts'
import { NETWORK_MAGIC, networkMount, parseMountinfo, parseMountTable, type Mount } from './file-systems.ts'
import { StoreError } from './store-error.ts'

/** Creates the root for its owner alone and gives its real path. Throws StoreError. */
export async function createStateRoot(root: string): Promise<string> {
  await refuseNetwork(await nearestExisting(resolve(root)))
  const problem = await makeStateFolder(resolve(root))
  if (problem !== null) throw new StoreError({ problem: 'not_writable', ...problem })
  return realpath(root)
}

/** SQLite's write-ahead log needs memory shared by all who have the file open, and locks that hold. */
async function refuseNetwork(path: string): Promise<void> {
  const mount = networkMount(path, await mounts())
  const kind =
    mount?.type ?? (process.platform === 'linux' ? NETWORK_MAGIC.get((await statfs(path)).type) : undefined)
  if (kind === undefined) return
  throw new StoreError({
    problem: 'network_file_system',
    what: `the state root is on a network file system (${kind}), where SQLite databases get corrupted`,
    where: path,
    remedy: 'Set BOSUN_HOME to a folder on a local disk.',
  })
}

async function nearestExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return await realpath(at)
    } catch (error) {
      if (dirname(at) === at) throw error
    }
  }
}

/** Empty where the system cannot be asked; on Linux the file system's own number is asked besides. */
async function mounts(): Promise<readonly Mount[]> {
  try {
    if (process.platform === 'linux') return parseMountinfo(await readFile('/proc/self/mountinfo', 'utf8'))
    // On macOS the number of a file system type changes from start to start; its name does not.
    if (process.platform === 'darwin')
      return parseMountTable((await promisify(execFile)('/sbin/mount')).stdout)
    return []
  } catch {
    // A system that hides its mounts (a strict sandbox) is no reason not to start.
    return []
  }
}
