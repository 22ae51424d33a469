/** Turns input from workers into events, which may still be rejected. */
import type { EventOf, PlanEvent } from '../core/events/plan-events.ts'
import { listedChanges } from '../core/events/worker/repository-changed.ts'
import type { Usage } from '../core/event-schemas/schemas.ts'
import { MOST_TEXT, type Request } from '../core/event-schemas/requests.ts'
import { questionsIn } from '../core/state/report-claims.ts'
import { permissionClass } from '../core/crew/permission-policy.ts'
import { priceUsage } from '../core/crew/price-usage.ts'
import { judgeReview } from '../core/review/judge-review.ts'
import { isWorthNoting, latest, spentOf, type Spent, type SpentParts } from '../core/state/spending.ts'
import { allowancesOf } from '../core/watch/costs.ts'
import { TOO_MANY_REQUESTS } from '../core/watch/rules.ts'
import type { PlanState, TaskState } from '../core/state/state.ts'
import { excessReason, nextRequestId, weighRequest } from '../core/watch/requests/requests.ts'
import { deliveryEvents } from '../core/watch/pausing.ts'
import {
  usageOf,
  type AgentEvent,
  type AskedPermission,
  type OpenedSession,
  type WorkerEnded,
} from '../ports/agent.ts'

/** The events of a worker's end, or why it is ignored. */
export function workerEvents(state: PlanState, given: WorkerEnded): readonly PlanEvent[] | string {
  const task = taskOfWorker(state, given.worker)
  if (task === null || task.live === null) return 'no longer a worker of this plan'
  const usage = given.usage && priced(state, given.usage, given.agent ?? task.live.agent)
  const event = usage === undefined ? given : { ...given, usage }
  const events =
    task.live.role === 'reviewer' ? reviewerEvents(state, task, event) : [ended(task, event, event.end)]
  const { agent = null, session, worker } = event
  const opened = session === undefined ? [] : openedEvents(task, { ...session, agent, worker })
  return [...opened, ...events, ...unreadEvents(event), ...repositoryEvents(state, event)]
}

/** What changed meanwhile in the user's repository. */
function repositoryEvents(state: PlanState, { worker, changed = [] }: WorkerEnded): readonly PlanEvent[] {
  if (changed.length === 0) return []
  const task = taskOfWorker(state, worker)?.spec.id ?? null
  const { changes, more } = listedChanges(changed)
  return [{ type: 'repository.changed', v: 1, worker, task, changes: [...changes], more }]
}

const LONGEST_NOTES = 2000

/** Unreadable parts of a report count as absent; the log keeps the reason. */
function unreadEvents({ worker, notes = [] }: WorkerEnded): readonly PlanEvent[] {
  const why = notes.join('; ').slice(0, LONGEST_NOTES)
  return why === '' ? [] : [ignoredEvent(worker, 'part of the report', why)]
}

/** Called with every check-in, so it copies nothing. */
function taskOfWorker(state: PlanState, worker: string): TaskState | null {
  for (const task of state.active) if (task.live?.worker === worker) return task
  return null
}

/** Those that were started and are not stopped elsewhere. */
export const workersAtWork = (state: PlanState): readonly string[] =>
  [...state.active].flatMap(({ live }) => (live?.step === 'working' ? [live.worker] : []))

/** The event of a session, unless the log has it already. */
function openedEvents(
  task: TaskState,
  event: OpenedSession & { readonly worker: string; readonly agent: string | null },
): readonly PlanEvent[] {
  const { live } = task
  if (live === null) return []
  const { worker, session, agent, continues, isContinued, lost, note } = event
  const known = live.role === 'reviewer' ? task.reviewSession : task.session
  if (known?.worker === worker && known.id === session) return []
  const about = { worker, task: task.spec.id, attempt: live.attempt }
  const loss = lost === null ? {} : { lost: { session: lost.session, why: lost.why } }
  const opened = { session, agent, protocol: 'acp', continues, isContinued } as const
  const noted = note === undefined ? {} : { note }
  return [{ type: 'session.opened', v: 1, ...about, ...opened, ...loss, ...noted }]
}

function ended(task: TaskState, event: WorkerEnded, end: WorkerEnded['end']): EventOf<'worker.ended'> {
  const { worker, report, agent, usage, lastWords } = event
  return {
    type: 'worker.ended',
    v: 1,
    worker,
    task: task.spec.id,
    attempt: task.live?.attempt ?? task.attempt,
    end,
    report,
    ...(agent === undefined ? {} : { agent }),
    ...(usage === undefined ? {} : { usage }),
    ...(lastWords === undefined ? {} : { lastWords }),
    ...(report === null ? {} : { questions: [...questionsIn(report)] }),
  }
}

/** A reviewer that ends without a verdict counts as lost. */
function reviewerEvents(state: PlanState, task: TaskState, event: WorkerEnded): readonly PlanEvent[] {
  if (event.end.kind !== 'done') return [ended(task, event, event.end)]
  const judged = event.review === null ? null : judgeReview(event.review, state.settings)
  if (judged === null) {
    const [why] = event.notes ?? []
    const reason = `it ended without a verdict${why === undefined ? '' : ` (${why})`}`
    return [{ ...ended(task, event, { kind: 'failed', reason }), hasNoVerdict: true }]
  }
  const { verdict, summary, issues, remark } = judged
  return [
    ended(task, event, event.end),
    {
      type: 'task.reviewed',
      v: 1,
      task: task.spec.id,
      attempt: task.attempt,
      round: task.reviewRound,
      by: event.worker,
      verdict,
      summary,
      issues: [...issues],
      ...(event.agent === undefined ? {} : { agent: event.agent }),
      ...(remark === null ? {} : { remark }),
    },
  ]
}

/** The event for a worker's usage; none where it is not worth recording. */
export function usageEvents(
  state: PlanState,
  { worker, task: id }: { readonly worker: string; readonly task?: string | undefined },
  reported: Spent,
): readonly PlanEvent[] {
  const named = id === undefined ? undefined : state.tasks.get(id)
  const task = named?.live?.worker === worker ? named : taskOfWorker(state, worker)
  const live = task?.live ?? null
  if (task === null || live === null) return []
  if (!isWorthNoting(live.used, reported, allowancesOf(state, task))) return []
  const { tokens, usd, parts } = latest(live.used, reported)
  const about = { worker, task: task.spec.id, attempt: live.attempt }
  const divided = parts === undefined ? {} : { parts: roundParts(parts) }
  return [{ type: 'worker.used', v: 1, ...about, tokens: Math.round(tokens), usd, ...divided }]
}

/** With the cost of each turn as well. */
function priced({ settings: { prices } }: PlanState, usage: Usage, agent: string | null): Usage {
  const all = priceUsage(usage, { prices, agent })
  if (usage.turns === undefined) return all
  const { model } = usage
  const turns = usage.turns.map((turn) => {
    const { model: _model, ...priced } = priceUsage({ ...turn, model }, { prices, agent })
    return priced
  })
  return { ...all, turns }
}

const roundParts = (parts: SpentParts): SpentParts => ({
  in: Math.round(parts.in),
  out: Math.round(parts.out),
  cached: Math.round(parts.cached),
  estimated: Math.round(parts.estimated),
  unpriced: Math.round(parts.unpriced),
})

/** The events of what an agent's session tells: none for most of it, and for what is known already. */
export function sessionEvents(state: PlanState, event: AgentEvent): readonly PlanEvent[] {
  if (event.kind === 'usage') {
    const agent = taskOfWorker(state, event.worker)?.live?.agent ?? null
    return usageEvents(state, { worker: event.worker }, spentOf(priced(state, usageOf(event), agent)))
  }
  if (event.kind === 'session') {
    const task = taskOfWorker(state, event.worker)
    return task === null ? [] : openedEvents(task, event)
  }
  return isNews(event) ? newsEvents(state, event) : []
}

type News = Extract<AgentEvent, { kind: (typeof NEWS)[number] }>

const NEWS = ['delivered', 'read', 'permission_asked', 'permission_answered'] as const

const isNews = (event: AgentEvent): event is News => NEWS.some((kind) => kind === event.kind)

function newsEvents(state: PlanState, event: News): readonly PlanEvent[] {
  const { worker } = event
  const task = taskOfWorker(state, worker)
  const live = task?.live ?? null
  if (task === null || live === null || live.step === 'stopping') return []
  const about = { worker, task: task.spec.id, attempt: live.attempt }
  switch (event.kind) {
    case 'delivered': {
      const isWaiting = live.watch.waiting.some(({ id }) => id === event.message)
      return isWaiting
        ? deliveryEvents(task.spec.id, live, { messages: [event.message], via: 'session' })
        : []
    }
    case 'read': {
      const messages = event.messages.filter((id) => live.watch.unread.includes(id))
      return messages.length === 0 ? [] : [{ type: 'message.read', v: 1, ...about, messages }]
    }
    case 'permission_asked': {
      if (event.decision !== 'ask') return []
      const asked = permissionRequest(event)
      if (weighRequest(live, asked) !== 'new') return []
      const request = { ...asked, id: nextRequestId(live), by: worker }
      return [{ type: 'request.received', v: 1, ...about, request }]
    }
    case 'permission_answered': {
      const open = live.watch.requests.find((one) => one.ref === event.id && one.answer === null)
      if (open === undefined) return []
      const text = `The request for permission (${open.id}) no longer waits: ${event.outcome}.`
      const answer = { outcome: 'expired', text, by: 'bosun' } as const
      return [{ type: 'request.answered', v: 1, ...about, id: open.id, answer }]
    }
  }
}

function permissionRequest({ id, tool, title, command, paths, why }: AskedPermission): Asked {
  const what = command === null ? `${tool} ${paths.slice(0, 3).join(', ') || title}` : `run \`${command}\``
  const equalBy = permissionClass({ kind: tool, title, command, paths, why })
  const equal = equalBy === null ? {} : { equalBy }
  const text = `${what} (${why})`.slice(0, MOST_TEXT)
  return { kind: 'permission', text, priority: 'normal', ref: id, ...equal }
}

export type Asked = Omit<Request, 'id' | 'by'>

/** The events of a worker's request, which may still be rejected. One with too many requests gets a message, once. */
export function requestEvents(state: PlanState, worker: string, asked: Asked): readonly PlanEvent[] | string {
  const task = taskOfWorker(state, worker)
  const live = task?.live ?? null
  if (task === null || live === null) return `${worker} is not running`
  const about = { worker, task: task.spec.id, attempt: live.attempt }
  const { sentAt, messages } = live.watch
  if (weighRequest(live, asked) === 'excess' && sentAt[TOO_MANY_REQUESTS] === undefined) {
    const why = excessReason(live)
    const text = `Too many requests: ${why}. Report your progress, then continue.`
    const to = { id: messages + 1, about: TOO_MANY_REQUESTS, by: 'bosun' }
    return [{ type: 'worker.told', v: 1, ...about, message: { ...to, kind: 'nudge', text }, why }]
  }
  const request = { ...asked, id: nextRequestId(live), by: worker }
  return [{ type: 'request.received', v: 1, ...about, request }]
}

const ignoredEvent = (from: string, about: string, why: string): PlanEvent => ({
  type: 'word.ignored',
  v: 1,
  from,
  about,
  why,
})

const MAX_IGNORED = 5

/** Rejected input is logged as ignored, up to a limit for each sender. */
export class IgnoredEvents {
  readonly #counts = new Map<string, number>()

  /** What to log of a worker's end that does not count: also then it says what changed meanwhile. */
  end(state: PlanState, event: WorkerEnded, why: string): readonly PlanEvent[] {
    return [...this.of(event.worker, 'a late exit', why), ...repositoryEvents(state, event)]
  }

  /** The event to log; none once the sender has reached its limit. */
  of(from: string, about: string, why: string): readonly PlanEvent[] {
    const count = (this.#counts.get(from) ?? 0) + 1
    this.#counts.set(from, count)
    return count <= MAX_IGNORED ? [ignoredEvent(from, about, why)] : []
  }
}
