/** How much of everything there is, and how workers fare. */
import { ENDED_HEALTHS, HEALTHS, INTERVENTIONS, type Intervention } from '../../core/event-schemas/watch.ts'
import { activeInterventions } from '../../core/watch/active-interventions.ts'
import { noInterventions } from '../../core/watch/metrics.ts'
import type { MetricsAnswer } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { allPlanRows, allWorkerRows, inboxOfAll } from '../plans/plan-status.ts'

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
