/** What the crew took for its recent work: the end of the log, so that a long one costs no time. */
import { CrewLedger } from '../../core/crew/crew-ledger.ts'
import type { CrewHistory } from '../../core/intake/estimate.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import type { EventReader } from '../../ports/event-log.ts'
import { tailPastDamage } from '../activity/past-damage.ts'

const MOST_EVENTS = 5000
const PAGE = 1000

export async function recentHistory(log: Pick<EventReader<LogEvent>, 'tail' | 'head'>): Promise<CrewHistory> {
  const ledger = new CrewLedger()
  for (let after = Math.max(0, (await log.head()) - MOST_EVENTS); ;) {
    const { entries, seq } = await tailPastDamage(log, after, PAGE)
    for (const entry of entries.filter(isPlanEntry)) ledger.take(entry)
    after = seq
    if (entries.length < PAGE) break
  }
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
