/** Follows everything that happens after a place in the log. */
import { setTimeout } from 'node:timers/promises'
import { outcomeOf, type Outcome } from '../../core/decide/outcome.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { entryToShow, type Entry, type StreamId } from '../../ports/event-log.ts'
import { linesOf, noteLine } from './activity-lines.ts'
import type { ActivityLine, EventMessage } from '../../protocol/answers.ts'
import type { PageNotice } from '../../protocol/rows/page-notice.ts'
import type { Host } from '../host/host.ts'
import type { NoticeScope } from '../host/live-notices.ts'
import { streamParts } from '../host/stream-name.ts'
import { interviewParts } from '../interview/interview-stream.ts'
import { tailPastDamage } from './past-damage.ts'
import { happening } from './timeline.ts'

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
  /** What was written since the last look, unless that is more than a page: then it is read. */
  const fresh: Entry<LogEvent>[] = []
  let isBehind = true
  const stopLog = log.subscribe(head, (entries) => {
    fresh.push(...entries)
    if (fresh.length > PAGE) isBehind = true
    if (isBehind) fresh.length = 0
    wake()
  })
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
      const wasBehind: boolean = isBehind
      isBehind = false
      const read = wasBehind ? await tailPastDamage(log, seq, PAGE) : null
      const entries: readonly Entry<LogEvent>[] = read?.entries ?? fresh.splice(0)
      isBehind ||= wasBehind && entries.length === PAGE
      const standing = standingNow(host)
      const fresher = entries.filter((one) => one.seq > seq)
      const lines = await linesOf(log, fresher.map(entryToShow))
      const happened = fresher.map((entry) => ofEntry(entry, request, { standing, lines }))
      seq = Math.max(seq, read?.seq ?? 0, entries.at(-1)?.seq ?? 0)
      const news = [...happened.filter((one) => one !== null), ...notes.splice(0)]
      if (news.length > 0) yield news
      if (isBehind) continue
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
  const line = happening(entry.event)
  return {
    seq: entry.seq,
    version: entry.version,
    timestamp: new Date(entry.at).toISOString(),
    plan: plan ?? null,
    ...(interview === null ? {} : { interview: entry.stream }),
    task: line?.task ?? null,
    text: line?.text ?? null,
    details: line?.details ?? [],
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

const ofNote = (line: ActivityLine): EventMessage => ({
  seq: null,
  version: null,
  timestamp: line.timestamp,
  plan: line.plan_id ?? null,
  task: line.task_id ?? null,
  text: null,
  details: [],
  activity: [line],
})

const ofNotice = (notice: PageNotice, now: number): EventMessage => ({
  seq: null,
  version: null,
  timestamp: new Date(now).toISOString(),
  plan: null,
  task: null,
  text: null,
  details: [],
  activity: [],
  notice,
})
