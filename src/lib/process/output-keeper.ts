/** Takes in any amount of output and keeps a bounded part of it: how it began and how it ended. */
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, writeSync, mkdirSync, rmSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Redactor, type HiddenStream } from '../text/redactor.ts'

export interface KeptOutput {
  readonly head: Buffer
  /** Empty as long as the head holds everything. */
  readonly tail: Buffer
  readonly totalBytes: number
  /** What lies between head and tail and was not kept. */
  readonly omittedBytes: number
  /** Of everything, kept or not; where the file takes less of it, of what the file takes. */
  readonly sha256: string
}

export interface OutputFile {
  readonly path: string
  /** Output beyond this is not written, and the file ends with a note. Without output there is no file. */
  readonly maxBytes: number
  /** What the file takes of the output; the whole if absent. */
  readonly hide?: HiddenStream | undefined
}

export class OutputKeeper {
  readonly #headLimit: number
  readonly #tailLimit: number
  readonly #hash = createHash('sha256')
  readonly #file: CappedFile | null
  readonly #hide: HiddenStream | null
  #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #totalBytes = 0

  constructor(maxBytes: number, file?: OutputFile) {
    this.#headLimit = Math.ceil(maxBytes / 2)
    this.#tailLimit = Math.floor(maxBytes / 2)
    this.#file = file === undefined ? null : new CappedFile(file)
    this.#hide = file?.hide ?? null
  }

  get totalBytes(): number {
    return this.#totalBytes
  }

  add(chunk: Buffer): void {
    this.#totalBytes += chunk.length
    this.#write(this.#hide === null ? chunk : Buffer.from(this.#hide.add(chunk)))
    const room = this.#headLimit - this.#headBytes
    if (room > 0) {
      const first = chunk.subarray(0, room)
      this.#head.push(first)
      this.#headBytes += first.length
      if (chunk.length > room) this.#addToTail(chunk.subarray(room))
    } else {
      this.#addToTail(chunk)
    }
  }

  #write(chunk: Buffer): void {
    this.#hash.update(chunk)
    if (chunk.length > 0) this.#file?.add(chunk)
  }

  /** Drops whole chunks from the front while the rest is enough, so that memory stays within two chunks of the limit. */
  #addToTail(chunk: Buffer): void {
    this.#tail.push(chunk)
    this.#tailBytes += chunk.length
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailBytes - first.length < this.#tailLimit) return
      this.#tail.shift()
      this.#tailBytes -= first.length
    }
  }

  /** Call once, at the end. Throws the error that prevented writing, since partial evidence proves nothing. */
  finish(): KeptOutput {
    if (this.#hide !== null) this.#write(Buffer.from(this.#hide.end()))
    this.#file?.close()
    const tail = Buffer.concat(this.#tail)
    const kept = tail.subarray(Math.max(0, tail.length - this.#tailLimit))
    return {
      head: Buffer.concat(this.#head),
      tail: kept,
      totalBytes: this.#totalBytes,
      omittedBytes: this.#totalBytes - this.#headBytes - kept.length,
      sha256: this.#hash.digest('hex'),
    }
  }
}

/** The kept output as text, with a line for the omitted part. */
export function textOf(output: KeptOutput): string {
  if (output.omittedBytes === 0) return Buffer.concat([output.head, output.tail]).toString('utf8')
  const gap = `\n[… ${output.omittedBytes} bytes left out …]\n`
  return `${output.head.toString('utf8')}${gap}${output.tail.toString('utf8')}`
}

/** Made with the first output. */
class CappedFile {
  readonly #path: string
  #file: number | null = null
  #room: number
  #failure: { readonly error: unknown } | null = null

  constructor({ path, maxBytes }: OutputFile) {
    this.#path = path
    this.#room = maxBytes
  }

  /** Output arrives asynchronously, so a full disk is reported at the end. */
  add(chunk: Buffer): void {
    if (this.#room <= 0 || this.#failure !== null) return
    const part = chunk.subarray(0, this.#room)
    this.#room -= part.length
    try {
      const file = (this.#file ??= openSync(this.#path, 'w', 0o600))
      writeWhole(file, part)
      if (part.length < chunk.length) writeWhole(file, Buffer.from('\n[… the rest was not saved]\n'))
    } catch (error) {
      this.#failure = { error }
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    if (this.#failure !== null) throw this.#failure.error
  }
}

/** A disk that is nearly full may take a part only. */
function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}

// Keeps whole outputs under their hash, so that a verdict can be checked long after.

/** Of one output. What comes after it is not kept, and the file says so; the hash is of everything. */
const MAX_BYTES = 64 * 1024 * 1024

export class EvidenceStore {
  readonly #folder: string
  /** Takes secrets out of all of them. */
  readonly hide: Redactor

  constructor(folder: string, hide = new Redactor()) {
    this.#folder = folder
    this.hide = hide
  }

  /** Where an output goes while it is written. */
  open(): OutputFile {
    mkdirSync(this.#folder, { recursive: true })
    const path = join(this.#folder, `unfinished-${randomUUID()}`)
    return { path, maxBytes: MAX_BYTES, hide: this.hide.stream() }
  }

  /** The path it is kept at, relative to the folder; null if there was none. The same output is kept once. */
  async keep(output: OutputFile, { sha256, totalBytes }: KeptOutput): Promise<string | null> {
    if (totalBytes === 0) return null
    const place = `${sha256.slice(0, 2)}/${sha256}.txt`
    await mkdir(join(this.#folder, sha256.slice(0, 2)), { recursive: true })
    await rename(output.path, join(this.#folder, place))
    return place
  }

  /** There was nothing to keep. */
  drop(output: OutputFile): void {
    rmSync(output.path, { force: true })
  }
}
