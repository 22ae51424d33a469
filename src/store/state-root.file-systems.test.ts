import { describe, expect, test } from 'vitest'
import { isNetworkType, mountOf, networkMount, parseMountinfo, parseMountTable } from './state-root.ts'

const LINUX = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
40 27 0:40 / /home rw,relatime shared:9 master:2 - nfs4 server:/home rw,vers=4.2
41 40 0:41 / /home/ann/disk rw - xfs /dev/vdb rw
42 27 0:42 / /mnt/my\\040share rw - cifs //server/share rw
43 27 0:43 / /mnt/c rw,noatime - 9p C:\\134 rw,aname=drvfs;path=C:\\134
44 27 0:44 / /mnt/far rw - fuse.sshfs ann@host:/ rw
45 27 0:45 / /mnt/usb rw - fuseblk /dev/sdc1 rw
46 27 0:46 / /over rw - ext4 /dev/vdd rw
47 46 0:47 / /over rw - nfs server:/over rw
a line that says nothing`

const MACOS = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)
//ann@nas._smb._tcp.local/Public on /Volumes/My Share (1) (smbfs, nodev, nosuid, mounted by ann)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)`

describe('a path is on the network', () => {
  test.each([
    ['/home/bob/state', 'nfs4'],
    ['/home', 'nfs4'],
    ['/mnt/my share/x', 'cifs'],
    ['/mnt/c/Users', '9p'],
    ['/mnt/far', 'fuse.sshfs'],
    ['/over/x', 'nfs'],
  ])('%s is, by %s', (path, type) => {
    expect(networkMount(path, parseMountinfo(LINUX))?.type).toBe(type)
  })

  test.each(['/', '/root/.local', '/home/ann/disk/state', '/homely', '/mnt/usb/x', '/mnt/country'])(
    '%s is not',
    (path) => {
      expect(networkMount(path, parseMountinfo(LINUX))).toBeNull()
    },
  )

  test('on macOS, by the name of its type', () => {
    const mounts = parseMountTable(MACOS)
    expect(networkMount('/Volumes/My Share (1)/b', mounts)?.type).toBe('smbfs')
    expect(networkMount('/System/Volumes/Data/Users/ann', mounts)).toBeNull()
    expect(mountOf('/Users/ann', mounts)).toEqual({ point: '/', type: 'apfs' })
  })
})

test('a path has no mount where none is known', () => {
  expect(mountOf('/x', parseMountinfo(''))).toBeNull()
})

test('the type decides whatever its case', () => {
  expect(['NFS', 'fuse.SSHFS', 'drvfs', 'ext4', 'fuse', 'fuse.mergerfs'].map(isNetworkType)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
