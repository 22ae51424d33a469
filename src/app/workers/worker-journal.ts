/** What happened to one worker: events of its plan, and its check-ins. */
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import type { MessageKind } from '../../core/event-schemas/watch.ts'
import { workerMessages } from '../../core/log/worker-messages.ts'
import { Refusal } from '../../lib/refusal.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import type { Entry } from '../../ports/event-log.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import type { JournalAnswer } from '../../protocol/worker-views.ts'
import { readActivity } from '../activity/read-activity.ts'
import { happening } from '../activity/timeline.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { workerIn } from './worker-entries.ts'
import { findWorker, showWorker, type WorkerName } from './workers.ts'

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
  const checkins = activity.filter(({ plan_id }) => plan_id === plan.id).map(checkinEntry)
  return [...events, ...checkins].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

function eventsIn(entries: readonly Entry<PlanEvent>[], worker: string): readonly JournalEntry[] {
  const kinds = new Map(
    workerMessages(entries, worker).map(({ message }) => [message.id, message.kind] as const),
  )
  return entries.flatMap(({ at, event }) => {
    const text = isAbout(event, worker) ? textOf(event, kinds) : null
    if (text === null) return []
    return [{ at: new Date(at).toISOString(), kind: kindOf(event), text: plainLine(text, LONGEST_TEXT) }]
  })
}

/** Its own events, alerts about it, and the review that it wrote. */
function isAbout(event: PlanEvent, worker: string): boolean {
  if (event.type === 'inbox.opened')
    return event.item.subject === 'worker' ? event.item.about === worker : false
  if (event.type === 'task.reviewed') return event.by === worker
  return workerIn(event) === worker
}

/** The kinds of its messages by their numbers. */
type Kinds = ReadonlyMap<number, MessageKind>

function textOf(event: PlanEvent, kinds: Kinds): string | null {
  if (event.type === 'worker.heard') return `${messages(event.messages, kinds)} delivered ${VIA[event.via]}`
  if (event.type === 'message.read') return `${messages(event.messages, kinds)} read`
  const text = happening(event)?.text ?? null
  return text === null && event.type === 'worker.started' ? `${event.worker} started` : text
}

const VIA: Readonly<Record<EventOf<'worker.heard'>['via'], string>> = {
  session: 'into its session',
  checkin: 'with its check-in',
  instructions: 'when it asked for messages',
}

const messages = (ids: readonly number[], kinds: Kinds): string =>
  ids.map((id) => `${kinds.get(id) ?? 'message'} (message ${id})`).join(', ')

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

/** Its claims, as it made them. */
function checkinEntry({ timestamp, data }: ActivityLine): JournalEntry {
  const words = (key: string): readonly string[] => {
    const value = data[key]
    return typeof value === 'string' && value !== '' ? [value] : []
  }
  const percent = typeof data['progress_pct'] === 'number' ? [`${Math.floor(data['progress_pct'])} %`] : []
  const next = words('next_step').map((step) => `next: ${step}`)
  const issues = Array.isArray(data['issues']) ? data['issues'].map((issue) => `issue: ${String(issue)}`) : []
  const text = [...words('status'), ...percent, ...words('current_step'), ...next, ...issues].join('; ')
  return { at: timestamp, kind: 'checkin', text: plainLine(text, LONGEST_TEXT) }
}

function placeIn(cursor: string, most: number): number {
  const place = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN
  if (place <= most) return place
  throw new Refusal({
    code: 'usage',
    message: `invalid cursor "${plainLine(cursor)}"`,
    remedy: 'Send `next` of the page before, or leave it out.',
  })
}
