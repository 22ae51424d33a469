/** What people are notified of: an event of a plan that needs them, or that they asked to hear about. */
import type { PlanEvent } from '../../events/plan-events.ts'
import type { InterviewEvent } from '../../interview/events/interview-events.ts'
import type { StopCause } from '../../event-schemas/stop-causes.ts'
import type { Instant } from '../../state/state.ts'
import { terminalLine } from '../../../lib/text/terminal-text.ts'

/** The values of `notify.on` in bosun.yaml. */
export type NoticeKind = 'needs_you' | 'finished' | 'went_wrong' | 'progress'

export interface Notice {
  /** The same for the same event. */
  readonly id: string
  readonly kind: NoticeKind
  /** `<repository>/<plan>`. */
  readonly stream: string
  readonly task: string | null
  /** The inbox item that asks; null where nothing is asked. */
  readonly item: string | null
  /** Whether work waits for the answer. */
  readonly blocking: boolean
  readonly text: string
  readonly at: Instant
  /** Open pages alone show it: a person who is interviewed in a terminal reads the question there. */
  readonly only?: 'page' | undefined
}

interface Fact {
  readonly stream: string
  readonly version: number
  readonly at: Instant
  readonly event: PlanEvent
}

/** Stops that show that something is wrong with a worker. */
const WENT_WRONG: readonly StopCause[] = [
  'stalled',
  'zombie',
  'time_limit',
  'looping',
  'disk_limit',
  'gave_up',
]
const MAX_TEXT = 500

/** Null for events that notify of nothing. */
export function noticeIn({ stream, version, at, event }: Fact): Notice | null {
  const place = { id: `${stream}#${version}`, stream, at, task: null, item: null, blocking: false }
  if (event.type === 'inbox.opened') {
    const { id, task, problem, blocking, subject } = event.item
    // The person who took over is at work on it.
    if (subject === 'takeover') return null
    return { ...place, kind: 'needs_you', task, item: id, blocking, text: cut(problem) }
  }
  if (event.type === 'release.signed')
    return { ...place, kind: 'finished', text: `released, signed by ${cut(event.by)}` }
  if (event.type === 'progress.reported') return { ...place, kind: 'progress', text: cut(event.text) }
  if (event.type === 'worker.condemned' && WENT_WRONG.includes(event.cause))
    return {
      ...place,
      kind: 'went_wrong',
      task: event.task,
      text: cut(`${event.worker} is stopped: ${event.why}`),
    }
  if (event.type === 'plan.paused' && event.by === 'rules')
    return { ...place, kind: 'went_wrong', text: cut(`paused: ${event.reason}`) }
  return null
}

/** Of an interview: it waits for an answer, or for a decision about its draft. Null for everything else. */
export function interviewNoticeIn({
  stream,
  version,
  at,
  event,
}: Omit<Fact, 'event'> & { readonly event: { readonly type: string } }): Notice | null {
  const text = INTERVIEW_TEXTS.get(event.type)
  if (text === undefined) return null
  const place = { id: `${stream}#${version}`, stream, at, task: null, item: null, blocking: false }
  return { ...place, kind: 'needs_you', text, only: 'page' }
}

const INTERVIEW_TEXTS: ReadonlyMap<string, string> = new Map<InterviewEvent['type'], string>([
  ['interview.user_awaited', 'the interview waits for your answer'],
  ['interview.spec_submitted', 'the draft of the spec waits for your decision'],
])

const cut = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`)

/** A notice with its place. */
export interface PlacedNotice extends Notice {
  readonly plan: string
  /** The path of the repository. */
  readonly repo: string
  readonly isRepeated: boolean
  /** The id of its item, as `bosun answer` takes it; null where nothing is asked. */
  readonly answerId: string | null
  /** Of the page; null where it has none. */
  readonly link: string | null
}

const MOST_LINES = 4
const MOST_WIDTH = 160

export function noticeTitle(notices: readonly Notice[]): string {
  const [first] = notices
  const kinds = new Set(notices.map(({ kind }) => kind))
  if (first === undefined || kinds.size > 1) return `Bosun: ${notices.length} notices`
  return `Bosun: ${TITLES[first.kind](notices.length)}`
}

const TITLES: Readonly<Record<NoticeKind, (count: number) => string>> = {
  needs_you: (count) => (count === 1 ? 'something needs you' : `${count} things need you`),
  finished: (count) => (count === 1 ? 'a plan is released' : `${count} plans are released`),
  went_wrong: (count) => (count === 1 ? 'something went wrong' : `${count} things went wrong`),
  progress: () => 'progress',
}

/** A line each; of many the first few. */
export function noticeLines(notices: readonly PlacedNotice[]): readonly string[] {
  const lines = notices.map(({ plan, answerId, text, isRepeated }) => {
    const id = answerId === null ? '' : ` ${answerId}`
    const line = terminalLine(`${plan}${id}${isRepeated ? ' (still open)' : ''}: ${text}`)
    return line.length <= MOST_WIDTH ? line : `${line.slice(0, MOST_WIDTH - 1)}…`
  })
  const rest = lines.length - MOST_LINES
  return rest <= 0 ? lines : [...lines.slice(0, MOST_LINES), `and ${rest} more`]
}

/** What webhooks and commands get. `timestamp` is when the notices became due. */
export function noticeDocument(notices: readonly PlacedNotice[], timestamp: string) {
  const kinds = new Set(notices.map(({ kind }) => kind))
  const [kind = 'notices'] = kinds
  return {
    type: kinds.size === 1 ? `bosun.${kind}` : 'bosun.notices',
    timestamp,
    data: {
      title: noticeTitle(notices),
      notices: notices.map((notice) => ({
        id: notice.id,
        kind: notice.kind,
        repo: notice.repo,
        plan: notice.plan,
        task: notice.task,
        item: notice.answerId,
        blocking: notice.blocking,
        repeated: notice.isRepeated,
        since: new Date(notice.at).toISOString(),
        text: notice.text,
        link: notice.link,
      })),
    },
  }
}
