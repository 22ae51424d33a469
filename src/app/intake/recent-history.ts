/** What the crew took for its recent work: the end of the log, so that a long one costs no time. */
import { CrewLedger } from '../../core/crew/crew-ledger.ts'
import { estimateOf, type CrewHistory } from '../../core/intake/estimate.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import type { EventReader } from '../../ports/event-log.ts'
import { PlanReading } from '../activity/past-damage.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Host } from '../host/host.ts'

const MOST_EVENTS = 5000

export async function recentHistory(log: Pick<EventReader<LogEvent>, 'tail' | 'head'>): Promise<CrewHistory> {
  const ledger = new CrewLedger()
  const after = Math.max(0, (await log.head()) - MOST_EVENTS)
  await new PlanReading(log, (entry) => ledger.take(entry), { after }).look()
  const records = ledger.records().filter(({ agent }) => agent !== null)
  const decided = sum(records.map(({ firstPass }) => firstPass.of))
  const { workers, workMs, spent } = ledger.finished()
  return {
    workers,
    workMs,
    tokens: spent.tokens,
    firstPass: decided === 0 ? null : sum(records.map(({ firstPass }) => firstPass.passed)) / decided,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** What a plan will take, in a few words: from what the agents took so far. */
export async function estimatePlan({ parts }: Pick<Host, 'parts'>, tasks: number): Promise<string> {
  const work = { workflow: 'planned', scope: 'medium', tasks } as const
  const { time_ms: timeMs, basis } = estimateOf(work, await recentHistory(parts.log))
  const guess = basis === 'guess' ? ' (a guess by the number of tasks)' : ''
  return `about ${formatDuration(timeMs.least)} to ${formatDuration(timeMs.most)} of work${guess}`
}
