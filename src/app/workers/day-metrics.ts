/** How workers fare: the metrics of a day, kept from the event log, and counts of everything there is. */
import type { LogEvent } from '../../core/log/log-events.ts'
import {
  DAY_MS,
  WatchLedger,
  noInterventions,
  type EndedWorker,
  type WatchMetrics,
} from '../../core/watch/metrics.ts'
import type { EventReader } from '../../ports/event-log.ts'
import { PlanReading, tailPastDamage } from '../activity/past-damage.ts'
import { streamParts } from '../host/stream-name.ts'
import { ENDED_HEALTHS, HEALTHS, INTERVENTIONS, type Intervention } from '../../core/event-schemas/watch.ts'
import { activeInterventions } from '../../core/watch/active-interventions.ts'
import type { MetricsAnswer } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { allPlanRows, allWorkerRows, inboxOfAll } from '../plans/plan-status.ts'

/** Each look reads on from where the last one ended. */
export class DayMetrics {
  readonly #parts: Pick<HostToRead['parts'], 'log' | 'clock'>
  readonly #ledger = new WatchLedger()
  #reading: Promise<PlanReading> | null = null

  constructor(parts: Pick<HostToRead['parts'], 'log' | 'clock'>) {
    this.#parts = parts
  }

  /** Of one repository, or of all. */
  async now(repository?: string): Promise<WatchMetrics> {
    const { log, clock } = this.#parts
    const now = clock.now()
    this.#reading ??= lastBefore(log, now - 2 * DAY_MS).then(
      (after) => new PlanReading(log, (entry) => this.#ledger.take(entry), { after }),
    )
    await (await this.#reading).look()
    return this.#ledger.at(now, new Date(now).setHours(0, 0, 0, 0), isOf(repository))
  }

  /** Workers of a repository that ended within a day. */
  async ended(repository: string): Promise<readonly EndedWorker[]> {
    await this.now(repository)
    return this.#ledger.ended(isOf(repository))
  }
}

const isOf = (repository: string | undefined) => (stream: string) =>
  repository === undefined || streamParts(stream)?.repository === repository

/** The place of the last entry before that moment; times rise with places but for jumps of the clock, which cost a little accuracy. */
async function lastBefore(log: EventReader<LogEvent>, moment: number): Promise<number> {
  let [low, high] = [0, await log.head()]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { entries } = await tailPastDamage(log, middle, 1)
    const [entry] = entries
    if (entry === undefined || entry.at >= moment) high = middle
    else low = middle + 1
  }
  return low
}

/** How much of everything there is, and how workers fare. */
export async function countsOf(host: HostToRead): Promise<MetricsAnswer> {
  const workers = allWorkerRows(host)
  const none = Object.fromEntries([...HEALTHS, ...ENDED_HEALTHS].map((health) => [health, 0]))
  const { ended, ...watch } = await host.metrics.now()
  return {
    plans: tally(allPlanRows(host).map(({ state }) => state)),
    tasks: tasksByStatus(host),
    workers: { ...none, ...tally([...workers, ...ended].map(({ health }) => health)) },
    inbox: tally(inboxOfAll(host).map(({ kind }) => kind)),
    repositories: (await host.parts.repositories.list()).length,
    events: await host.parts.log.head(),
    watch: { ...watch, interventions_active: activeOf(host) },
  }
}

/** Of all plans that are open; of a plan that cannot go on at the moment nothing is known. */
function activeOf(host: HostToRead): Readonly<Record<Intervention, number>> {
  const sum = noInterventions()
  const now = host.parts.clock.now()
  for (const { state, observed } of host.plans()) {
    if (observed === null) continue
    const active = activeInterventions(state, { now, observed })
    for (const how of INTERVENTIONS) sum[how] += active[how]
  }
  return sum
}

/** Plans count their tasks as they go; those that there are none of are left out. */
function tasksByStatus(host: HostToRead): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { state } of host.plans()) {
    for (const [status, count] of Object.entries(state.counts))
      if (count > 0) counts[status] = (counts[status] ?? 0) + count
  }
  return counts
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
