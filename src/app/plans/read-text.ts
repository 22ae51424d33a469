/** Reads the text of a plan or a spec from a file or standard input. Refuses what is no text, by name. */
import { resolve } from 'node:path'
import { fileBytes } from '../../lib/files/read-if-exists.ts'
import { errorCode } from '../../lib/files/system-error.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'

export interface TextSource {
  /** As the user gave it; `-` is standard input. */
  readonly path: string
  readonly cwd: string
  readInput(maxBytes: number): Promise<Uint8Array>
}

/** What is read, and the remedy for each thing that it may be instead. */
export interface TextKind {
  readonly maxBytes: number
  readonly tooLong: string
  readonly notText: string
  readonly directory: string
}

export async function readText(source: TextSource, kind: TextKind): Promise<string> {
  const { path, cwd } = source
  const { maxBytes, tooLong, notText } = kind
  const bytes =
    path === '-'
      ? await source.readInput(maxBytes)
      : await fileBytes(resolve(cwd, path), maxBytes).catch((error: unknown) => {
          throw unreadable(error, path, kind)
        })
  if (bytes === 'too_long')
    throw refusal('usage', `${path} is larger than ${maxBytes / 1024 / 1024} MB`, tooLong)
  return decoded(bytes, refusal('usage', `${path} is not a text file`, notText))
}

/** Throws `notText` for what is not UTF-8. */
export function decoded(bytes: Uint8Array, notText: Refusal): string {
  if (bytes.subarray(0, 8192).includes(0)) throw notText
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The decoder's error has no details.
    throw notText
  }
}

function unreadable(error: unknown, path: string, { directory }: TextKind): unknown {
  const code = errorCode(error)
  if (code === 'EISDIR') return refusal('usage', `${path} is a directory`, directory, error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return error
  const remedy = 'Check the path; it is relative to the current directory.'
  return refusal('not_found', `no such file: ${path}`, remedy, error)
}
