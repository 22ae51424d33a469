/** All bytes of a file, up to a limit that is held while reading: a pipe (`<(…)`) has no size beforehand. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'

const CHUNK_BYTES = 64 * 1024

/**
 * Reads a file on the disk at once: `node:fs/promises` takes longer to load than a plan takes to read. Only what may
 * keep us waiting is waited for. Throws what opening and reading throw.
 */
export async function fileBytes(file: string, maxBytes: number): Promise<Uint8Array | 'too_long'> {
  return statSync(file).isFile() ? bytesAtOnce(file, maxBytes) : bytesInTime(file, maxBytes)
}

function bytesAtOnce(file: string, maxBytes: number): Uint8Array | 'too_long' {
  const fd = openSync(file, 'r')
  try {
    const chunks: Uint8Array[] = []
    for (let size = 0; size <= maxBytes;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const bytesRead = readSync(fd, chunk)
      if (bytesRead === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, bytesRead))
      size += bytesRead
    }
    return 'too_long'
  } finally {
    closeSync(fd)
  }
}

async function bytesInTime(file: string, maxBytes: number): Promise<Uint8Array | 'too_long'> {
  const { open } = process.getBuiltinModule('node:fs/promises')
  await using handle = await open(file)
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= maxBytes;) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES))
    if (bytesRead === 0) return Buffer.concat(chunks)
    chunks.push(buffer.subarray(0, bytesRead))
    size += bytesRead
  }
  return 'too_long'
}
