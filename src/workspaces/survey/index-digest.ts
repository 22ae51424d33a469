/** What git's index holds, without what it notes about files on the disk: `git status` writes those notes anew at any time. */
import { createHash } from 'node:crypto'

const HEADER = 12
/** Times, device, inode, owner and size surround the mode, which alone of them is of the content. */
const MODE_AT = 24
const OBJECT_AT = 40
const EXTENDED = 0x4000
const NAME_LENGTH = 0x0fff
/** The checksum at its end. */
const SHA1 = 20
const SHA256 = 32

/** The same for two indexes with the same entries. One that cannot be read here is told apart by its bytes. */
export function indexDigest(bytes: Buffer): string {
  return digestOf(bytes, SHA1) ?? digestOf(bytes, SHA256) ?? createHash('sha256').update(bytes).digest('hex')
}

/** Null where the bytes are no index with object names of this length. */
function digestOf(bytes: Buffer, objectLength: number): string | null {
  if (bytes.length < HEADER + objectLength || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const algorithm = objectLength === SHA1 ? 'sha1' : 'sha256'
  const body = bytes.subarray(0, -objectLength)
  const checksum = bytes.subarray(-objectLength)
  // All zero where `index.skipHash` is set.
  const isSkipped = checksum.every((byte) => byte === 0)
  if (!isSkipped && !createHash(algorithm).update(body).digest().equals(checksum)) return null
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  const hash = createHash('sha256')
  let at = HEADER
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + OBJECT_AT + objectLength
    if (flagsAt + 2 > body.length) return null
    const flags = body.readUInt16BE(flagsAt)
    const nameAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4)
    const end = body.indexOf(0, version === 4 ? afterNumber(body, nameAt) : nameAt + shortest(flags))
    if (end === -1) return null
    hash.update(body.subarray(at + MODE_AT, at + MODE_AT + 4)).update(body.subarray(at + OBJECT_AT, end + 1))
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return hash.digest('hex')
}

/** A long name has all of these bits, and is at least as long. */
const shortest = (flags: number): number => flags & NAME_LENGTH

/** Version 4 says first, in as many bytes as it takes, how much of the name before is left out. */
function afterNumber(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && ((bytes[at] ?? 0) & 0x80) !== 0) at++
  return at + 1
}
