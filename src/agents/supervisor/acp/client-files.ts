/** Writes files for an agent that has its client do that, within its workspace only. */
import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { z } from 'zod'

export const writeFileSchema = z.object({ path: z.string().min(1).max(4096), content: z.string() })

const MAX_FILE_BYTES = 8 * 1024 * 1024

export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

/** Follows no link out of the workspace. */
export async function writeTextFile(workspace: string, path: string, content: string): Promise<void> {
  if (Buffer.byteLength(content) > MAX_FILE_BYTES)
    throw new FileRefused(`the content of ${path} is larger than ${MAX_FILE_BYTES} bytes`)
  const target = await realPath(path)
  if (target !== workspace && !target.startsWith(`${workspace}${sep}`))
    throw new FileRefused(`${path} is outside the workspace`)
  if (target.split(sep).includes('.git')) throw new FileRefused(`${path} belongs to git`)
  await mkdir(dirname(target), { recursive: true })
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
  const file = await open(target, flags | constants.O_NONBLOCK, 0o644)
  try {
    if (!(await file.stat()).isFile()) throw new FileRefused(`${path} is not a file`)
    await file.writeFile(content)
  } finally {
    await file.close()
  }
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
