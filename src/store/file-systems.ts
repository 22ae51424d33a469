/** Detects network file systems from the system's list of mounts. */

export interface Mount {
  readonly point: string
  readonly type: string
}

/** Windows drives under WSL are 9p (WSL 2) or drvfs (WSL 1). */
const NETWORK_TYPES: ReadonlySet<string> = new Set(
  (
    'nfs nfs4 smb smb2 smb3 smbfs cifs afpfs webdav davfs ncpfs 9p v9fs drvfs vboxsf vmhgfs prl_fs ' +
    'afs coda ceph glusterfs lustre gpfs beegfs ocfs2 gfs2 macfuse osxfuse'
  ).split(' '),
)

/** Programs behind FUSE that keep their files elsewhere. A FUSE file system on a local disk is not one of them. */
const NETWORK_FUSE: ReadonlySet<string> = new Set(
  (
    'sshfs curlftpfs rclone s3fs goofys gcsfuse mount-s3 blobfuse blobfuse2 glusterfs ceph ceph-fuse juicefs ' +
    'davfs davfs2 smbnetfs gvfsd-fuse seaweedfs vmhgfs-fuse google-drive-ocamlfuse onedriver kio-fuse moosefs mfs cvmfs2'
  ).split(' '),
)

/** `statfs` numbers on Linux (include/uapi/linux/magic.h): the second source, for mounts that cannot be read. */
export const NETWORK_MAGIC: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x564c, 'ncpfs'],
  [0x5346414f, 'afs'],
  [0x73757245, 'coda'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
])

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

export function isNetworkType(type: string): boolean {
  const [kind, program] = type.toLowerCase().split('.', 2)
  if (kind === 'fuse' && program !== undefined) return NETWORK_FUSE.has(program)
  return NETWORK_TYPES.has(type.toLowerCase())
}

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
