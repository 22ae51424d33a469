/** Reads and writes files for an agent that has its client do that, within the folders of its worker only. */
import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { z } from 'zod'

const filePath = z.string().min(1).max(4096)
const lineCount = z
  .int()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? null)
/** `line` counts from 1; `limit` is a number of lines. */
export const readFileSchema = z.object({ path: filePath, line: lineCount, limit: lineCount })
export const writeFileSchema = z.object({ path: filePath, content: z.string() })

const MAX_FILE_BYTES = 8 * 1024 * 1024

export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

export async function readTextFile(
  roots: readonly string[],
  request: z.infer<typeof readFileSchema>,
): Promise<string> {
  const path = await realPath(request.path)
  requireInside(path, roots)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new FileRefused(`${path} is not a file`)
    if (stat.size > MAX_FILE_BYTES) throw new FileRefused(`${path} is larger than ${MAX_FILE_BYTES} bytes`)
    const text = await file.readFile('utf8')
    const { line, limit } = request
    if (line === null && limit === null) return text
    const from = Math.max(0, (line ?? 1) - 1)
    return text
      .split('\n')
      .slice(from, limit === null ? undefined : from + limit)
      .join('\n')
  } finally {
    await file.close()
  }
}

/** Writes within the first of the roots, the workspace. Follows no link out of it. */
export async function writeTextFile(workspace: string, path: string, content: string): Promise<void> {
  if (Buffer.byteLength(content) > MAX_FILE_BYTES)
    throw new FileRefused(`the content of ${path} is larger than ${MAX_FILE_BYTES} bytes`)
  const target = await realPath(path)
  requireInside(target, [workspace])
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

function requireInside(path: string, roots: readonly string[]): void {
  if (roots.some((root) => path === root || path.startsWith(`${root}${sep}`))) return
  throw new FileRefused(`${path} is outside the workspace`)
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
