/** How a worker ended and what followed, from the events of its plan. */
import type { EventOf, PlanEvent } from '../events/plan-events.ts'
import type { Instant } from '../state/state.ts'
import { counted } from '../../lib/text/counted.ts'

type Ended = EventOf<'worker.ended'>
type Condemned = EventOf<'worker.condemned'>
type StopCause = Condemned['cause']
type Verdict = EventOf<'task.gated'>['verdicts'][number]

interface Entry {
  readonly at: Instant
  readonly event: PlanEvent
}

export type WorkerEndKind =
  | 'reported'
  | 'blocked'
  | 'crashed'
  | 'killed'
  | 'limit'
  | 'stopped'
  | 'interrupted'
  | 'provider'

export interface WorkerEnding {
  readonly at: Instant
  readonly how: WorkerEndKind
  /** The person who ended it; null where no person did, or an older log does not name one. */
  readonly by: string | null
  /** In a few words: `killed by Ann`. */
  readonly title: string
  /** Empty where the title says it all. */
  readonly why: string
  /** What followed, in order, up to the next attempt or review. */
  readonly followed: readonly Followed[]
}

/** What followed the end of a worker. */
export interface Followed {
  readonly at: Instant
  readonly text: string
  /** The worker that goes on. */
  readonly worker: string | null
  /** The inbox item that asks about it, and whether it is still open. */
  readonly item: string | null
  readonly isOpen: boolean
}

/** Null while it has not ended. `entries` are those of its plan, in order. */
export function workerEnding(entries: readonly Entry[], worker: string): WorkerEnding | null {
  const place = entries.findLastIndex(({ event }) => event.type === 'worker.ended' && event.worker === worker)
  const last = entries[place]
  if (last === undefined || last.event.type !== 'worker.ended') return null
  const before = entries.slice(0, place).map(({ event }) => event)
  const stop = before.findLast(
    (event): event is Condemned => event.type === 'worker.condemned' && event.worker === worker,
  )
  const isReviewer = before.some((event) => event.type === 'review.dispatched' && event.worker === worker)
  return {
    at: last.at,
    ...howItEnded(last.event, { stop: stop ?? null, isReviewer }),
    followed: followedBy(entries.slice(place + 1), last.event.task),
  }
}

type How = Pick<WorkerEnding, 'how' | 'by' | 'title' | 'why'>

interface Known {
  readonly stop: Condemned | null
  readonly isReviewer: boolean
}

function howItEnded(ended: Ended, { stop, isReviewer }: Known): How {
  const { end } = ended
  const byItself = { by: null }
  switch (end.kind) {
    case 'done':
      return { how: 'reported', ...byItself, ...(isReviewer ? reviewed(ended) : reported(ended)) }
    case 'blocked':
      return { how: 'blocked', ...byItself, title: 'reported that it is blocked', why: end.reason }
    case 'failed':
      return { how: 'crashed', ...byItself, title: 'failed', why: end.reason }
    case 'interrupted':
      return { how: 'interrupted', ...byItself, title: 'was interrupted', why: end.reason }
    case 'limited':
      return {
        how: 'provider',
        ...byItself,
        title: end.signIn === undefined ? "reached its provider's limit" : 'its agent is not signed in',
        why: end.signIn ?? end.why ?? '',
      }
    case 'stopped':
      return stoppedFor(end.cause, stop)
  }
}

const reported = ({ report, lastWords }: Ended) =>
  report === null
    ? { title: 'ended without a report', why: lastWords ?? '' }
    : { title: 'reported done', why: report.explanation }

const reviewed = ({ hasNoVerdict, lastWords }: Ended) =>
  hasNoVerdict === true
    ? { title: 'ended without a verdict', why: lastWords ?? '' }
    : { title: 'finished its review', why: '' }

function stoppedFor(cause: StopCause, stop: Condemned | null): How {
  const { how, title } = STOPS[cause]
  const by = stop?.by ?? null
  const given = stop?.why ?? ''
  // The title names the person already.
  const why = by === null ? given : withoutPrefix(withoutPrefix(given, `${by} killed it`), ': ')
  return { how, by, title: by === null ? title : `${title} by ${by}`, why: why === title ? '' : why }
}

const withoutPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text

const STOPS: Readonly<Record<StopCause, { readonly how: WorkerEndKind; readonly title: string }>> = {
  killed: { how: 'killed', title: 'killed' },
  restarted: { how: 'stopped', title: 'restarted' },
  taken_over: { how: 'stopped', title: 'taken over' },
  paused: { how: 'stopped', title: 'stopped with its plan' },
  cancelled: { how: 'stopped', title: 'stopped: its plan was cancelled' },
  plan_edited: { how: 'stopped', title: 'stopped: its plan was edited' },
  stalled: { how: 'killed', title: 'stopped because it stalled' },
  zombie: { how: 'killed', title: 'stopped: it never gave a sign of life' },
  looping: { how: 'killed', title: 'stopped because it repeated the same call' },
  time_limit: { how: 'limit', title: 'reached its time limit' },
  disk_limit: { how: 'limit', title: 'reached its disk limit' },
  budget: { how: 'limit', title: 'reached its budget' },
  finished: { how: 'reported', title: 'reported done' },
  gave_up: { how: 'blocked', title: 'reported failure' },
  cannot_go_on: { how: 'blocked', title: 'reported that it cannot continue' },
}

/** More would hide what came last. */
const MOST_FOLLOWED = 8

function followedBy(entries: readonly Entry[], task: string): readonly Followed[] {
  const followed: Followed[] = []
  const asked = new Set<string>()
  const closed = new Set<string>()
  let isNext = false
  for (const { at, event } of entries) {
    if (event.type === 'inbox.answered' || event.type === 'inbox.withdrawn') closed.add(event.id)
    if (isNext) continue
    const step = stepFor(event, { task, asked })
    if (step === null) continue
    followed.push({ at, worker: null, item: null, isOpen: false, ...step })
    if (typeof step.item === 'string') asked.add(step.item)
    isNext = event.type === 'task.dispatched' || event.type === 'review.dispatched'
  }
  return followed
    .slice(-MOST_FOLLOWED)
    .map((step) => ({ ...step, isOpen: step.item !== null && !closed.has(step.item) }))
}

type Step = Pick<Followed, 'text'> & Partial<Pick<Followed, 'worker' | 'item'>>

interface Asked {
  readonly task: string
  /** Items about it so far. */
  readonly asked: ReadonlySet<string>
}

/** Null for what says nothing about how the task goes on. */
function stepFor(event: PlanEvent, { task, asked }: Asked): Step | null {
  if (event.type === 'plan.cancelled') return { text: 'the plan was cancelled' }
  if (event.type === 'inbox.opened') {
    const { item } = event
    return item.task === task && item.subject !== 'worker' ? { text: item.problem, item: item.id } : null
  }
  if (event.type === 'inbox.answered')
    return asked.has(event.id) ? { text: `${event.by} answered: ${event.choice}` } : null
  if (event.type === 'inbox.withdrawn')
    return asked.has(event.id) ? { text: `the question was withdrawn: ${event.why}` } : null
  return 'task' in event && event.task === task ? taskStep(event) : null
}

function taskStep(event: PlanEvent): Step | null {
  if (event.type === 'task.dispatched')
    return { text: `attempt ${event.attempt} began: ${event.why}`, worker: event.worker }
  if (event.type === 'review.dispatched') return { text: 'a reviewer reads the work', worker: event.worker }
  if (event.type === 'task.gated') return { text: gatesText(event.verdicts) }
  if (event.type === 'task.reviewed')
    return { text: event.verdict === 'approved' ? 'the review approved it' : 'the review asks for changes' }
  if (event.type === 'task.committed') return { text: 'its work landed' }
  if (event.type === 'task.commit_refused') return { text: `its work could not land: ${event.reason}` }
  return null
}

function gatesText(verdicts: readonly Verdict[]): string {
  const count = (outcome: Verdict['outcome']): number =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length
  const [failed, unknown] = [count('failed'), count('inconclusive')]
  if (failed > 0) return `${counted(failed, 'gate')} failed`
  return unknown > 0 ? `${counted(unknown, 'gate')} could not be checked` : 'its gates passed'
}
