/**
 * What the log of a plan has about one worker: events that name the worker or its task, and answers to inbox items. The log
 * finds them without reading the others. What was found is kept, so that the next look begins where the last one ended.
 */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Entry, StreamId } from '../../ports/event-log.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { Kept } from '../host/kept.ts'

/** Other requests are answered between two pages. */
const PAGE = 5000
/** Of one host; a page that is open asks for one worker. */
const MOST_KEPT = 16
/** They name neither worker nor task. */
const ABOUT_ITEMS = ['inbox.answered', 'inbox.withdrawn', 'plan.cancelled'] as const

interface Found {
  version: number
  /** Null until its first event is found. */
  task: string | null
  readonly entries: Entry<PlanEvent>[]
  /** Looks at one worker read one after another. */
  readonly readings: SerialQueue
}

export interface WorkerEvents {
  readonly task: string
  /** In order, from its dispatch. The list grows with later looks. */
  readonly entries: readonly Entry<PlanEvent>[]
}

const kept = new Kept<Found>(
  () => ({ version: 0, task: null, entries: [], readings: new SerialQueue() }),
  MOST_KEPT,
)

/** Null where the plan never had such a worker. */
export async function workerEntries(
  host: HostToRead,
  stream: StreamId,
  worker: string,
): Promise<WorkerEvents | null> {
  const found = kept.of(host, `${stream} ${worker}`)
  await found.readings.run(() => readOn(host, { stream, worker }, found))
  return found.task === null ? null : { task: found.task, entries: found.entries }
}

async function readOn(
  { parts: { log } }: HostToRead,
  { stream, worker }: { readonly stream: StreamId; readonly worker: string },
  known: Found,
): Promise<void> {
  for (;;) {
    const { version: afterVersion, task } = known
    const wanted =
      task === null
        ? { types: [], texts: [JSON.stringify(worker)] }
        : { types: ABOUT_ITEMS, texts: [JSON.stringify(worker), `"task":${JSON.stringify(task)}`] }
    const { entries, version } = await log.search(stream, { afterVersion, limit: PAGE, ...wanted })
    const found = entries.filter(isPlanEntry)
    const first = task === null ? found.find(({ event }) => taskOf(event, worker) !== null) : undefined
    if (first !== undefined) {
      // What else is wanted depends on its task.
      known.task = taskOf(first.event, worker)
      known.version = first.version - 1
      continue
    }
    if (task !== null) known.entries.push(...found)
    known.version = version
    if (version - afterVersion < PAGE) return
  }
}

const taskOf = (event: PlanEvent, worker: string): string | null =>
  workerIn(event) === worker && 'task' in event ? event.task : null

/** The worker that an event is about; null where it is about none. */
export const workerIn = (event: PlanEvent): string | null => ('worker' in event ? event.worker : null)
