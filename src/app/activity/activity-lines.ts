/** The lines of the activity log: of events, and of notes, which are what happened beside them. */
import { ActivityReader } from '../../core/events/activity.ts'
import type { Activity } from '../../core/events/activity-lines.ts'
import { interviewDefinitionOf } from '../../core/interview/events/interview-events.ts'
import { isPlanEvent, type LogEvent } from '../../core/log/log-events.ts'
import type { Entry, EventReader, StreamId } from '../../ports/event-log.ts'
import type { Note } from '../../ports/note-log.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import { streamParts } from '../host/stream-name.ts'
import { isDamage } from './past-damage.ts'

export type ShownEntry = Pick<Entry<LogEvent>, 'seq' | 'stream' | 'version' | 'at' | 'event'>

/** What the lines of later events depend on. */
const REMEMBERED = ['worker.condemned', 'inbox.opened'] as const

/** By the place of their entry. `entries` are in the order of the log. */
export async function linesOf(
  log: Pick<EventReader<LogEvent>, 'search'>,
  entries: readonly ShownEntry[],
): Promise<ReadonlyMap<number, readonly ActivityLine[]>> {
  const lines = new Map<number, readonly ActivityLine[]>()
  const readers = new Map<StreamId, ActivityReader>()
  for (const entry of entries) {
    const { seq, stream, version, at, event } = entry
    if (!isPlanEvent(event)) {
      const said = interviewDefinitionOf(event.type).activity(event)
      lines.set(
        seq,
        said.map((one) => lineOf(one, null, at)),
      )
      continue
    }
    const reader = readers.get(stream) ?? (await readerBefore(log, entry, entries))
    readers.set(stream, reader)
    const plan = streamParts(stream)?.plan ?? null
    lines.set(
      seq,
      reader.read({ event, version }).map((one) => lineOf(one, plan, at)),
    )
  }
  return lines
}

async function readerBefore(
  log: Pick<EventReader<LogEvent>, 'search'>,
  { stream, version }: ShownEntry,
  entries: readonly ShownEntry[],
): Promise<ActivityReader> {
  const reader = new ActivityReader()
  if (version === 1 || !entries.some((one) => one.stream === stream && looksBack(one.event))) return reader
  try {
    const asked = { afterVersion: 0, limit: version - 1, types: REMEMBERED, texts: [] }
    for (const earlier of (await log.search(stream, asked)).entries)
      if (isPlanEvent(earlier.event)) reader.read({ event: earlier.event, version: earlier.version })
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
