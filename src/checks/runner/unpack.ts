/** Unpacks gzip, zlib and zip contents within fixed limits. Never throws. */
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

const MOST_BYTES = 32 * 1024 * 1024
const MOST_ENTRIES = 2_000
const DEEPEST = 3

/** The bytes themselves, followed by the contents of every archive in them. */
export function unpacked(bytes: Buffer, depth = 0): readonly Buffer[] {
  const inner = depth >= DEEPEST ? [] : contentsOf(bytes)
  return [bytes, ...inner.flatMap((one) => unpacked(one, depth + 1))]
}

function contentsOf(bytes: Buffer): readonly Buffer[] {
  const options = { maxOutputLength: MOST_BYTES }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return attempt(() => [gunzipSync(bytes, options)])
  if (bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0)) {
    return attempt(() => [inflateSync(bytes, options)])
  }
  return bytes.length < 22 || bytes.toString('latin1', 0, 2) !== 'PK' ? [] : attempt(() => zipEntries(bytes))
}

function attempt(read: () => readonly Buffer[]): readonly Buffer[] {
  try {
    return read()
  } catch {
    // Not an archive, or a broken one: only its raw bytes are searched.
    return []
  }
}

const END = 0x06054b50
const ENTRY = 0x02014b50

/** Reads the central directory at the end, as unzip programs do. */
function zipEntries(bytes: Buffer): readonly Buffer[] {
  let end = bytes.length - 22
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end--
  if (end < 0) return []
  const count = Math.min(bytes.readUInt16LE(end + 10), MOST_ENTRIES)
  const found: Buffer[] = []
  let at = bytes.readUInt32LE(end + 16)
  let left = MOST_BYTES
  for (let entry = 0; entry < count && left > 0; entry++) {
    if (bytes.readUInt32LE(at) !== ENTRY) break
    const method = bytes.readUInt16LE(at + 10)
    const size = bytes.readUInt32LE(at + 20)
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + size)
    const whole =
      method === 0 ? packed : method === 8 ? inflateRawSync(packed, { maxOutputLength: left }) : null
    if (whole !== null) {
      left -= whole.length
      found.push(whole)
    }
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return found
}
