/** Reads a spec file and checks it. */
import { resolve } from 'node:path'
import { readSpec, type SpecReading } from '../../core/spec/read-spec.ts'
import { fileBytes } from '../../lib/files/file-bytes.ts'
import { Refusal } from '../../lib/refusal.ts'
import { errorCode } from '../../lib/system/error-code.ts'

export interface SpecFile {
  /** As the user gave it; `-` is standard input. */
  readonly path: string
  readonly cwd: string
  readInput(maxBytes: number): Promise<Uint8Array>
}

/** More than a spec may have, so that a spec that is slightly too long is refused as a spec. */
const MAX_BYTES = 4 * 1024 * 1024

export interface CheckedSpec {
  readonly text: string
  readonly reading: SpecReading
}

/** Mistakes in the spec are part of the result. Throws a refusal only if it cannot be read at all. */
export async function checkSpecFile(file: SpecFile): Promise<CheckedSpec> {
  const bytes = file.path === '-' ? await file.readInput(MAX_BYTES) : await bytesOf(file)
  if (bytes.subarray(0, 8192).includes(0)) throw notText(file.path)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The decoder's error has no details.
    throw notText(file.path)
  }
  return { text, reading: readSpec(text, file.path) }
}

async function bytesOf({ path, cwd }: SpecFile): Promise<Uint8Array> {
  const bytes = await fileBytes(resolve(cwd, path), MAX_BYTES).catch((error: unknown) => {
    throw unreadable(error, path)
  })
  if (bytes !== 'too_long') return bytes
  const remedy = 'A spec has at most 100 KB. Move background material into other documents.'
  throw new Refusal({
    code: 'usage',
    message: `${path} is larger than ${MAX_BYTES / 1024 / 1024} MB`,
    remedy,
  })
}

const notText = (path: string): Refusal =>
  new Refusal({
    code: 'usage',
    message: `${path} is not a text file`,
    remedy: 'A spec is Markdown in UTF-8.',
  })

function unreadable(error: unknown, path: string): unknown {
  switch (errorCode(error)) {
    case 'EISDIR':
      return new Refusal({
        code: 'usage',
        message: `${path} is a directory`,
        remedy: 'Give the path of one spec file.',
        cause: error,
      })
    case 'ENOENT':
    case 'ENOTDIR':
      return new Refusal({
        code: 'not_found',
        message: `no such file: ${path}`,
        remedy: 'Check the path; it is relative to the current directory.',
        cause: error,
      })
  }
  return error
}
