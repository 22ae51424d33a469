/** `bosun crew`: the agents that are here, and how each has done by the log. */
import { CrewLedger, type CrewRecord } from '../../core/crew/crew-ledger.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { EventReader } from '../../ports/event-log.ts'
import { tailPastDamage } from '../activity/past-damage.ts'
import type { HostToRead } from '../host/host-to-read.ts'

export type CrewRow = Omit<CrewRecord, 'spent'> & { readonly usage: ReturnType<typeof usageRecord> }

const PAGE = 1000

type LogTail = Pick<EventReader<LogEvent>, 'tail'>

/** Counts on from where the last look ended. */
class CrewCount {
  readonly #ledger = new CrewLedger()
  readonly #readings = new SerialQueue()
  #seq = 0

  records(log: LogTail): Promise<readonly CrewRow[]> {
    return this.#readings.run(async () => {
      for (;;) {
        const { entries, seq } = await tailPastDamage(log, this.#seq, PAGE)
        for (const entry of entries.filter(isPlanEntry)) this.#ledger.take(entry)
        this.#seq = seq
        if (entries.length < PAGE) break
      }
      return this.#ledger.records().map(({ spent, ...record }) => ({ ...record, usage: usageRecord(spent) }))
    })
  }
}

/** Reads the whole log. */
export const crewRecords = (log: LogTail): Promise<readonly CrewRow[]> => new CrewCount().records(log)

const counts = new WeakMap<HostToRead, CrewCount>()

/** The same for a host that stays: the next look reads only what is new. */
export function crewRecordsNow(host: HostToRead): Promise<readonly CrewRow[]> {
  const count = counts.get(host) ?? new CrewCount()
  counts.set(host, count)
  return count.records(host.parts.log)
}
