import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { JournalFact } from '../worker-folder.ts'

/** Entries that have to survive a power cut. No worker does, so the others may be lost. */
const LASTING: readonly string[] = ['session', 'ended']

/** Appends what happened, numbered. What has to survive a power cut is synced. */
export class Journal {
  readonly #file: number
  #seq: number

  /** Numbers go on after `after`. */
  constructor(path: string, after = 0) {
    this.#file = openSync(path, 'a', 0o600)
    this.#seq = after
    // An earlier writer may have died in the middle of a line.
    if (after > 0) writeSync(this.#file, '\n')
  }

  write(fact: JournalFact): void {
    this.#seq++
    writeSync(this.#file, `${JSON.stringify({ seq: this.#seq, at: Date.now(), ...fact })}\n`)
    if (LASTING.includes(fact.kind)) fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }
}
