/** The file with a daemon's address. If another daemon has replaced it, it is left alone. */
import { readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { atomicWriteText } from '../lib/files/atomic-write.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { errorCode } from '../lib/system/error-code.ts'

export class AddressFile {
  readonly path: string
  readonly #text: string

  constructor(root: string, facts: DaemonFacts) {
    this.path = join(root, 'daemon.json')
    this.#text = `${JSON.stringify(facts, null, 2)}\n`
  }

  async write(): Promise<void> {
    await atomicWriteText(this.path, this.#text)
  }

  /** False if the file is no longer this daemon's. */
  async touch(): Promise<boolean> {
    if (!(await this.#isOwn())) return false
    const now = new Date()
    await utimes(this.path, now, now)
    return true
  }

  async remove(): Promise<void> {
    if (await this.#isOwn()) await rm(this.path, { force: true })
  }

  async #isOwn(): Promise<boolean> {
    try {
      return (await readFile(this.path, 'utf8')) === this.#text
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
  }
}
