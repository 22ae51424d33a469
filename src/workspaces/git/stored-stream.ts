/**
 * What fits into one block of the disk takes as much room whether it is packed or not, and packing it takes longer than
 * all the rest of writing it. This is the form in which a zlib stream holds bytes as they are.
 */
const HEADER = [0x78, 0x01]
/** The block is the last one, and stored. */
const LAST_STORED = 0x01
const BLOCK_HEADER_BYTES = 5
const CHECKSUM_BYTES = 4
const MOST_BYTES = 0xffff

/** How much longer the stream is than what it holds. */
export const STORED_BYTES = HEADER.length + BLOCK_HEADER_BYTES + CHECKSUM_BYTES

export function storedStream(content: Buffer): Buffer {
  const { length } = content
  if (length > MOST_BYTES) throw new RangeError('one block holds no more than 65535 bytes')
  const stream = Buffer.alloc(length + STORED_BYTES)
  stream.set([...HEADER, LAST_STORED])
  stream.writeUInt16LE(length, 3)
  stream.writeUInt16LE(MOST_BYTES - length, 5)
  content.copy(stream, HEADER.length + BLOCK_HEADER_BYTES)
  stream.writeUInt32BE(adler32(content), length + STORED_BYTES - CHECKSUM_BYTES)
  return stream
}

const ADLER_BASE = 65521
/** After so many bytes no sum has outgrown a whole number of 53 bits; taking the remainder for each is what costs. */
const ADLER_TURN = 4096

function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0]
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + ADLER_TURN, bytes.length)
    for (; at < end; at++) {
      low += bytes[at] ?? 0
      high += low
    }
    low %= ADLER_BASE
    high %= ADLER_BASE
  }
  return high * 0x10000 + low
}
