import { readFileSync, statSync } from 'node:fs'
import { errorCode } from '../system/error-code.ts'

/** What a small file holds; null where there is none. */
export function readIfExists(path: string): string | null {
  // An error costs more than a look, and that there is none is the rule where this is asked.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    // It went between the two.
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
