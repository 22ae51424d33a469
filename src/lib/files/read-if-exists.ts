import { readFileSync, statSync, constants, fstatSync, createReadStream } from 'node:fs'
import { errorCode } from './system-error.ts'
import { open } from 'node:fs/promises'
import { openedFile } from './atomic-write.ts'
import { Refusal } from '../refusal.ts'

/** The content of a small file; null if it does not exist. */
export const readIfExists = (path: string): string | null => ifExists(path, () => readFileSync(path, 'utf8'))

function ifExists<T>(path: string, read: () => T): T | null {
  // The file is usually missing, and a thrown error costs more than a check.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  try {
    return read()
  } catch (error) {
    // It went between the two.
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

// Reads a file that ought to be an ordinary one: a FIFO or a device in its place would be waited for without an end.

/** Throws as `readFile` does, and for anything but a regular file. */
export async function readRegular(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file`)
  return await file.readFile('utf8')
}

/** The text of a small file; null if it does not exist. Throws for anything but a file, and for a larger one. */
export const readRegularIfExists = (path: string, maxBytes: number): string | null =>
  ifExists(path, () => {
    using file = openedFile(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(file.fd)
    if (!stat.isFile()) throw new Error('it is not a file')
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
    return readFileSync(file.fd, 'utf8')
  })

// All bytes of a file, up to a limit that is held while reading: a pipe (`<(…)`) has no size beforehand.

/**
 * Reads a file on the disk at once: `node:fs/promises` takes longer to load than a plan takes to read. Only what may
 * keep us waiting is waited for. Throws what opening and reading throw.
 */
export async function fileBytes(file: string, maxBytes: number): Promise<Uint8Array | 'too_long'> {
  const found = statSync(file)
  if (found.isFile() && found.size > maxBytes) return 'too_long'
  const bytes = found.isFile() ? readFileSync(file) : await bytesInTime(file, maxBytes)
  return bytes.length > maxBytes ? 'too_long' : bytes
}

/** One byte more than allowed shows that there is too much. */
async function bytesInTime(file: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(file, { end: maxBytes }) as AsyncIterable<Buffer>)
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

const MAX_LINE_CHARS = 16_000_000

/**
 * The lines of a text file, without their line feeds. Only `\n` ends a line: JSON may hold the other line
 * ends of Unicode as they are. Refuses what is not UTF-8 and lines that would fill the memory.
 */
export async function* fileLines(path: string, maxLineChars = MAX_LINE_CHARS): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let line = 1
  const refuse = (message: string): Refusal => {
    const remedy = 'Is it the right file?'
    return new Refusal({ code: 'failed', message, remedy, faults: [{ file: path, line, message, remedy }] })
  }
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw refuse('not valid UTF-8 text')
    }
  }
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const lines = decode(chunk).split('\n')
    lines[0] = rest + (lines[0] ?? '')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      yield text
      line++
    }
    if (rest.length > maxLineChars) throw refuse(`this line is longer than ${maxLineChars} characters`)
  }
  rest += decode()
  if (rest !== '') yield rest
}
