/** Reads a file that ought to be an ordinary one: a FIFO or a device in its place would be waited for without an end. */
import { constants, fstatSync, readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { errorCode } from '../system/error-code.ts'
import { openedFile } from './opened-file.ts'

/** Throws as `readFile` does, and for anything but a regular file. */
export async function readRegular(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file`)
  return await file.readFile('utf8')
}

/** The text of a small file; null if it does not exist. Throws for anything but a file, and for a larger one. */
export function readRegularIfExists(path: string, maxBytes: number): string | null {
  // The file is usually missing, and a thrown error costs more than a check.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  try {
    using file = openedFile(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(file.fd)
    if (!stat.isFile()) throw new Error('it is not a file')
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
    return readFileSync(file.fd, 'utf8')
  } catch (error) {
    // It went between the two.
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
