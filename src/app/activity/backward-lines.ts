/**
 * Reads an activity log from its end, a piece at a time, so that the newest lines of a long one are there at once. A piece is
 * read synchronously, since it comes from memory in less time than a thread takes to answer (bench/api).
 */
import { closeSync, fstatSync, readSync } from 'node:fs'
import type { ActivityLine } from '../../protocol/answers.ts'
import { readActivityLine } from './activity-line.ts'

const PIECE_BYTES = 64 * 1024
/** After so many pieces other calls have their turn. */
const PIECES_AT_ONCE = 16
/** Enough to hold the beginning of a line. */
const PROBE_BYTES = 4096
const NEWLINE = 10
/** How every line begins that Bosun wrote. */
const HEAD = '{"timestamp":"'
/** `2026-01-05T09:00:00.000Z` */
const TIMESTAMP_LENGTH = 24
const HEAD_BYTES = HEAD.length + TIMESTAMP_LENGTH
const NOTHING: Buffer = Buffer.alloc(0)

/** The lines of one repository, newest first. */
export interface BackwardLines {
  /** The next line; null at the end, which is the oldest. Lines newer than `from` may be left out. */
  next(): Promise<ActivityLine | null>
  /** How many lines could not be read so far. */
  readonly unreadable: number
  close(): Promise<void>
}

/** Those of files, the newest file first. Lines that were written after `from` are not parsed. */
export class BackwardFileLines implements BackwardLines {
  unreadable = 0
  readonly #files: readonly number[]
  readonly #from: string | null
  #file = -1
  #pieces = 0
  /** Where the part begins that was read, and the beginning of a line whose end was read. */
  #position = 0
  #rest: Buffer = NOTHING
  /** Read and not given out; the newest is the last. */
  #lines: string[] = []
  /** Whether a line was found that is not too new. Those before it are given out whatever their clock was. */
  #hasReached: boolean

  /** `files` are open; they are closed with this. */
  constructor(files: readonly number[], from: string | null) {
    this.#files = files
    this.#from = from
    this.#hasReached = from === null
  }

  async next(): Promise<ActivityLine | null> {
    for (;;) {
      const text = this.#lines.pop()
      if (text === undefined) {
        if (++this.#pieces % PIECES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
        if (!this.#readPiece()) return null
        continue
      }
      if (text === '' || this.#isTooNew(text)) continue
      this.#hasReached = true
      const line = readActivityLine(text)
      if (line !== null) return line
      this.unreadable++
    }
  }

  async close(): Promise<void> {
    for (const file of this.#files) closeSync(file)
  }

  #isTooNew(text: string): boolean {
    if (this.#hasReached || this.#from === null || !text.startsWith(HEAD)) return false
    return text.slice(HEAD.length, HEAD_BYTES) > this.#from
  }

  /** False at the beginning of the oldest file. */
  #readPiece(): boolean {
    while (this.#position === 0) {
      const file = this.#files[++this.#file]
      if (file === undefined) return false
      this.#position = this.#endIn(file)
    }
    const file = this.#files[this.#file] ?? -1
    const length = Math.min(PIECE_BYTES, this.#position)
    this.#position -= length
    const piece = bytesAt(file, this.#position, length)
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([piece, this.#rest])
    const isFirst = this.#position === 0
    const first = isFirst ? 0 : bytes.indexOf(NEWLINE) + 1
    // Within a line that is longer than this piece.
    const isWithin = first === 0 && !isFirst
    this.#rest = isFirst ? NOTHING : isWithin ? bytes : bytes.subarray(0, first)
    this.#lines = isWithin ? [] : bytes.subarray(first).toString('utf8').split('\n')
    return true
  }

  /** Where to begin: behind the last line that is not too new, or up to a piece further on. */
  #endIn(file: number): number {
    let end = fstatSync(file).size
    if (this.#hasReached) return end
    for (let begin = 0; end - begin > PIECE_BYTES;) {
      const middle = Math.floor((begin + end) / 2)
      const text = textAt(file, middle, PROBE_BYTES)
      const line = text.indexOf('\n') + 1
      // Within a long line: what is too new is left out line by line.
      if (line === 0 || line + HEAD_BYTES > text.length) break
      if (this.#isTooNew(text.slice(line))) end = middle + line
      else begin = middle + line
    }
    return end
  }
}

function bytesAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, position))
}

const textAt = (file: number, position: number, length: number): string =>
  bytesAt(file, position, length).toString('latin1')

/** Those that were read whole. */
export class BackwardList implements BackwardLines {
  readonly unreadable: number
  readonly #lines: readonly ActivityLine[]
  #left: number

  /** Oldest first. */
  constructor({
    lines,
    unreadable,
  }: {
    readonly lines: readonly ActivityLine[]
    readonly unreadable: number
  }) {
    this.#lines = lines
    this.#left = lines.length
    this.unreadable = unreadable
  }

  async next(): Promise<ActivityLine | null> {
    return this.#left === 0 ? null : (this.#lines[--this.#left] ?? null)
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
