/** `bosun crew`: the agents that are here, and how each has done by the log. */
import { CrewLedger, type CrewRecord } from '../../core/crew/crew-ledger.ts'
import { possibleAgents } from '../../core/settings/agent-variables.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { EventReader } from '../../ports/event-log.ts'
import { takePlanEntries } from '../activity/past-damage.ts'
import { Kept } from '../host/kept.ts'

/** The names of the agents that Bosun knows, which are those of their programs. */
export const LOOKED_FOR = Object.keys(possibleAgents({ agents: {}, roles: {} })).join(', ')

export type CrewRow = Omit<CrewRecord, 'spent'> & { readonly usage: ReturnType<typeof usageRecord> }

const counts = new Kept(() => ({ ledger: new CrewLedger(), readings: new SerialQueue(), seq: 0 }))

/** Of the whole log; the next look counts on from where this one ends. */
export function crewRecords(log: Pick<EventReader<LogEvent>, 'tail'>): Promise<readonly CrewRow[]> {
  const count = counts.of(log)
  return count.readings.run(async () => {
    count.seq = await takePlanEntries(log, count.seq, (entry) => count.ledger.take(entry))
    return count.ledger.records().map(({ spent, ...record }) => ({ ...record, usage: usageRecord(spent) }))
  })
}
