/** All bytes of a file, up to a limit that is held while reading: a pipe (`<(…)`) has no size beforehand. */
import { createReadStream, readFileSync, statSync } from 'node:fs'

/**
 * Reads a file on the disk at once: `node:fs/promises` takes longer to load than a plan takes to read. Only what may
 * keep us waiting is waited for. Throws what opening and reading throw.
 */
export async function fileBytes(file: string, maxBytes: number): Promise<Uint8Array | 'too_long'> {
  const found = statSync(file)
  if (found.isFile() && found.size > maxBytes) return 'too_long'
  const bytes = found.isFile() ? readFileSync(file) : await bytesInTime(file, maxBytes)
  return bytes.length > maxBytes ? 'too_long' : bytes
}

/** One byte more than allowed shows that there is too much. */
async function bytesInTime(file: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { end: maxBytes }) as AsyncIterable<Buffer>)
    chunks.push(chunk)
  return Buffer.concat(chunks)
}
