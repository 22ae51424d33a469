/**
 * One repository's activity log: a line of JSON per activity, in rotated files. Lines from the event log carry its sequence
 * number, so that a start after a crash writes exactly the missing ones.
 */
import { appendFileSync, closeSync, openSync } from 'node:fs'
import { mkdir, open, readFile, rename, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/system/error-code.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import { readActivityLine } from './activity-line.ts'
import { BackwardFileLines, type BackwardLines } from './backward-lines.ts'

export interface ReadActivity {
  /** Oldest first. */
  readonly lines: readonly ActivityLine[]
  /** How many lines could not be read. */
  readonly unreadable: number
}

const NAME = 'pm-activity'
const MAX_BYTES = 8 * 1024 * 1024
/** Files that were put aside; older ones are given up. */
const KEPT = 4

/** Of text that is written in one go. */
const MAX_AT_ONCE = 64 * 1024

/** One event of the log, by its sequence number. */
export interface EntryLines {
  readonly seq: number
  readonly lines: readonly ActivityLine[]
}

/** The last event of the log that is in the file, and how many of its lines are. */
export interface Written {
  readonly seq: number
  readonly lines: number
}

export class ActivityFile {
  readonly #folder: string
  readonly #maxBytes: number
  #handle: FileHandle
  #bytes: number
  #written: Written

  private constructor(folder: string, maxBytes: number, found: Found) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#handle = found.handle
    this.#bytes = found.bytes
    this.#written = found.written
  }

  /** Opens the file, creating it if there is none. A line that was cut short by a crash goes. */
  static async open(folder: string, maxBytes = MAX_BYTES): Promise<ActivityFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = fileAt(folder, 0)
    const text = await textOf(path)
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const bytes = Buffer.byteLength(whole)
    if (whole.length < text.length) await truncate(path, bytes)
    let written = lastWritten(whole)
    for (let age = 1; written === null && age <= KEPT; age++)
      written = lastWritten(await textOf(fileAt(folder, age)))
    const found = { bytes, written: written ?? { seq: 0, lines: 0 }, handle: await open(path, 'a', 0o600) }
    return new ActivityFile(folder, maxBytes, found)
  }

  get written(): Written {
    return this.#written
  }

  /** Adds the lines of events of the log, or as many of them as are missing. */
  async appendEntries(entries: readonly EntryLines[]): Promise<void> {
    let text = ''
    let written = this.#written
    for (const { seq, lines } of entries) {
      const missing = missingOf(seq, lines, written)
      if (missing.length === 0) continue
      for (const line of missing) text += textOfLine(line, JSON.stringify({ ...line.data, seq }))
      written = { seq, lines: lines.length }
      if (text.length < MAX_AT_ONCE) continue
      await this.#appendHere(text)
      this.#written = written
      text = ''
    }
    if (text !== '') await this.#appendHere(text)
    this.#written = written
  }

  /** Adds a line that no event of the log stands for; it is durable when this resolves. */
  async appendNote(line: ActivityLine): Promise<void> {
    await this.#appendHere(textOfLine(line))
    await this.#handle.datasync()
  }

  /** Adds lines that no event of the log stands for and whose loss loses nothing else. */
  async appendNotes(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await this.#makeRoom(bytes.length)
    await this.#handle.appendFile(bytes)
    this.#bytes += bytes.length
  }

  /** Every line there is, oldest first, and how many could not be read. */
  read(): Promise<ReadActivity> {
    return readActivityFiles(this.#folder)
  }

  /** The same from its end. Not while something is appended. */
  readBackwards(from: string | null): BackwardLines {
    return new BackwardFileLines(openActivityFiles(this.#folder), from)
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  /** Synchronous: a few lines take less time than handing them to a thread. */
  async #appendHere(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await this.#makeRoom(bytes.length)
    appendFileSync(this.#handle.fd, bytes)
    this.#bytes += bytes.length
  }

  async #makeRoom(bytes: number): Promise<void> {
    if (this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes) await this.#putAside()
  }

  async #putAside(): Promise<void> {
    await this.#handle.close()
    for (let age = KEPT - 1; age >= 0; age--)
      await moveIfThere(fileAt(this.#folder, age), fileAt(this.#folder, age + 1))
    this.#handle = await open(fileAt(this.#folder, 0), 'a', 0o600)
    this.#bytes = 0
  }
}

/** The newest first; those that there are. */
function openActivityFiles(folder: string): readonly number[] {
  const files: number[] = []
  for (let age = 0; age <= KEPT; age++) {
    try {
      files.push(openSync(fileAt(folder, age), 'r'))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') continue
      for (const file of files) closeSync(file)
      throw error
    }
  }
  return files
}

/** The same for a folder that this process has not opened. */
export async function readActivityFiles(folder: string): Promise<ReadActivity> {
  const lines: ActivityLine[] = []
  let unreadable = 0
  for (let age = KEPT; age >= 0; age--) {
    for (const text of (await textOf(fileAt(folder, age))).split('\n')) {
      if (text === '') continue
      const line = readActivityLine(text)
      if (line === null) unreadable++
      else lines.push(line)
    }
  }
  return { lines, unreadable }
}

/** Those that are not in a file that was written so far. */
function missingOf(
  seq: number,
  lines: readonly ActivityLine[],
  { seq: last, lines: there }: Written,
): readonly ActivityLine[] {
  if (seq < last) return []
  return seq === last ? lines.slice(there) : lines
}

/** A line of the file. `dataJson` saves serializing the data again. */
export function textOfLine(line: ActivityLine, dataJson = JSON.stringify(line.data)): string {
  const { timestamp, event, worker_id, task_id, plan_id } = line
  const head = JSON.stringify({ timestamp, event, worker_id, task_id, plan_id })
  return `${head.slice(0, -1)},"data":${dataJson}}\n`
}

interface Found {
  readonly handle: FileHandle
  readonly bytes: number
  readonly written: Written
}

const fileAt = (folder: string, age: number): string =>
  join(folder, age === 0 ? `${NAME}.jsonl` : `${NAME}.${age}.jsonl`)

/** Empty where there is no such file. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}

async function moveIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

function lastWritten(text: string): Written | null {
  let seq: number | null = null
  let lines = 0
  for (const line of text.trimEnd().split('\n').reverse()) {
    const found = readActivityLine(line)?.data['seq']
    if (typeof found !== 'number') continue
    if (seq !== null && found !== seq) break
    seq = found
    lines++
  }
  return seq === null ? null : { seq, lines }
}
