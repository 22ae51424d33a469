/** The lines of the activity log: of events, and of notes, which are what happened beside them. */
import { ActivityReader } from '../../core/events/activity.ts'
import type { Activity } from '../../core/events/activity-lines.ts'
import { interviewDefinitionOf } from '../../core/interview/events/interview-events.ts'
import { isPlanEvent, type LogEvent } from '../../core/log/log-events.ts'
import { BrokenEvent, type EntryToShow, type EventReader, type StreamId } from '../../ports/event-log.ts'
import type { Note } from '../../ports/note-log.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import { streamParts } from '../host/stream-name.ts'
import { isDamage } from './past-damage.ts'

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
    const said = isPlanEvent(event)
      ? reader.read({ event, version })
      : interviewDefinitionOf(event.type).activity(event)
    const plan = streamParts(stream)?.plan ?? null
    lines.set(
      seq,
      said.map((one) => lineOf(one, plan, at)),
    )
  }
  for (const { seq } of read) remember(before, seq, lines.get(seq) ?? [])
  return lines
}

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
    timestamp: new Date(at).toISOString(),
    event: activity.event,
    ...(activity.worker === null ? {} : { worker_id: activity.worker }),
    ...(activity.task === null ? {} : { task_id: activity.task }),
    ...(plan === null ? {} : { plan_id: plan }),
    data: activity.data,
  }
}

export function noteLine({ at, event, worker, task, plan, data }: Note): ActivityLine {
  const activity = { event, worker, task, data: JSON.parse(data) as Activity['data'] }
  return lineOf(activity, plan, at)
}
