import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'

const MAX_BYTES = 64 * 1024 * 1024

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}

/** The JSON of a body, however it is encoded; its text where it is none, null where it is empty. */
export async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new RangeError(`a body of more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const decode = DECODERS[incoming.headers['content-encoding'] ?? '']
  const text = (decode === undefined ? bytes : decode(bytes)).toString()
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    // Recorded as it is; a question to the model is refused as invalid.
    return text
  }
}
