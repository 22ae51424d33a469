/** The activity log: a query over the events of the log and the notes beside it, from their ends; how both become lines; new notes. */
import { refusal } from '../../lib/refusal.ts'
import type { ActivityAnswer, ActivityLine } from '../../protocol/answers.ts'
import type { ActivityQuery as Asked } from '../../protocol/requests.ts'
import type { HostParts } from '../host/host.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { repositoryOfStream, streamOf, streamParts } from '../host/stream-name.ts'
import { ActivityReader, rendered } from '../../core/events/activity.ts'
import { activityOf, cut, type Activity, type Rendered } from '../../core/events/rendering.ts'
import { interviewDefinitionOf } from '../../core/interview/events/interview-events.ts'
import { isPlanEvent, type LogEvent } from '../../core/log/log-events.ts'
import { BrokenEvent, type EntryToShow, type EventReader, type StreamId } from '../../ports/event-log.ts'
import type { Note, CheckinKept } from '../../ports/note-log.ts'
import { isDamage } from './past-damage.ts'
import { iso } from '../../lib/text/format-time.ts'

interface ActivityQuery extends Omit<Asked, 'repo'> {
  /** Only of this repository. */
  readonly repository?: string | undefined
}

/** A clock may have been set back: lines this much older than what is asked for are still looked at. */
const CLOCK_MS = 24 * 3_600_000
/** Entries that are read in one go: at first as many as may be asked for. */
const LEAST_PAGE = 50
const MOST_PAGE = 1000

/** What comes before a line: the entries before `seq`, of that one the first `lines`, and the notes before `note`. */
interface Place {
  readonly seq: number
  readonly lines: number
  readonly note: number
}
const END: Place = { seq: Number.MAX_SAFE_INTEGER, lines: 0, note: Number.MAX_SAFE_INTEGER }

interface FoundLine {
  readonly line: ActivityLine
  readonly repository: string
  /** What is left before it. */
  readonly left: Partial<Place>
}

export async function readActivity(host: HostToRead, query: ActivityQuery): Promise<ActivityAnswer> {
  const before = query.before === undefined ? END : placeIn(query.before)
  const repositories = (await host.parts.repositories.list()).map(({ id }) => id)
  const asked = repositories.filter((id) => query.repository === undefined || query.repository === id)
  const events = new EventLines(host, asked, query)
  const { found, next } = await newest([events.before(before), notesBefore(host, asked, { query, before })], {
    query,
    before,
  })
  const titleOf = taskTitles(host)
  return {
    activity: found.reverse().map(({ line, repository }) => withTitle(line, titleOf(repository, line))),
    truncated: next !== null,
    unreadable: events.unreadable,
    next: next === null ? null : `${next.seq}.${next.lines}~${next.note}`,
  }
}

/** The title of the task that a line is about, of a plan that is loaded; it is as it is now, not as it was then. */
function taskTitles(host: HostToRead) {
  const plans = new Map(host.plans().map((plan) => [plan.home.stream, plan.state.tasks]))
  return (repository: string, { plan_id: plan, task_id: task }: ActivityLine): string | undefined =>
    plan === undefined || task === undefined
      ? undefined
      : plans.get(streamOf(repository, plan))?.get(task)?.spec.title
}

const withTitle = (line: ActivityLine, title: string | undefined): ActivityLine =>
  title === undefined ? line : { ...line, task_title: title }

/** The newest lines first, and the place of those before them. */
async function newest(
  sources: readonly AsyncGenerator<FoundLine>[],
  { query, before }: { readonly query: ActivityQuery; readonly before: Place },
): Promise<{ readonly found: FoundLine[]; readonly next: Place | null }> {
  const found: FoundLine[] = []
  let place = before
  for await (const { at, ...one } of merged(sources)) {
    if (query.since !== undefined && Date.parse(at) < query.since - CLOCK_MS) break
    if (isAskedFor(one.line, query)) {
      if (found.length === query.limit) return { found, next: place }
      found.push(one)
    }
    place = { ...place, ...one.left }
  }
  return { found, next: null }
}

/** Newest first. A line counts as no newer than those of its source that were written after it. */
async function* merged(
  sources: readonly AsyncGenerator<FoundLine>[],
): AsyncGenerator<FoundLine & { readonly at: string }> {
  const heads: { source: AsyncGenerator<FoundLine>; one: FoundLine; at: string }[] = []
  for (const source of sources) {
    const { value: one } = (await source.next()) as IteratorResult<FoundLine, undefined>
    if (one !== undefined) heads.push({ source, one, at: one.line.timestamp })
  }
  for (;;) {
    const [first, ...rest] = heads
    if (first === undefined) return
    const head = rest.reduce((newest, one) => (one.at > newest.at ? one : newest), first)
    yield { ...head.one, at: head.at }
    const { value: earlier } = (await head.source.next()) as IteratorResult<FoundLine, undefined>
    if (earlier === undefined) heads.splice(heads.indexOf(head), 1)
    else {
      const { timestamp } = earlier.line
      Object.assign(head, { one: earlier, at: timestamp < head.at ? timestamp : head.at })
    }
  }
}

/** The lines of events. Those of events that cannot be read are left out and counted. */
class EventLines {
  unreadable = 0
  readonly #log: HostToRead['parts']['log']
  readonly #prefixes: readonly string[]
  readonly #least: number

  constructor({ parts }: HostToRead, repositories: readonly string[], { plan, limit }: ActivityQuery) {
    this.#log = parts.log
    this.#least = Math.max(LEAST_PAGE, Math.min(limit, MOST_PAGE))
    this.#prefixes = repositories.flatMap((id) =>
      plan === undefined ? [`${id}/`, `interview:${id}:`] : [streamOf(id, plan)],
    )
  }

  async *before({ seq, lines: left }: Place): AsyncGenerator<FoundLine> {
    let end = left > 0 ? seq + 1 : seq
    for (let limit = this.#least; ; limit = Math.min(2 * limit, MOST_PAGE)) {
      const page = await this.#log.back(end, limit, this.#prefixes)
      const lines = await linesOf(this.#log, page.toReversed())
      for (const entry of page) {
        const own = lines.get(entry.seq)
        if (own === undefined) {
          this.unreadable++
          continue
        }
        const repository = repositoryOfStream(entry.stream) ?? ''
        for (let at = (entry.seq === seq ? left : own.length) - 1; at >= 0; at--) {
          const line = own[at]
          if (line === undefined) continue
          const data = { ...line.data, seq: entry.seq }
          yield { line: { ...line, data }, repository, left: { seq: entry.seq, lines: at } }
        }
      }
      if (page.length < limit) return
      end = page.at(-1)?.seq ?? 0
    }
  }
}

async function* notesBefore(
  { parts }: HostToRead,
  repositories: readonly string[],
  { query, before }: { readonly query: ActivityQuery; readonly before: Place },
): AsyncGenerator<FoundLine> {
  const { plan = null, worker = null, event = null } = query
  const limit = Math.max(LEAST_PAGE, Math.min(query.limit, MOST_PAGE))
  for (let end = before.note; ;) {
    const page = await parts.notes.back(end, limit, { repositories, plan, worker, event })
    for (const note of page) {
      yield { line: noteLine(note), repository: note.repository, left: { note: note.seq } }
    }
    if (page.length < limit) return
    end = page.at(-1)?.seq ?? 0
  }
}

function placeIn(cursor: string): Place {
  const [, seq, lines, note] = /^(\d{1,16})\.(\d{1,9})~(\d{1,16})$/.exec(cursor) ?? []
  const place = { seq: Number(seq), lines: Number(lines), note: Number(note) }
  if (Object.values(place).every(Number.isSafeInteger)) return place
  throw refusal('usage', 'before: is not the `next` of a page', 'Start again without it.')
}

/** Whether a line is among what is asked for; the limit aside. */
function isAskedFor(line: ActivityLine, query: ActivityQuery): boolean {
  return (
    (query.plan === undefined || line.plan_id === query.plan) &&
    (query.worker === undefined || line.worker_id === query.worker) &&
    (query.event === undefined || line.event === query.event) &&
    (query.since === undefined || Date.parse(line.timestamp) >= query.since)
  )
}

/** The lines of the activity log: of events, and of notes, which are what happened beside them. */
type Log = Pick<EventReader<LogEvent>, 'search'>
type Lines = readonly ActivityLine[]

/** What the lines of later events depend on. */
const REMEMBERED = ['worker.condemned', 'inbox.opened'] as const
/** Events whose lines are known: reading a large plan again takes longer than a page of the activity log may. */
const MOST_KNOWN = 5000
const known = new WeakMap<Log, Map<number, Lines>>()

/** By the place of their entry, of those that can be read. `entries` are in the order of the log. */
export async function linesOf(
  log: Log,
  entries: readonly EntryToShow<LogEvent>[],
): Promise<ReadonlyMap<number, Lines>> {
  const before = known.get(log) ?? new Map<number, Lines>()
  known.set(log, before)
  const lines = new Map<number, Lines>()
  const read: ReadEntry[] = []
  for (const entry of entries) {
    const own = before.get(entry.seq)
    if (own !== undefined) lines.set(entry.seq, own)
    else read.push(...readable(entry))
  }
  const readers = new Map<StreamId, ActivityReader>()
  for (const { seq, stream, version, at, event } of read) {
    const reader = readers.get(stream) ?? (await readerOf(log, stream, read))
    readers.set(stream, reader)
    const shown = isPlanEvent(event) ? reader.read({ event, version }) : renderedEvent({ event, version })
    const plan = streamParts(stream)?.plan ?? null
    lines.set(
      seq,
      activityOf(shown).map((one) => lineOf(one, plan, at)),
    )
  }
  for (const { seq } of read) remember(before, seq, lines.get(seq) ?? [])
  return lines
}

export const renderedEvent = ({ version, event }: Pick<ReadEntry, 'version' | 'event'>): Rendered =>
  isPlanEvent(event) ? rendered({ version, event }) : interviewDefinitionOf(event.type).render(event)

type ReadEntry = Omit<EntryToShow<LogEvent>, 'event'> & { readonly event: LogEvent }

function readable(entry: EntryToShow<LogEvent>): readonly ReadEntry[] {
  try {
    return [{ ...entry, event: entry.event() }]
  } catch (error) {
    if (error instanceof BrokenEvent) return []
    throw error
  }
}

function remember(known: Map<number, Lines>, seq: number, lines: Lines): void {
  known.set(seq, lines)
  const [oldest] = known.keys()
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
}

/** With what happened in the stream before the first of its entries, where that matters to one of them. */
async function readerOf(log: Log, stream: StreamId, read: readonly ReadEntry[]): Promise<ActivityReader> {
  const reader = new ActivityReader()
  const own = read.filter((entry) => entry.stream === stream)
  const [first] = own
  if (first === undefined || first.version === 1 || !own.some(({ event }) => looksBack(event))) return reader
  try {
    const asked = { afterVersion: 0, limit: first.version - 1, types: REMEMBERED, texts: [] }
    for (const { event, version } of (await log.search(stream, asked)).entries)
      if (isPlanEvent(event)) reader.read({ event, version })
  } catch (error) {
    // The lines are shown without it.
    if (!isDamage(error)) throw error
  }
  return reader
}

const looksBack = (event: LogEvent): boolean =>
  event.type === 'inbox.answered' ||
  event.type === 'inbox.withdrawn' ||
  (event.type === 'worker.ended' && event.end.kind !== 'stopped')

function lineOf(activity: Activity, plan: string | null, at: number): ActivityLine {
  return {
    timestamp: iso(at),
    event: activity.event,
    text: activity.text,
    ...(activity.worker === null ? {} : { worker_id: activity.worker }),
    ...(activity.task === null ? {} : { task_id: activity.task }),
    ...(plan === null ? {} : { plan_id: plan }),
    data: activity.data,
  }
}

export function noteLine({ at, event, worker, task, plan, data: json }: Note): ActivityLine {
  const data = JSON.parse(json) as Activity['data']
  return lineOf({ event, worker, task, text: cut(noteText(event, data)), data }, plan, at)
}

function noteText(event: string, data: Activity['data']): string {
  if (event === 'checkin_received') return checkinText(data)
  const said = [data['why'], data['text'], data['reason'], data['note']].find(
    (one) => typeof one === 'string',
  )
  return `${event.replaceAll('_', ' ')}${said === undefined ? '' : `: ${said}`}`
}

/** The claims of a worker, as it made them. */
function checkinText(data: Activity['data']): string {
  const words = (key: string): readonly string[] => {
    const value = data[key]
    return typeof value === 'string' && value !== '' ? [value] : []
  }
  const percent = typeof data['progress_pct'] === 'number' ? [`${Math.floor(data['progress_pct'])} %`] : []
  const next = words('next_step').map((step) => `next: ${step}`)
  const issues = Array.isArray(data['issues']) ? data['issues'].map((issue) => `issue: ${String(issue)}`) : []
  return [...words('status'), ...percent, ...words('current_step'), ...next, ...issues].join('; ')
}

/** Takes notes of what happens beside the event log, and shows them to listeners. */
/** A note without what it is not about. */
export type NewNote = Pick<Note, 'repository' | 'at' | 'event'> &
  Partial<Pick<Note, 'plan' | 'worker' | 'task'>> & { readonly data: Readonly<Record<string, unknown>> }

export class Notes {
  readonly #parts: Pick<HostParts, 'notes' | 'onError' | 'hide'>
  readonly #listeners = new Set<(note: Note) => void>()

  constructor(parts: Pick<HostParts, 'notes' | 'onError' | 'hide'>) {
    this.#parts = parts
  }

  /** It is durable when this resolves. */
  async add(note: NewNote): Promise<void> {
    const whole = wholeNote({ ...note, data: this.#parts.hide?.inAll(note.data) ?? note.data })
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
