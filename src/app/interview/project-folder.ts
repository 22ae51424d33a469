/** The folder of a project, as a caller names it. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { Refusal } from '../../lib/refusal.ts'

/** Without symbolic links. Refuses a relative path, and what is no folder. */
export async function projectFolder(path: string): Promise<string> {
  // The daemon's own folder says nothing about the caller's.
  if (!isAbsolute(path)) throw noProject('usage', `${path} is not an absolute path`)
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (cause) {
    throw noProject('not_found', `no folder ${path}`, cause)
  }
  throw noProject('usage', `${path} is not a folder`)
}

const noProject = (code: 'usage' | 'not_found', message: string, cause?: unknown): Refusal =>
  new Refusal({ code, message, remedy: 'Send the absolute path of the project folder as repo.', cause })
