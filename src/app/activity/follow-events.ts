/** Follows everything that happens after a place in the log. */
import { setTimeout } from 'node:timers/promises'
import { outcomeOf, type Outcome } from '../../core/decide/outcome.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { entryToShow, type Entry, type StreamId } from '../../ports/event-log.ts'
import { linesOf, noteLine, renderedEvent } from './read-activity.ts'
import type { ActivityLine, EventMessage } from '../../protocol/answers.ts'
import type { PageNotice } from '../../protocol/rows.ts'
import type { Host } from '../host/host.ts'
import type { NoticeScope } from '../host/host-to-read.ts'
import { interviewParts } from '../interview/interview-stream.ts'
import { streamParts } from '../host/stream-name.ts'
import { tailPastDamage, type TailPage } from './past-damage.ts'
import { iso } from '../../lib/text/format-time.ts'

export interface FollowRequest {
  /** Everything after this place in the log. */
  readonly after: number
  readonly repository?: string | undefined
  readonly plan?: string | undefined
  /**
   * Notices are among them, as they become due: for a page all of them, for a terminal those that terminals show and that are
   * about what it follows.
   */
  readonly noticesFor?: 'page' | 'terminal' | undefined
  readonly until: AbortSignal
  /** After so long without an event, an empty result is yielded, so that a lost client is noticed. */
  readonly idleMs: number
}

/** What happened within a moment, in order. */
export type Followed = readonly EventMessage[] | 'nothing'

const PAGE = 200
/** After something happened others come with it, and the plan has taken it in. */
const MOMENT_MS = 50
/** Notes that wait for a slow listener; older ones are in the activity log. */
const MOST_NOTES = 200

export async function* followEvents(host: Host, request: FollowRequest): AsyncGenerator<Followed> {
  const { log } = host.parts
  const { until } = request
  const notes: EventMessage[] = []
  let wake: () => void = () => undefined
  const stopNotes = host.notes.listen((note) => {
    if (!matches(request, note.repository, note.plan ?? undefined)) return
    notes.push(ofNote(noteLine(note)))
    if (notes.length > MOST_NOTES) notes.shift()
    wake()
  })
  const stopNotices =
    request.noticesFor !== undefined
      ? host.liveNotices.listen((notice, scope) => {
          if (!isWanted(request, scope)) return
          notes.push(ofNotice(notice, host.parts.clock.now()))
          wake()
        })
      : (): void => undefined
  const head = await log.head()
  let seq = Math.min(request.after, head)
  const stopLog = log.subscribe(head, () => wake())
  let isIdle = false
  const idle = setInterval(() => {
    isIdle = true
    wake()
  }, request.idleMs)
  const onAbort = (): void => wake()
  until.addEventListener('abort', onAbort)
  try {
    while (!until.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const page: TailPage<LogEvent> = await tailPastDamage(log, seq, PAGE)
      const standing = standingNow(host)
      const lines = await linesOf(log, page.entries.map(entryToShow))
      const happened = page.entries.map((entry) => ofEntry(entry, request, { standing, lines }))
      seq = page.seq
      const news = [...happened.filter((one) => one !== null), ...notes.splice(0)]
      if (news.length > 0) yield news
      if (page.entries.length === PAGE) continue
      isIdle = false
      idle.refresh()
      if (until.aborted) return
      await woken
      if (isIdle) yield 'nothing'
      else await setTimeout(MOMENT_MS)
    }
  } finally {
    stopNotes()
    stopNotices()
    stopLog()
    clearInterval(idle)
    until.removeEventListener('abort', onAbort)
  }
}

const matches = (request: FollowRequest, repository: string, plan: string | undefined): boolean =>
  (request.repository === undefined || request.repository === repository) &&
  (request.plan === undefined || request.plan === plan)

const isWanted = (request: FollowRequest, { repository, plans, atTerminals }: NoticeScope): boolean =>
  request.noticesFor === 'page' || (atTerminals && plans.some((plan) => matches(request, repository, plan)))

function ofEntry(
  entry: Entry<LogEvent>,
  request: FollowRequest,
  { standing, lines }: { readonly standing: StandingOf; readonly lines: Awaited<ReturnType<typeof linesOf>> },
): EventMessage | null {
  const interview = interviewParts(entry.stream)
  const place = streamParts(entry.stream) ?? interview
  const plan = place !== null && 'plan' in place ? place.plan : undefined
  if (place === null || !matches(request, place.repository, plan)) return null
  const { task, text, details = [] } = renderedEvent(entry)
  return {
    seq: entry.seq,
    version: entry.version,
    timestamp: iso(entry.at),
    plan: plan ?? null,
    ...(interview === null ? {} : { interview: entry.stream }),
    task: text === null ? null : task,
    text,
    details,
    activity: lines.get(entry.seq) ?? [],
    ...(request.plan === undefined ? {} : outcomeAt(entry, standing)),
  }
}

/** Nothing where the plan has not taken the entry in: how it is then would not be how it was before. */
function outcomeAt(
  { stream, version }: Entry<LogEvent>,
  standing: StandingOf,
): { readonly outcome?: Outcome } {
  const now = standing(stream)
  return now === null || now.version < version ? {} : { outcome: now.outcome }
}

interface Standing {
  readonly version: number
  readonly outcome: Outcome
}
type StandingOf = (stream: StreamId) => Standing | null

/** The state of plans at this moment, computed once each and only on demand. */
function standingNow(host: Host): StandingOf {
  const known = new Map<StreamId, Standing>()
  return (stream) => {
    const state = host.hosted(stream)?.state
    if (state === undefined) return null
    const now = known.get(stream) ?? {
      version: state.version,
      outcome: outcomeOf(state, host.parts.clock.now()),
    }
    known.set(stream, now)
    return now
  }
}

/** What has no place in the log. */
const BESIDE = { seq: null, version: null, plan: null, task: null, text: null, details: [], activity: [] }

const ofNote = (line: ActivityLine): EventMessage => ({
  ...BESIDE,
  timestamp: line.timestamp,
  plan: line.plan_id ?? null,
  task: line.task_id ?? null,
  activity: [line],
})

const ofNotice = (notice: PageNotice, now: number): EventMessage => ({
  ...BESIDE,
  timestamp: iso(now),
  notice,
})
