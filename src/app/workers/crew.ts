/** `bosun crew`: the agents that are here, and how each has done by the log. */
import { CrewLedger, type CrewRecord } from '../../core/crew/crew-ledger.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import type { EventReader } from '../../ports/event-log.ts'
import { tailPastDamage } from '../activity/past-damage.ts'

export type CrewRow = Omit<CrewRecord, 'spent'> & { readonly usage: ReturnType<typeof usageRecord> }

const PAGE = 1000

/** Reads the whole log. */
export async function crewRecords(log: Pick<EventReader<LogEvent>, 'tail'>): Promise<readonly CrewRow[]> {
  const ledger = new CrewLedger()
  for (let after = 0; ;) {
    const { entries, seq } = await tailPastDamage(log, after, PAGE)
    for (const entry of entries.filter(isPlanEntry)) ledger.take(entry)
    after = seq
    if (entries.length < PAGE)
      return ledger.records().map(({ spent, ...record }) => ({ ...record, usage: usageRecord(spent) }))
  }
}
