import { constants, ftruncateSync, writeFileSync } from 'node:fs'
import { openedFile, type OpenedFile } from './opened-file.ts'

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
  using file = openOver(path, over)
  writeOver(file, content)
}

/** For `writeOver`. */
export function openOver(path: string, { mode = 0o666, mayBeNew = true }: Over): OpenedFile {
  return openedFile(path, O_WRONLY | O_NOFOLLOW | (mayBeNew ? O_CREAT : 0), mode)
}

export function writeOver({ fd }: OpenedFile, content: string | Buffer): void {
  writeFileSync(fd, content)
  ftruncateSync(fd, Buffer.byteLength(content))
}
