/**
 * Messages for a worker as files that `bosun-checkin` prints and removes, since most agents receive nothing while they
 * work. A mark beside each file records that it was placed, so a missing file was taken by the worker.
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../core/event-schemas/watch.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { requireFolders } from './drop-folder.ts'

type WaitingMessage = Pick<Message, 'id' | 'kind' | 'text'>

export class MessageFiles {
  readonly #folder: string
  /** Workers that may have files here. */
  readonly #workers = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Finds files left from earlier runs. */
  open(): void {
    if (!existsSync(this.#folder)) return
    for (const worker of readdirSync(this.#folder)) this.#workers.add(worker)
  }

  /** Writes new messages and removes those that no longer wait. */
  place(worker: string, waiting: readonly WaitingMessage[]): void {
    if (waiting.length === 0 && !this.#workers.has(worker)) return
    const folder = join(this.#folder, worker)
    requireFolders([this.#folder, folder], `messages to ${worker} are delayed`)
    this.#workers.add(worker)
    const ids = new Set(waiting.map(({ id }) => String(id)))
    for (const name of readdirSync(folder)) {
      const id = /^(?:\.told-)?(\d+)(?:\.txt)?$/.exec(name)?.[1]
      if (id !== undefined && !ids.has(id)) rmSync(join(folder, name), { force: true })
    }
    for (const { id, kind, text } of waiting) {
      if (existsSync(markAt(folder, id))) continue
      atomicWriteSync(join(folder, `${id}.txt`), `${kind}: ${terminalText(text)}\n`)
      writeFileSync(markAt(folder, id), '', { mode: 0o600 })
    }
  }

  /** The waiting messages that the worker has taken. */
  taken(worker: string, waiting: readonly WaitingMessage[]): readonly number[] {
    const folder = join(this.#folder, worker)
    return waiting
      .filter(({ id }) => existsSync(markAt(folder, id)) && !existsSync(join(folder, `${id}.txt`)))
      .map(({ id }) => id)
  }

  /** Removes the files of workers that have ended. */
  forgetAllBut(isLive: (worker: string) => boolean): void {
    for (const worker of this.#workers) {
      if (isLive(worker)) continue
      this.#workers.delete(worker)
      rmSync(join(this.#folder, worker), { recursive: true, force: true })
    }
  }
}

const markAt = (folder: string, id: number): string => join(folder, `.told-${id}`)
