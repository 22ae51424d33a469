/** Writes the activity logs of the repositories from the event log. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ActivityReader } from '../../core/events/activity.ts'
import type { Activity } from '../../core/events/activity-lines.ts'
import { interviewDefinitionOf } from '../../core/interview/events/interview-events.ts'
import { isPlanEvent, type LogEvent } from '../../core/log/log-events.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import type { Entry, EventLog } from '../../ports/event-log.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import type { BackwardLines } from './backward-lines.ts'
import { ActivityFile, textOfLine, type EntryLines, type ReadActivity } from './activity-file.ts'
import { subscribePastDamage } from './past-damage.ts'
import { repositoryOfStream, streamParts } from '../host/stream-name.ts'

export interface JournalParts {
  readonly log: EventLog<LogEvent>
  /** The state root. */
  readonly root: string
  readonly folderOf: (repository: string) => string
  readonly onError: (what: string, error: unknown) => void
}

/** How far every file is known to go, so that a start does not read the whole log. */
const POSITION_FILE = 'activity-position'
const POSITION_EVERY = 1000
/** How long lines without a waiting caller are batched. */
const SOON_MS = 50
/** Events of one repository that wait for their file at most. */
const MAX_WAITING = 10_000
/** Characters of noted lines of one repository. */
const MAX_WAITING_LENGTH = 8 * 1024 * 1024

export class ActivityJournal {
  readonly #parts: JournalParts
  readonly #files = new Map<string, Promise<ActivityFile>>()
  readonly #readers = new Map<string, ActivityReader>()
  readonly #queue = new SerialQueue()
  readonly #listeners = new Set<(repository: string, line: ActivityLine) => void>()
  /** What could not be written yet, by repository, in order. */
  readonly #waiting = new Map<string, EntryLines[]>()
  /** What was noted and is written with the next turn, by repository. */
  readonly #soon = new Map<string, string>()
  #soonTimer: NodeJS.Timeout | null = null
  readonly #broken = new Set<string>()
  #unsubscribe: () => void = () => undefined
  /** The subscription to the event log has failed. */
  #deaf = false
  #seq: number
  #saved: number

  private constructor(parts: JournalParts, seq: number) {
    this.#parts = parts
    this.#seq = seq
    this.#saved = seq
  }

  static async open(parts: JournalParts): Promise<ActivityJournal> {
    const position = await readPosition(parts.root)
    const journal = new ActivityJournal(parts, Math.min(position, await parts.log.head()))
    journal.#unsubscribe = subscribePastDamage(parts.log, journal.#seq, {
      entries: (entries) => journal.#take(entries),
      damage: (error) => {
        parts.onError('the activity log', error)
        journal.#pass(error.seq)
      },
      failed: (error) => {
        journal.#deaf = true
        parts.onError('the activity log', error)
      },
    })
    await journal.settled()
    return journal
  }

  /** Resolves when everything that is in the event log now is in the files. */
  async settled(): Promise<void> {
    const head = await this.#parts.log.head()
    while (this.#seq < head && !this.#deaf) {
      // The subscription reads on by itself; its entries are queued as they come.
      await new Promise((resolve) => setImmediate(resolve))
      await this.#queue.idle()
    }
  }

  /** Who was about to be stopped in a plan when it was taken up, and which open items are about workers. */
  load(stream: string, condemned: Iterable<string>, alerts: Iterable<string>): void {
    if (!this.#readers.has(stream)) this.#readers.set(stream, new ActivityReader(condemned, alerts))
  }

  /** Adds a line that no event of the log stands for; it is durable when this resolves. */
  note(repository: string, line: ActivityLine): Promise<void> {
    return this.#queue.run(async () => {
      await (await this.#file(repository)).appendNote(line)
      for (const listener of this.#listeners) listener(repository, line)
    })
  }

  /**
   * Adds a line about something stored elsewhere: soon, in a batch, and without waiting for the disk. After a crash it may
   * be missing. `dataJson` saves serializing the data again.
   */
  noteSoon(repository: string, line: ActivityLine, dataJson?: string): void {
    const waiting = this.#soon.get(repository) ?? ''
    if (waiting.length < MAX_WAITING_LENGTH) this.#soon.set(repository, waiting + textOfLine(line, dataJson))
    for (const listener of this.#listeners) listener(repository, line)
    this.#soonTimer ??= setTimeout(() => void this.#writeSoon(), SOON_MS)
  }

  /** Never rejects: failures go to `onError`. */
  async #writeSoon(): Promise<void> {
    clearTimeout(this.#soonTimer ?? undefined)
    this.#soonTimer = null
    const waiting = [...this.#soon]
    this.#soon.clear()
    for (const [repository, text] of waiting) {
      await this.#queue
        .run(async () => (await this.#file(repository)).appendNotes(text))
        .catch((error: unknown) => this.#parts.onError(`the activity log of ${repository}`, error))
    }
  }

  /** Listens to noted lines. Those of the event log can be read there. */
  listen(listener: (repository: string, line: ActivityLine) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async read(repository: string): Promise<ReadActivity> {
    await this.#settle(repository)
    return (await this.#file(repository)).read()
  }

  /** From the end; lines that are newer than `from` may be left out. */
  async readBackwards(repository: string, from: string | null): Promise<BackwardLines> {
    await this.#settle(repository)
    const file = await this.#file(repository)
    return this.#queue.run(async () => file.readBackwards(from))
  }

  async #settle(repository: string): Promise<void> {
    await this.settled()
    await this.#writeSoon()
    await this.#queue.run(() => this.#flush(repository))
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    this.#deaf = true
    await this.#writeSoon()
    await this.#queue.idle()
    for (const repository of this.#waiting.keys()) await this.#flush(repository)
    // It only saves time at the next start.
    await this.#savePosition().catch((error: unknown) => this.#parts.onError('the activity log', error))
    for (const file of this.#files.values()) await (await file).close()
  }

  #take(entries: readonly Entry<LogEvent>[]): void {
    this.#queue
      .run(async () => {
        await this.#write(entries)
        if (this.#seq - this.#saved >= POSITION_EVERY) await this.#savePosition()
      })
      .catch((error: unknown) => this.#parts.onError('the activity log', error))
  }

  /** An event that cannot be read has no line. */
  #pass(seq: number): void {
    void this.#queue.run(async () => {
      this.#seq = Math.max(this.#seq, seq)
    })
  }

  /** What cannot be written waits; when too much does, it is left to the next start, which writes what is missing. */
  async #write(entries: readonly Entry<LogEvent>[]): Promise<void> {
    const touched = new Set<string>()
    for (const entry of entries) {
      const repository = repositoryOfStream(entry.stream)
      if (repository === null || this.#broken.has(repository)) continue
      const waiting = this.#waiting.get(repository) ?? []
      waiting.push({ seq: entry.seq, lines: linesOf(entry, this.#reader(entry.stream)) })
      this.#waiting.set(repository, waiting)
      touched.add(repository)
    }
    for (const repository of touched) await this.#flush(repository)
    this.#seq = entries.at(-1)?.seq ?? this.#seq
  }

  /** Writes what waits. A file that could not be written is opened anew, since a line may have been cut short. */
  async #flush(repository: string): Promise<void> {
    const waiting = this.#waiting.get(repository) ?? []
    try {
      if (waiting.length > 0) await (await this.#file(repository)).appendEntries(waiting)
      this.#waiting.delete(repository)
    } catch (error) {
      this.#parts.onError(`the activity log of ${repository}`, error)
      await this.#release(repository)
      if (waiting.length < MAX_WAITING) return
      this.#broken.add(repository)
      this.#waiting.delete(repository)
    }
  }

  async #release(repository: string): Promise<void> {
    const file = this.#files.get(repository)
    this.#files.delete(repository)
    // It could not be opened or is lost; either was reported.
    await file?.then((opened) => opened.close()).catch(() => undefined)
  }

  async #savePosition(): Promise<void> {
    if (this.#broken.size > 0 || this.#waiting.size > 0 || this.#saved === this.#seq) return
    const seq = this.#seq
    await atomicWriteText(join(this.#parts.root, POSITION_FILE), `${seq}\n`)
    this.#saved = seq
  }

  #file(repository: string): Promise<ActivityFile> {
    const known = this.#files.get(repository)
    if (known !== undefined) return known
    const opening = ActivityFile.open(this.#parts.folderOf(repository))
    this.#files.set(repository, opening)
    opening.catch(() => this.#files.delete(repository))
    return opening
  }

  #reader(stream: string): ActivityReader {
    const known = this.#readers.get(stream) ?? new ActivityReader()
    this.#readers.set(stream, known)
    return known
  }
}

/** The lines that stand for one entry of the event log. */
export function linesOf(
  { event, version, stream, at }: Entry<LogEvent>,
  reader: ActivityReader = new ActivityReader(),
): readonly ActivityLine[] {
  if (!isPlanEvent(event)) {
    const lines = interviewDefinitionOf(event.type).activity(event)
    return lines.map((activity) => lineOf(activity, null, at))
  }
  const plan = streamParts(stream)?.plan ?? null
  return reader.read({ event, version }).map((activity) => lineOf(activity, plan, at))
}

export function lineOf(activity: Activity, plan: string | null, at: number): ActivityLine {
  return {
    timestamp: new Date(at).toISOString(),
    event: activity.event,
    ...(activity.worker === null ? {} : { worker_id: activity.worker }),
    ...(activity.task === null ? {} : { task_id: activity.task }),
    ...(plan === null ? {} : { plan_id: plan }),
    data: activity.data,
  }
}

export async function readPosition(root: string): Promise<number> {
  try {
    const seq = Number(await readFile(join(root, POSITION_FILE), 'utf8'))
    return Number.isSafeInteger(seq) && seq > 0 ? seq : 0
  } catch {
    // It only saves time: from the start, the files themselves say what they hold.
    return 0
  }
}
