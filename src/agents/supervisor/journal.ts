/** What a supervisor writes down: the journal, how its worker ended, and the output of the agent, line by line. */
import type { Readable } from 'node:stream'
import { closeSync, fsyncSync, openSync, writeSync, renameSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { atomicCreateSync } from '../../lib/files/atomic-write.ts'
import { isShortage, type JournalFact, type WorkerFolder } from '../worker-folder.ts'
import type { WorkerResult } from '../worker-records.ts'
import { Redactor, type HiddenStream } from '../../lib/text/redactor.ts'

/** Entries that have to survive a power cut. No worker does, so the others may be lost. */
const LASTING: readonly string[] = ['session', 'ended']

/** Appends what happened, numbered and without secrets. What has to survive a power cut is synced. */
export class Journal {
  readonly #file: number
  readonly #hide: Redactor
  #seq: number

  /** Numbers go on after `after`. */
  constructor(path: string, { after = 0, hide = new Redactor() }: { after?: number; hide?: Redactor } = {}) {
    this.#hide = hide
    this.#file = openSync(path, 'a', 0o600)
    this.#seq = after
    // An earlier writer may have died in the middle of a line.
    if (after > 0) writeSync(this.#file, '\n')
  }

  write(fact: JournalFact): void {
    this.#seq++
    writeSync(
      this.#file,
      `${JSON.stringify({ seq: this.#seq, at: Date.now(), ...this.#hide.inAll(fact) })}\n`,
    )
    if (LASTING.includes(fact.kind)) fsyncSync(this.#file)
  }

  /** Failing to write a sign of life must not end the worker. */
  note(fact: JournalFact): void {
    try {
      this.write(fact)
    } catch {
      // The disk is full or gone; `recordEnd` retries, this does not.
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

const RETRY_MS = 1000

/**
 * Records how a worker ended: the result file first, then the journal entry that announces it. The first end counts.
 * Waits while the disk is full, since a lost end would leave the worker running for ever.
 */
export async function recordEnd(folder: WorkerFolder, journal: Journal, result: WorkerResult): Promise<void> {
  await retryWhileFull(() => atomicCreateSync(folder.result, JSON.stringify(result)))
  await retryWhileFull(() => journal.write({ kind: 'ended', end: result.end }))
}

async function retryWhileFull(write: () => void): Promise<void> {
  for (;;) {
    try {
      return write()
    } catch (error) {
      if (!isShortage(error)) throw error
      await pause(RETRY_MS)
    }
  }
}

/** Errors of providers come as whole documents. */
const LAST_OUTPUT_BYTES = 8192

/** Keeps the newest output, without secrets: a file that is set aside as `.1` when full, so that at most two of them exist. */
export class OutputLog {
  readonly #path: string
  readonly #sources: Readonly<Record<'stdout' | 'stderr', HiddenStream>>
  readonly #maxBytes: number
  /** Null where it cannot be written: the agent's output is not worth ending the agent for. */
  #file: number | null
  #bytes = 0
  #end: Buffer = Buffer.alloc(0)
  totalBytes = 0

  constructor(path: string, maxBytes: number, hide: Redactor) {
    this.#path = path
    this.#maxBytes = maxBytes
    this.#sources = { stdout: hide.stream(), stderr: hide.stream() }
    this.#file = this.#opened()
  }

  add(chunk: Buffer, from: 'stdout' | 'stderr' = 'stdout'): void {
    this.totalBytes += chunk.length
    this.#write(Buffer.from(this.#sources[from].add(chunk)))
  }

  #write(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#end = Buffer.concat([this.#end, chunk.subarray(-LAST_OUTPUT_BYTES)]).subarray(-LAST_OUTPUT_BYTES)
    try {
      this.#file ??= this.#opened()
      if (this.#bytes + chunk.length > this.#maxBytes) this.#setAside()
      if (this.#file !== null) this.#bytes += writeSync(this.#file, chunk.subarray(-this.#maxBytes))
    } catch {
      // No room on the disk.
    }
  }

  /** Something came that is not kept. */
  touch(bytes: number): void {
    this.totalBytes += bytes
  }

  /** How the output ends, so far. */
  lastOutput(): string {
    this.#flush()
    return this.#end.toString('utf8')
  }

  /** What could have been the beginning of a secret. */
  #flush(): void {
    for (const source of Object.values(this.#sources)) this.#write(Buffer.from(source.end()))
  }

  #setAside(): void {
    renameSync(this.#path, `${this.#path}.1`)
    this.#close()
    this.#file = this.#opened()
    this.#bytes = 0
  }

  #opened(): number | null {
    try {
      return openSync(this.#path, 'w', 0o600)
    } catch {
      // Something that is no file is in its place.
      return null
    }
  }

  close(): void {
    this.#flush()
    this.#close()
  }

  #close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }
}

/** A longer line says nothing that a line should. */
const MAX_LINE_BYTES = 8 * 1024 * 1024
const NEWLINE = 0x0a

/** Cuts what an agent prints into lines, without those that are blank. */
export function readLines(
  from: Readable,
  {
    onLine,
    onTooLong,
  }: { readonly onLine: (line: string) => void; readonly onTooLong: (what: string) => void },
): void {
  let parts: Buffer[] = []
  let bytes = 0
  const keep = (part: Buffer): void => {
    bytes += part.length
    // Of a line that is too long nothing is kept but its length.
    if (bytes > MAX_LINE_BYTES) parts = []
    else parts.push(part)
  }
  const end = (): void => {
    const line = bytes > MAX_LINE_BYTES ? null : Buffer.concat(parts).toString('utf8').trim()
    if (line === null) onTooLong(`a message of ${bytes} bytes`)
    else if (line !== '') onLine(line)
    parts = []
    bytes = 0
  }
  from.on('data', (chunk: Buffer) => {
    let start = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, at))
      end()
      start = at + 1
    }
    if (start < chunk.length) keep(chunk.subarray(start))
  })
  from.once('end', end)
}
