/** Metrics as text for scrapers: OpenMetrics 1.0. */
import type { MetricsAnswer } from '../protocol/answers.ts'

export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

type Values = Readonly<Record<string, number | null>>
/** Without a label there is one value. */
type Family = readonly [name: string, help: string, values: Values, label?: string]

export function openMetrics(counts: MetricsAnswer): string {
  const { watch } = counts
  const one = (value: number | null): Values => ({ '': value })
  const families: readonly Family[] = [
    ['bosun_plans', 'Plans by state.', counts.plans, 'state'],
    ['bosun_tasks', 'Tasks by status.', counts.tasks, 'status'],
    ['bosun_workers', 'Running workers by health.', counts.workers, 'health'],
    ['bosun_inbox_items', 'Open inbox items by kind.', counts.inbox, 'kind'],
    ['bosun_repositories', 'Repositories known.', one(counts.repositories)],
    ['bosun_events', 'Events in the log.', one(counts.events)],
    ['bosun_workers_started_day', 'Workers started within 24 hours.', one(watch.workers)],
    ['bosun_work_completed_day', 'Work that landed within 24 hours.', one(watch.completed)],
    ['bosun_workers_failed_day', 'Workers lost within 24 hours.', one(watch.failed)],
    [
      'bosun_success_ratio',
      'Share of landed work in landed work and lost workers within 24 hours.',
      one(ratio(watch.success_rate)),
    ],
    [
      'bosun_completion_seconds',
      'Mean running time of workers that finished within 24 hours.',
      one(seconds(watch.mean_completion_ms)),
    ],
    [
      'bosun_interventions_day',
      'Interventions of the watch within 24 hours by kind.',
      watch.interventions,
      'kind',
    ],
    [
      'bosun_interventions_active',
      'Interventions in effect for running workers by kind.',
      watch.interventions_active,
      'kind',
    ],
    ['bosun_work_completed_today', 'Work that landed since midnight.', one(watch.completed_today)],
    ['bosun_workers_failed_today', 'Workers lost since midnight.', one(watch.failed_today)],
  ]
  return `${families.flatMap(linesOf).join('\n')}\n# EOF\n`
}

const ratio = (percent: number | null): number | null => (percent === null ? null : percent / 100)
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

/** Metrics without a value are left out. */
function linesOf([name, help, values, label]: Family): readonly string[] {
  const samples = Object.entries(values).flatMap(([word, value]) => {
    if (value === null) return []
    const labels = label === undefined ? '' : `{${label}=${JSON.stringify(word)}}`
    return [`${name}${labels} ${value}`]
  })
  return samples.length === 0 ? [] : [`# TYPE ${name} gauge`, `# HELP ${name} ${help}`, ...samples]
}
