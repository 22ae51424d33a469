/** Reads on in a file that others append lines to. */
import { readSync, statSync, watch, type FSWatcher } from 'node:fs'
import { errorCode } from './system-error.ts'
import { openedFile, type OpenedFile } from './atomic-write.ts'

const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a
/** Shared: it is filled and emptied synchronously. */
let shared: Buffer | null = null

export class LineTail {
  readonly #path: string
  readonly #maxLineBytes: number
  #offset = 0
  #rest: Buffer[] = []
  #restBytes = 0
  /** How many lines were too long to be read. */
  skipped = 0

  constructor(path: string, maxLineBytes: number) {
    this.#path = path
    this.#maxLineBytes = maxLineBytes
  }

  /** The lines that are complete since the last reading. A file that is not there yet has none. */
  read(): readonly string[] {
    // Mostly there is nothing new, and many files are looked at.
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? this.#offset
    if (size < this.#offset) this.#startOver()
    if (size === this.#offset) return []
    using file = openIfThere(this.#path)
    if (file === null) return []
    const lines: string[] = []
    const chunk = (shared ??= Buffer.allocUnsafeSlow(CHUNK_BYTES))
    for (;;) {
      const bytes = readSync(file.fd, chunk, 0, CHUNK_BYTES, this.#offset)
      if (bytes === 0) return lines
      this.#offset += bytes
      this.#take(Buffer.from(chunk.subarray(0, bytes)), lines)
    }
  }

  /** The file was cut, or another one is in its place. */
  #startOver(): void {
    this.#offset = 0
    this.#rest = []
    this.#restBytes = 0
  }

  #take(chunk: Buffer, lines: string[]): void {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at))
      if (this.#restBytes > this.#maxLineBytes) this.skipped++
      else lines.push(Buffer.concat(this.#rest).toString('utf8'))
      this.#rest = []
      this.#restBytes = 0
      from = at + 1
    }
    this.#keep(chunk.subarray(from))
  }

  /** Of a line that is too long nothing is kept but its length. */
  #keep(part: Buffer): void {
    this.#restBytes += part.length
    if (this.#restBytes > this.#maxLineBytes) this.#rest = []
    else if (part.length > 0) this.#rest.push(part)
  }
}

function openIfThere(path: string): OpenedFile | null {
  try {
    return openedFile(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Calls back when a file may have grown: at once on a file event, and every `pollMs` in any case, since events can be
 * lost. A file that does not exist yet is only polled.
 */
export function watchGrowth(path: string, pollMs: number, onChange: () => void): () => void {
  const timer = setInterval(onChange, pollMs)
  let watcher: FSWatcher | null = null
  try {
    watcher = watch(path, () => onChange())
    // The file may be removed, and the system may run out of watches.
    watcher.on('error', () => watcher?.close())
  } catch {
    // As above.
  }
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}
