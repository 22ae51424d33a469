/** Metrics over time. What was counted of a plan is kept, so that the next look reads only its new events. */
import { figuresOf, type Figures } from '../../core/log/figures.ts'
import { PlanRecorder, type PlanRecord } from '../../core/log/plan-record.ts'
import { costOf } from '../../core/state/spending.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { StreamInfo } from '../../ports/event-log.ts'
import type { HistoryAnswer } from '../../protocol/machine-answer.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { Kept } from '../host/kept.ts'
import { allStreams, streamParts } from '../host/stream-name.ts'
import { isDamage } from './past-damage.ts'
import { iso } from '../../lib/text/format-time.ts'

export interface HistoryWanted {
  /** The id of a repository; absent for all. */
  readonly repository?: string | undefined
  readonly plan?: string | undefined
  readonly days: number
}

const PAGE = 1000
const HOUR_MS = 3_600_000
/** A point for each hour, for up to so many days. */
const DAYS_BY_HOUR = 2

const kept = new Kept(() => ({
  /** Looks read one after another. */
  readings: new SerialQueue(),
  plans: new Map<string, { readonly recorder: PlanRecorder; version: number }>(),
}))
type Counted = ReturnType<typeof kept.of>

export async function metricsHistory(host: HostToRead, wanted: HistoryWanted): Promise<HistoryAnswer> {
  const records = await recordsOf(host, wanted)
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

async function recordsOf(host: HostToRead, wanted: HistoryWanted): Promise<readonly PlanRecord[]> {
  const own = kept.of(host)
  const matching = (await allStreams(host.parts.log)).filter(({ stream }) => isWanted(stream, wanted))
  return own.readings.run(async () => {
    const records: PlanRecord[] = []
    for (const info of matching) records.push(await readOn(host, own, info))
    return records
  })
}

function isWanted(stream: string, { repository, plan }: HistoryWanted): boolean {
  const parts = streamParts(stream)
  if (parts === null) return false
  return (
    (repository === undefined || parts.repository === repository) &&
    (plan === undefined || parts.plan === plan)
  )
}

/** Events behind one that cannot be read are not counted. */
async function readOn(host: HostToRead, { plans }: Counted, info: StreamInfo): Promise<PlanRecord> {
  const plan = plans.get(info.stream) ?? { recorder: new PlanRecorder(), version: 0 }
  plans.set(info.stream, plan)
  try {
    while (plan.version < info.version) {
      const page = await host.parts.log.read(info.stream, plan.version, PAGE)
      for (const entry of page) {
        if (isPlanEntry(entry)) plan.recorder.take(entry)
        plan.version = entry.version
      }
      if (page.length < PAGE) break
    }
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  return plan.recorder.record()
}
