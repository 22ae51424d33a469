import { closeSync, constants, ftruncateSync, openSync, writeFileSync } from 'node:fs'

const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants

/**
 * Has a file hold this and nothing else; not through a link. It is never cut to nothing first: a file system that guards
 * against losing both the old and the new would write it to disk at once, which nobody asked for.
 */
export function overwrite(
  path: string,
  content: string | Buffer,
  { mode = 0o666, mayBeNew = true }: { readonly mode?: number; readonly mayBeNew?: boolean } = {},
): void {
  const file = openSync(path, O_WRONLY | O_NOFOLLOW | (mayBeNew ? O_CREAT : 0), mode)
  try {
    writeFileSync(file, content)
    ftruncateSync(file, Buffer.byteLength(content))
  } finally {
    closeSync(file)
  }
}
