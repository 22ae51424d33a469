/** Takes notes of what happens beside the event log, and shows them to listeners. */
import type { CheckinKept, Note, NoteLog } from '../../ports/note-log.ts'

export interface NoteParts {
  readonly notes: NoteLog
  readonly onError: (what: string, error: unknown) => void
}

/** A note without what it is not about. */
export type NewNote = Pick<Note, 'repository' | 'at' | 'event'> &
  Partial<Pick<Note, 'plan' | 'worker' | 'task'>> & { readonly data: Readonly<Record<string, unknown>> }

export class Notes {
  readonly #parts: NoteParts
  readonly #listeners = new Set<(note: Note) => void>()

  constructor(parts: NoteParts) {
    this.#parts = parts
  }

  /** It is durable when this resolves. */
  async add(note: NewNote): Promise<void> {
    const whole = wholeNote(note)
    await this.#parts.notes.append(whole)
    this.#show(whole)
  }

  /** The same for a note that the caller does not wait for. */
  addSoon(note: NewNote): void {
    this.add(note).catch((error: unknown) => this.#parts.onError(`noting ${note.event}`, error))
  }

  /** Keeps a check-in, whose data is JSON. It is durable when this resolves. */
  async addCheckin(note: Note & { readonly worker: string }, kept: CheckinKept): Promise<'kept' | 'known'> {
    const result = await this.#parts.notes.appendCheckin(note, kept)
    if (result === 'kept') this.#show(note)
    return result
  }

  listen(listener: (note: Note) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #show(note: Note): void {
    for (const listener of this.#listeners) listener(note)
  }
}

const wholeNote = ({ plan = null, worker = null, task = null, data, ...note }: NewNote): Note => ({
  ...note,
  plan,
  worker,
  task,
  data: JSON.stringify(data),
})
