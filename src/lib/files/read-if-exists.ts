import { readFileSync, statSync } from 'node:fs'
import { errorCode } from '../system/error-code.ts'

/** The content of a small file; null if it does not exist. */
export function readIfExists(path: string): string | null {
  // The file is usually missing, and a thrown error costs more than a check.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    // It went between the two.
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
