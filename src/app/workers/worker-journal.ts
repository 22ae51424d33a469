/** What happened to one worker: its journal, its transcript, and what it changed. */
import { rendered } from '../../core/events/activity.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { MessageKind } from '../../core/event-schemas/watch.ts'
import { refusal } from '../../lib/refusal.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import type { Entry } from '../../ports/event-log.ts'
import type { JournalAnswer, TranscriptAnswer } from '../../protocol/worker-views.ts'
import { readActivity } from '../activity/read-activity.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { workerIn } from './worker-entries.ts'
import { findWorker, showWorker, workerRefusal, type WorkerName } from './workers.ts'
import type { TranscriptPage } from '../../ports/transcript.ts'
import type { DiffAnswer } from '../../protocol/task-answer.ts'
import { shown } from '../plans/task-diff.ts'
import { iso } from '../../lib/text/format-time.ts'

type JournalEntry = JournalAnswer['entries'][number]
type Kind = JournalEntry['kind']

const MOST_ENTRIES = 200
const MOST_CHECKINS = 2000
const LONGEST_TEXT = 2000

interface Asked extends WorkerName {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The newest page first; each is in order, and `next` leads to the page before it. */
export async function workerJournal(host: HostToRead, asked: Asked): Promise<JournalAnswer> {
  const all = await entriesOf(host, asked)
  const end = asked.cursor === undefined ? all.length : placeIn(asked.cursor, all.length)
  const start = Math.max(0, end - (asked.limit ?? MOST_ENTRIES))
  return {
    id: asked.id,
    entries: all.slice(start, end),
    next: start === 0 ? null : String(start),
    total: all.length,
  }
}

async function entriesOf(host: HostToRead, name: WorkerName): Promise<readonly JournalEntry[]> {
  const found = await findWorker(host, name)
  if (found === null) {
    // A process that Bosun did not start: only the activity log knows it.
    const { history } = await showWorker(host, name)
    return history.map(({ timestamp, text }) => ({ at: timestamp, kind: 'other', text }))
  }
  const { plan, entries } = found
  const events = eventsIn(entries, name.id)
  // Lines from before its dispatch are not looked at.
  const since = Date.parse(events[0]?.at ?? '')
  const query = { worker: name.id, event: 'checkin_received', limit: MOST_CHECKINS, since }
  const { activity } = await readActivity(host, { ...query, repository: plan.home.repository.id })
  const checkins = activity
    .filter(({ plan_id }) => plan_id === plan.id)
    .map(({ timestamp, text }): JournalEntry => {
      return { at: timestamp, kind: 'checkin', text: plainLine(text, LONGEST_TEXT) }
    })
  return [...events, ...checkins].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

function eventsIn(entries: readonly Entry<PlanEvent>[], worker: string): readonly JournalEntry[] {
  return entries.flatMap((entry) => {
    const { text, facts } = rendered(entry)
    const shown = text ?? facts[0]?.text ?? null
    if (shown === null || !isAbout(entry.event, worker)) return []
    const at = iso(entry.at)
    return [{ at, kind: kindOf(entry.event), text: plainLine(shown, LONGEST_TEXT) }]
  })
}

/** Its own events, alerts about it, and the review that it wrote. */
function isAbout(event: PlanEvent, worker: string): boolean {
  if (event.type === 'inbox.opened')
    return event.item.subject === 'worker' ? event.item.about === worker : false
  if (event.type === 'task.reviewed') return event.by === worker
  return workerIn(event) === worker
}

const BY_MESSAGE: Readonly<Record<MessageKind, Kind>> = {
  warning: 'warning',
  reminder: 'intervention',
  nudge: 'intervention',
  restart: 'intervention',
  answer: 'message',
  instruction: 'message',
}

const BY_TYPE: Partial<Record<PlanEvent['type'], Kind>> = {
  'task.dispatched': 'state',
  'review.dispatched': 'state',
  'worker.started': 'state',
  'session.opened': 'state',
  'worker.judged': 'state',
  'worker.paused': 'state',
  'worker.resumed': 'state',
  'worker.ended': 'state',
  'checkin.missed': 'checkin',
  'worker.condemned': 'intervention',
  'worker.extended': 'intervention',
  'time.granted': 'intervention',
  'watch.would': 'intervention',
  'inbox.opened': 'intervention',
  'worker.heard': 'message',
  'message.read': 'message',
  'request.received': 'request',
  'tests.reported': 'report',
  'contract.changed': 'message',
  'request.answered': 'request',
  'specialist.answered': 'request',
  'work.collected': 'report',
  'task.reviewed': 'report',
}

const kindOf = (event: PlanEvent): Kind =>
  event.type === 'worker.told' ? BY_MESSAGE[event.message.kind] : (BY_TYPE[event.type] ?? 'other')

function placeIn(cursor: string, most: number): number {
  const place = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN
  if (place <= most) return place
  throw refusal(
    'usage',
    `invalid cursor "${plainLine(cursor)}"`,
    'Send `next` of the page before, or leave it out.',
  )
}

/** A page of it, from a place that an earlier page named. Throws a refusal for an unknown worker. */
export async function workerLog(
  host: HostToRead,
  name: WorkerName,
  after: string | null,
): Promise<TranscriptAnswer> {
  const page = await pageOf(host, name, after)
  if (page === null) {
    // Refuses where there never was such a worker.
    const { now } = await showWorker(host, name)
    throw workerRefusal(
      'not_found',
      now === null ? `${name.id} left no transcript` : `${name.id} has no transcript yet`,
    )
  }
  const { protocol, next, hasMore, isOver } = page
  return {
    id: name.id,
    protocol,
    entries: page.entries.map(({ at, ...entry }) => ({
      timestamp: at === null ? null : iso(at),
      ...entry,
    })),
    next,
    has_more: hasMore,
    ended: isOver,
  }
}

/** Ids are unique within a repository only: the one that the caller is in comes first. */
async function pageOf(
  { parts }: HostToRead,
  { id, repository }: WorkerName,
  after: string | null,
): Promise<TranscriptPage | null> {
  const all = (await parts.repositories.list()).map((one) => one.id)
  const near = all.filter((one) => one === repository)
  for (const one of [...near, ...all.filter((other) => other !== repository)]) {
    const page = (await parts.transcripts?.(one, id, after)) ?? null
    if (page !== null) return page
  }
  return null
}

/** What a worker has changed: so far, or in all where it has ended. */
const MOST_BYTES = 2 * 1024 * 1024

export async function workerDiff(host: HostToRead, name: WorkerName): Promise<DiffAnswer> {
  const found = await findWorker(host, name)
  const isAdopted = host.adopted.rows().some(({ row }) => row.id === name.id)
  if (found === null && !isAdopted) throw workerRefusal('not_found', `no worker ${name.id}`)
  const diffs = found === null ? null : await host.parts.diffsOf?.(found.plan.home.repository)
  if (found === null || diffs === null || diffs === undefined) return { ...shown('nothing', null), notes: [] }
  // A reviewer begins with the work that it judges, which is not its own.
  const isReviewer = found.own.some(({ event }) => event.type === 'review.dispatched')
  const base = isReviewer ? 'draft' : 'commit'
  return { ...shown('so_far', await diffs.ofWorker({ worker: name.id, base }, MOST_BYTES)), notes: [] }
}
