/** Metrics of a day's workers, derived from events. They decide nothing and can be rebuilt from the log. */
import type { InboxItem, StopCause, WorkerEnd } from '../event-schemas/schemas.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import {
  INTERVENTIONS,
  type EndedHealth,
  type Intervention,
  type MessageKind,
} from '../event-schemas/watch.ts'
import type { Instant } from '../state/state.ts'

export const DAY_MS = 24 * 3_600_000

export type WatchMetrics = ReturnType<WatchLedger['at']>

interface Whose {
  readonly stream: string
  readonly task: string
}

export interface EndedWorker extends Whose {
  readonly worker: string
  /** Null while its work waits to be proven. */
  readonly health: EndedHealth | null
  /** Null where it started before counting began. */
  readonly startedAt: Instant | null
  readonly endedAt: Instant
  readonly end: WorkerEnd
  /** It failed because it changed nothing. */
  readonly isIdle: boolean
}

interface Fact {
  readonly stream: string
  readonly at: Instant
  readonly event: PlanEvent
}

type Fate =
  | { readonly kind: 'started' | 'completed' }
  | { readonly kind: 'ran'; readonly ms: number }
  | { readonly kind: 'intervened'; readonly how: Intervention }
type Happened = Fate & { readonly at: Instant; readonly stream: string }

export class WatchLedger {
  #happened: Happened[] = []
  readonly #started = new Map<string, Instant>()
  /** By worker. */
  readonly #ended = new Map<string, EndedWorker>()
  /** By task: whose work the gates judged last. */
  readonly #gated = new Map<string, string>()
  /** By task: who last ended well, and whether it left nothing that could be proven. */
  readonly #done = new Map<string, { readonly worker: string; readonly isEmpty: boolean }>()

  take({ stream, at, event }: Fact): void {
    const how = interventionIn(event)
    const note = (fate: Fate): void => void this.#happened.push({ at, stream, ...fate })
    if (how !== null) note({ kind: 'intervened', how })
    if (event.type === 'task.committed') note({ kind: 'completed' })
    this.#noteProof(stream, event)
    const idle = this.#idleWorker(stream, event)
    if (idle !== null) this.#judge(`${stream} ${idle}`, 'failed', { isIdle: true })
    if (event.type !== 'worker.started' && event.type !== 'worker.ended') return
    const worker = `${stream} ${event.worker}`
    if (event.type === 'worker.started') {
      this.#started.set(worker, at)
      note({ kind: 'started' })
      return
    }
    const since = this.#started.get(worker)
    this.#started.delete(worker)
    if (isGood(event.end) && since !== undefined) note({ kind: 'ran', ms: at - since })
    this.#ended.set(worker, {
      stream,
      task: event.task,
      worker: event.worker,
      health: isLoss(event.end) ? 'failed' : null,
      startedAt: since ?? null,
      endedAt: at,
      end: event.end,
      isIdle: false,
    })
  }

  /** What a worker handed in is completed when the gates have proven it; a review is when it is there. */
  #noteProof(stream: string, event: PlanEvent): void {
    if (event.type === 'task.reviewed') return this.#judge(`${stream} ${event.by}`, 'completed')
    if (event.type !== 'task.gated' && event.type !== 'task.proof_outdated') return
    const isOf = ({ stream: other, task }: Whose): boolean => other === stream && task === event.task
    if (event.type === 'task.proof_outdated') {
      // What failed on top of work that left says nothing about it.
      for (const [key, ended] of this.#ended)
        if (isOf(ended) && key === this.#gated.get(`${stream} ${event.task}`)) this.#judge(key, null)
      return
    }
    const outcomes = event.verdicts.map(({ outcome }) => outcome)
    if (!outcomes.includes('failed') && outcomes.includes('inconclusive')) return
    for (const [key, ended] of this.#ended)
      if (isOf(ended) && ended.health === null && isGood(ended.end)) {
        this.#judge(key, outcomes.includes('failed') ? 'failed' : 'completed')
        this.#gated.set(`${stream} ${event.task}`, key)
      }
  }

  #judge(key: string, health: EndedHealth | null, { isIdle } = { isIdle: false }): void {
    const ended = this.#ended.get(key)
    if (ended !== undefined) this.#ended.set(key, { ...ended, health, isIdle })
  }

  /** That a worker did nothing shows when its task goes on without it: where nothing was to be changed, gates follow. */
  #idleWorker(stream: string, event: PlanEvent): string | null {
    const task = event.type === 'inbox.opened' ? ownTaskOf(event.item) : 'task' in event ? event.task : null
    const key = `${stream} ${task}`
    const done = this.#done.get(key)
    if (event.type === 'worker.ended') {
      if (isGood(event.end)) this.#done.set(key, { worker: event.worker, isEmpty: false })
    } else if (event.type === 'work.collected') {
      const isEmpty = done?.worker === event.worker && event.changed.length === 0
      if (isEmpty) this.#done.set(key, { ...done, isEmpty })
      else this.#done.delete(key)
    } else if (event.type === 'task.gated') this.#done.delete(key)
    else if (event.type === 'task.dispatched' || event.type === 'inbox.opened') {
      this.#done.delete(key)
      return done?.isEmpty === true ? done.worker : null
    }
    return null
  }

  /** Workers that ended within a day, in the plans that match. */
  ended(matches: (stream: string) => boolean): readonly EndedWorker[] {
    return [...this.#ended.values()].filter(({ stream }) => matches(stream))
  }

  /** As it is now, in the plans that match; `midnight` is when today began. */
  at(now: Instant, midnight: Instant, matches: (stream: string) => boolean = () => true) {
    const oldest = Math.min(now - DAY_MS, midnight)
    this.#happened = this.#happened.filter(({ at }) => at >= oldest)
    for (const [key, { endedAt }] of this.#ended) if (endedAt < oldest) this.#ended.delete(key)
    const matching = this.#happened.filter(({ stream }) => matches(stream))
    const day = matching.filter(({ at }) => at >= now - DAY_MS)
    const today = matching.filter(({ at }) => at >= midnight)
    const count = (list: readonly Happened[], kind: Happened['kind']): number =>
      list.filter((one) => one.kind === kind).length
    const ended = [...this.#ended.values()].filter(({ stream }) => matches(stream))
    const failedSince = (since: Instant): number =>
      ended.filter(({ health, endedAt }) => health === 'failed' && endedAt >= since).length
    const [completed, failed] = [count(day, 'completed'), failedSince(now - DAY_MS)]
    const ran = day.flatMap((one) => (one.kind === 'ran' ? [one.ms] : []))
    const interventions = noInterventions()
    for (const one of day) if (one.kind === 'intervened') interventions[one.how]++
    return {
      /** Within 24 hours: work that landed, and workers that failed (lost, nothing done, or refused by the gates). */
      completed,
      failed,
      /** The share of the completed in percent; null without either. */
      success_rate:
        completed + failed === 0 ? null : Math.round((completed * 1000) / (completed + failed)) / 10,
      /** From start to end, of all workers that finished within 24 hours, also of those ended after their report. */
      mean_completion_ms:
        ran.length === 0 ? null : Math.round(ran.reduce((sum, ms) => sum + ms, 0) / ran.length),
      /** Since midnight in the caller's time zone. */
      completed_today: count(today, 'completed'),
      failed_today: failedSince(midnight),
      interventions_today: count(today, 'intervened'),
      /** Within 24 hours, by kind. */
      interventions,
      /** Workers that were started within 24 hours. */
      workers: count(day, 'started'),
      /** Workers that ended within 24 hours and whose outcome is known. */
      ended: ended.flatMap(({ worker, health, startedAt, endedAt }) =>
        health === null || endedAt < now - DAY_MS ? [] : [{ worker, health, startedAt, endedAt }],
      ),
    }
  }
}

export const noInterventions = (): Record<Intervention, number> =>
  Object.fromEntries(INTERVENTIONS.map((how) => [how, 0])) as Record<Intervention, number>

/** What the watch did about a worker; null where the event is something else. */
export function interventionIn(event: PlanEvent): Intervention | null {
  if (event.type === 'worker.told') return BY_MESSAGE[event.message.kind]
  if (event.type === 'worker.condemned') return STOPPED[event.cause]
  if (event.type === 'worker.extended') return 'extend'
  if (event.type === 'request.received') return event.request.by === 'bosun' ? 'help' : null
  return event.type === 'inbox.opened' && event.item.subject === 'worker' ? 'escalate' : null
}

const BY_MESSAGE: Readonly<Record<MessageKind, Intervention | null>> = {
  warning: 'warn',
  reminder: 'remind',
  nudge: 'nudge',
  restart: 'restart',
  answer: null,
  instruction: null,
}

/** Stops by people, budgets and plan edits are not interventions of the watch. */
export const STOPPED: Readonly<Record<StopCause, Intervention | null>> = {
  stalled: 'restart',
  restarted: 'restart',
  zombie: 'kill',
  time_limit: 'kill',
  looping: 'kill',
  disk_limit: 'kill',
  killed: 'kill',
  finished: 'finish',
  gave_up: 'finish',
  cannot_go_on: 'finish',
  budget: null,
  plan_edited: null,
  taken_over: null,
  paused: null,
  cancelled: null,
}

/** The task that an item keeps from going on; null where it is about anything else. */
const ownTaskOf = ({ subject, task }: InboxItem): string | null => (subject === 'task' ? task : null)

const isGood = (end: WorkerEnd): boolean =>
  end.kind === 'done' || (end.kind === 'stopped' && end.cause === 'finished')

function isLoss(end: WorkerEnd): boolean {
  if (end.kind !== 'stopped') return end.kind === 'failed'
  const how = STOPPED[end.cause]
  return how === 'restart' || how === 'kill' || end.cause === 'gave_up' || end.cause === 'cannot_go_on'
}
