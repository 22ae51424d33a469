/** Writes files for an agent that has its client do that, within its workspace only. */
import { constants, fstatSync, ftruncateSync, writeFileSync } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { z } from 'zod'
import { HeldFolder } from '../../../lib/files/held-folder.ts'

export const writeFileSchema = z.object({ path: z.string().min(1).max(4096), content: z.string() })

const MAX_FILE_BYTES = 8 * 1024 * 1024

export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

/** Follows no link out of the workspace, also where the agent puts one there meanwhile. */
export async function writeTextFile(workspace: string, path: string, content: string): Promise<void> {
  if (Buffer.byteLength(content) > MAX_FILE_BYTES)
    throw new FileRefused(`the content of ${path} is larger than ${MAX_FILE_BYTES} bytes`)
  const target = await realPath(path)
  const within = relative(workspace, target)
  const names = within.split(sep)
  if (names[0] === '..' || isAbsolute(within)) throw new FileRefused(`${path} is outside the workspace`)
  if (names.includes('.git')) throw new FileRefused(`${path} belongs to git`)
  if (within === '') throw new FileRefused(`${path} is not a file`)
  using root = HeldFolder.open(workspace)
  writeBelow(root, names, { path, content })
}

function writeBelow(
  folder: HeldFolder,
  [name = '', ...rest]: readonly string[],
  file: { readonly path: string; readonly content: string },
): void {
  if (rest.length > 0) {
    using next = folder.folder(name, { make: true })
    return writeBelow(next, rest, file)
  }
  using opened = folder.file(name, constants.O_WRONLY | constants.O_CREAT, 0o644)
  if (!fstatSync(opened.fd).isFile()) throw new FileRefused(`${file.path} is not a file`)
  ftruncateSync(opened.fd)
  writeFileSync(opened.fd, file.content)
}

/** Where a path leads, without links; the part of it that does not exist yet stays as it is. */
export async function realPath(path: string): Promise<string> {
  if (!isAbsolute(path)) throw new FileRefused(`${path} is not absolute`)
  const rest: string[] = []
  for (let at = join(path); ; at = dirname(at)) {
    const stat = await lstat(at).catch(() => null)
    if (stat !== null) return join(await realpath(at), ...rest)
    if (at === dirname(at)) return join(at, ...rest)
    rest.unshift(basename(at))
  }
}
