/** Keeps whole outputs under their hash, so that a verdict can be checked long after. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptOutput, OutputFile } from '../process/output-keeper.ts'

/** Of one output. What comes after it is not kept, and the file says so; the hash is of everything. */
const MAX_BYTES = 64 * 1024 * 1024

export class EvidenceStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Where an output goes while it is written. */
  open(): OutputFile {
    mkdirSync(this.#folder, { recursive: true })
    return { path: join(this.#folder, `unfinished-${randomUUID()}`), maxBytes: MAX_BYTES }
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
