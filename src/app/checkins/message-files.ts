/**
 * What waits for a worker, as files that `bosun-checkin` prints and removes: most agents listen to nothing while
 * they work. Beside each file lies a mark that it was put there, so that one that is gone was taken by its worker.
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalText } from '../../lib/text/terminal-text.ts'
import { atomicWriteSync } from '../../lib/atomic-write.ts'
import { folderProblem } from './spool-folder.ts'

export interface WaitingMessage {
  readonly id: number
  readonly kind: string
  readonly text: string
}

export class MessageFiles {
  readonly #folder: string
  /** Workers that may have files here. */
  readonly #workers = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** What of past days may lie here is looked at when its worker is. */
  open(): void {
    if (!existsSync(this.#folder)) return
    for (const worker of readdirSync(this.#folder)) this.#workers.add(worker)
  }

  /** Puts there what waits and was not put there yet, and takes away what waits no more. */
  place(worker: string, waiting: readonly WaitingMessage[]): void {
    if (waiting.length === 0 && !this.#workers.has(worker)) return
    const folder = join(this.#folder, worker)
    for (const path of [this.#folder, folder]) {
      const problem = folderProblem(path)
      if (problem !== null) throw new Error(`${problem}. Messages to ${worker} wait`)
    }
    this.#workers.add(worker)
    const ids = new Set(waiting.map(({ id }) => String(id)))
    for (const name of readdirSync(folder)) {
      const id = /^(?:\.told-(\d+)|(\d+)\.txt)$/
        .exec(name)
        ?.slice(1)
        .find((found) => found !== undefined)
      if (id !== undefined && !ids.has(id)) rmSync(join(folder, name), { force: true })
    }
    for (const { id, kind, text } of waiting) {
      if (existsSync(markAt(folder, id))) continue
      atomicWriteSync(join(folder, `${id}.txt`), `${kind}: ${terminalText(text)}\n`)
      writeFileSync(markAt(folder, id), '', { mode: 0o600 })
    }
  }

  /** Those of what waits that the worker has taken. */
  taken(worker: string, waiting: readonly WaitingMessage[]): readonly number[] {
    const folder = join(this.#folder, worker)
    return waiting
      .filter(({ id }) => existsSync(markAt(folder, id)) && !existsSync(join(folder, `${id}.txt`)))
      .map(({ id }) => id)
  }

  /** Clears up after workers that are no more. */
  forgetAllBut(isLive: (worker: string) => boolean): void {
    for (const worker of this.#workers) {
      if (isLive(worker)) continue
      this.#workers.delete(worker)
      rmSync(join(this.#folder, worker), { recursive: true, force: true })
    }
  }
}

const markAt = (folder: string, id: number): string => join(folder, `.told-${id}`)
