import { closeSync, openSync, renameSync, writeSync } from 'node:fs'

/** Errors of providers come as whole documents. */
const LAST_OUTPUT_BYTES = 8192

/** Keeps the newest output: a file that is set aside as `.1` when full, so that at most two of them exist. */
export class OutputLog {
  readonly #path: string
  readonly #maxBytes: number
  /** Null where it cannot be written: the agent's output is not worth ending the agent for. */
  #file: number | null
  #bytes = 0
  #end: Buffer = Buffer.alloc(0)
  totalBytes = 0

  constructor(path: string, maxBytes: number) {
    this.#path = path
    this.#maxBytes = maxBytes
    this.#file = this.#opened()
  }

  add(chunk: Buffer): void {
    this.totalBytes += chunk.length
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
    return this.#end.toString('utf8')
  }

  #setAside(): void {
    renameSync(this.#path, `${this.#path}.1`)
    this.close()
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
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }
}
