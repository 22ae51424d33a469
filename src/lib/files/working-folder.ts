import { Refusal } from '../refusal.ts'
import { errorCode } from './system-error.ts'

/** The folder this process was started in is gone. Commands that need none work all the same. */
export class WorkingFolderGone extends Refusal {
  constructor(cause: unknown) {
    super({
      code: 'not_found',
      message: 'the current folder no longer exists',
      remedy: 'Change to another folder and try again: cd /path/to/your/repository',
      cause,
    })
  }
}

/** Asked for only where it is needed. */
export function workingFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new WorkingFolderGone(error)
    throw error
  }
}

/** The same, or null. */
export function folderIfThere(place: { readonly cwd: string }): string | null {
  try {
    return place.cwd
  } catch (error) {
    if (error instanceof WorkingFolderGone) return null
    throw error
  }
}
