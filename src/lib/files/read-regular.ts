/** Reads a file that ought to be an ordinary one: a FIFO or a device in its place would be waited for without an end. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Throws as `readFile` does, and for anything but a regular file. */
export async function readRegular(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file`)
  return await file.readFile('utf8')
}
