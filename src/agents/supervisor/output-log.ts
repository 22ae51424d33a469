import { closeSync, openSync, renameSync, writeSync } from 'node:fs'

/** Errors of providers come as whole documents. */
const LAST_OUTPUT_BYTES = 8192

/** Keeps the newest output: a file that is set aside as `.1` when full, so that at most two of them exist. */
export class OutputLog {
  readonly #path: string
  readonly #maxBytes: number
  #file: number
  #bytes = 0
  #end: Buffer = Buffer.alloc(0)
  totalBytes = 0

  constructor(path: string, maxBytes: number) {
    this.#path = path
    this.#maxBytes = maxBytes
    this.#file = openSync(path, 'w', 0o600)
  }

  add(chunk: Buffer): void {
    this.totalBytes += chunk.length
    this.#end = Buffer.concat([this.#end, chunk.subarray(-LAST_OUTPUT_BYTES)]).subarray(-LAST_OUTPUT_BYTES)
    try {
      if (this.#bytes + chunk.length > this.#maxBytes) this.#setAside()
      this.#bytes += writeSync(this.#file, chunk.subarray(-this.#maxBytes))
    } catch {
      // No room on the disk: the agent's output is not worth ending the agent for.
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
    const full = this.#file
    this.#file = openSync(this.#path, 'w', 0o600)
    closeSync(full)
    this.#bytes = 0
  }

  close(): void {
    closeSync(this.#file)
  }
}
