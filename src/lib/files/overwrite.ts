import { closeSync, constants, ftruncateSync, openSync, writeFileSync } from 'node:fs'

const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants

interface Over {
  readonly mode?: number
  readonly mayBeNew?: boolean
}

/**
 * Has a file hold this and nothing else; not through a link. It is never cut to nothing first: a file system that guards
 * against losing both the old and the new would write it to disk at once, which is not needed here.
 */
export function overwrite(path: string, content: string | Buffer, over: Over = {}): void {
  const file = openOver(path, over)
  try {
    writeOver(file, content)
  } finally {
    closeSync(file)
  }
}

/** For `writeOver`, and to be closed. */
export function openOver(path: string, { mode = 0o666, mayBeNew = true }: Over): number {
  return openSync(path, O_WRONLY | O_NOFOLLOW | (mayBeNew ? O_CREAT : 0), mode)
}

export function writeOver(file: number, content: string | Buffer): void {
  writeFileSync(file, content)
  ftruncateSync(file, Buffer.byteLength(content))
}
