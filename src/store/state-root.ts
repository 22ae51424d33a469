/** The folder of Bosun's state, and whether a database is safe there. */
import { readFile, realpath } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { makeStateFolder } from '../lib/files/state-folder.ts'
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
  if (mount === null) return
  throw new StoreError({
    problem: 'network_file_system',
    what: `the state root is on a network file system (${mount.type}), where SQLite databases get corrupted`,
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

/** Empty where the system cannot be asked. */
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

/** Detects network file systems from the system's list of mounts. */

interface Mount {
  readonly point: string
  readonly type: string
}

/** Types of mounts, and programs behind FUSE, that keep their files elsewhere. Windows drives under WSL are 9p or drvfs. */
const NETWORK_TYPES: ReadonlySet<string> = new Set(
  (
    'nfs nfs4 smb smb2 smb3 smbfs cifs afpfs webdav davfs ncpfs 9p v9fs drvfs vboxsf vmhgfs prl_fs afs coda ceph glusterfs ' +
    'lustre gpfs beegfs ocfs2 gfs2 macfuse osxfuse sshfs curlftpfs rclone s3fs goofys gcsfuse mount-s3 blobfuse blobfuse2 ' +
    'ceph-fuse juicefs davfs2 smbnetfs gvfsd-fuse seaweedfs vmhgfs-fuse google-drive-ocamlfuse onedriver kio-fuse moosefs ' +
    'mfs cvmfs2'
  ).split(' '),
)

/** The network mount that `path` (absolute, resolved) is on; null for a local one or an unknown one. */
export function networkMount(path: string, mounts: readonly Mount[]): Mount | null {
  const mount = mountOf(path, mounts)
  return mount !== null && isNetworkType(mount.type) ? mount : null
}

/** The mount with the longest point above `path`; of several on one point the last, which covers the others. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | null {
  let found: Mount | null = null
  for (const mount of mounts) {
    if (contains(mount.point, path) && mount.point.length >= (found?.point.length ?? 0)) found = mount
  }
  return found
}

/** A FUSE file system says which program is behind it; one on a local disk is none of these. */
export const isNetworkType = (type: string): boolean =>
  NETWORK_TYPES.has(type.toLowerCase().replace(/^fuse\./, ''))

/** `/proc/self/mountinfo`: `36 35 98:0 /root /point opts tags… - type source opts`. Lines it cannot read are left out. */
export function parseMountinfo(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [before = '', after] = line.split(' - ', 2)
    const point = before.split(' ')[4]
    const type = after?.split(' ')[0]
    return point === undefined || type === undefined ? [] : [{ point: unescaped(point), type }]
  })
}

/** What `mount` prints on macOS: `source on /point (type, option, …)`. */
export function parseMountTable(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const match = / on (\/.*) \(([^,)]+)/.exec(line)
    const [, point, type] = match ?? []
    return point === undefined || type === undefined ? [] : [{ point, type }]
  })
}

function contains(point: string, path: string): boolean {
  return point === '/' || path === point || path.startsWith(`${point}/`)
}

/** The kernel writes space, tab, newline and backslash as three octal digits. */
function unescaped(point: string): string {
  return point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
