/** Metrics over time. What was counted of a plan is kept, so that the next look reads only its new events. */
import { figuresOf, type Figures } from '../../core/log/figures.ts'
import { PlanRecorder } from '../../core/log/plan-record.ts'
import { costOf } from '../../core/state/spending.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import type { StreamId } from '../../ports/event-log.ts'
import type { HistoryAnswer } from '../../protocol/machine-answer.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { Kept } from '../host/kept.ts'
import { streamParts } from '../host/stream-name.ts'
import { PlanReading } from './past-damage.ts'
import { iso } from '../../lib/text/format-time.ts'

export interface HistoryWanted {
  /** The id of a repository; absent for all. */
  readonly repository?: string | undefined
  readonly plan?: string | undefined
  readonly days: number
}

const HOUR_MS = 3_600_000
/** A point for each hour, for up to so many days. */
const DAYS_BY_HOUR = 2

const kept = new Kept((log: HostToRead['parts']['log']) => {
  const recorders = new Map<StreamId, PlanRecorder>()
  const reading = new PlanReading(log, (entry) => {
    const recorder = recorders.get(entry.stream) ?? new PlanRecorder()
    recorders.set(entry.stream, recorder)
    recorder.take(entry)
  })
  return { recorders, reading }
})

export async function metricsHistory(host: HostToRead, wanted: HistoryWanted): Promise<HistoryAnswer> {
  const { recorders, reading } = kept.of(host.parts.log)
  await reading.look()
  const records = [...recorders].flatMap(([stream, recorder]) =>
    isWanted(stream, wanted) ? [recorder.record()] : [],
  )
  const now = host.parts.clock.now()
  const edges = edgesOf(now, wanted.days)
  const from = edges[0] ?? now
  return {
    from: iso(from),
    to: iso(now),
    total: figuresRow(figuresOf(records, { from, to: now + 1, now })),
    points: edges.map((edge, place) => ({
      from: iso(edge),
      ...figuresRow(figuresOf(records, { from: edge, to: edges[place + 1] ?? now + 1, now })),
    })),
  }
}

/** Where the points begin, the first one first: full hours, or midnights of this machine's time zone. */
function edgesOf(now: number, days: number): readonly number[] {
  if (days <= DAYS_BY_HOUR) {
    const hour = now - (now % HOUR_MS)
    return Array.from({ length: days * 24 }, (_, back) => hour - back * HOUR_MS).toReversed()
  }
  const day = new Date(now)
  const midnight = (back: number): number =>
    new Date(day.getFullYear(), day.getMonth(), day.getDate() - back).getTime()
  return Array.from({ length: days }, (_, back) => midnight(back)).toReversed()
}

function figuresRow(figures: Figures): HistoryAnswer['total'] {
  const { completed, failed, spent } = figures
  const usd = costOf(spent)
  const perTask = (amount: number | null): number | null =>
    completed === 0 || amount === null ? null : amount / completed
  return {
    completed,
    failed,
    success_rate: figures.successRate,
    lead_time_ms: figures.leadTimeMs,
    first_pass_rate: figures.firstPassRate,
    person_wait_ms: figures.personWaitMs,
    interventions: figures.interventions,
    usage: spent.tokens === 0 && spent.usd === 0 ? null : usageRecord(spent),
    tokens_per_task: perTask(spent.tokens === 0 ? null : spent.tokens),
    usd_per_task: perTask(usd),
  }
}

function isWanted(stream: string, { repository, plan }: HistoryWanted): boolean {
  const parts = streamParts(stream)
  if (parts === null) return false
  return (
    (repository === undefined || parts.repository === repository) &&
    (plan === undefined || parts.plan === plan)
  )
}
