/** `bosun crew`: the agents that are here, and how each has done by the log. */
import { CrewLedger, type CrewRecord } from '../../core/crew/crew-ledger.ts'
import { possibleAgents } from '../../core/settings/agent-variables.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import type { EventReader } from '../../ports/event-log.ts'
import { PlanReading } from '../activity/past-damage.ts'
import { Kept } from '../host/kept.ts'

/** The names of the agents that Bosun knows, which are those of their programs. */
export const LOOKED_FOR = Object.keys(possibleAgents({ agents: {}, roles: {} })).join(', ')

export type CrewRow = Omit<CrewRecord, 'spent'> & { readonly usage: ReturnType<typeof usageRecord> }

const counts = new Kept((log: Pick<EventReader<LogEvent>, 'tail'>) => {
  const ledger = new CrewLedger()
  return { ledger, reading: new PlanReading(log, (entry) => ledger.take(entry)) }
})

/** Of the whole log; the next look counts on from where this one ends. */
export async function crewRecords(log: Pick<EventReader<LogEvent>, 'tail'>): Promise<readonly CrewRow[]> {
  const { ledger, reading } = counts.of(log)
  await reading.look()
  return ledger.records().map(({ spent, ...record }) => ({ ...record, usage: usageRecord(spent) }))
}
