/** Metrics as text for scrapers: OpenMetrics 1.0. */
import type { Counts } from '../app/workers/count-metrics.ts'

export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

interface Family {
  readonly name: string
  readonly help: string
  readonly label?: string
  readonly values: Readonly<Record<string, number | null>>
}

export function openMetrics(counts: Counts): string {
  const { watch } = counts
  const one = (value: number | null): Readonly<Record<string, number | null>> => ({ '': value })
  const families: readonly Family[] = [
    { name: 'bosun_plans', help: 'Plans by state.', label: 'state', values: counts.plans },
    { name: 'bosun_tasks', help: 'Tasks by status.', label: 'status', values: counts.tasks },
    { name: 'bosun_workers', help: 'Running workers by health.', label: 'health', values: counts.workers },
    {
      name: 'bosun_inbox_items',
      help: 'Open inbox items by kind.',
      label: 'kind',
      values: counts.inbox,
    },
    { name: 'bosun_repositories', help: 'Repositories known.', values: one(counts.repositories) },
    { name: 'bosun_events', help: 'Events in the log.', values: one(counts.events) },
    {
      name: 'bosun_workers_started_day',
      help: 'Workers started within 24 hours.',
      values: one(watch.workers),
    },
    {
      name: 'bosun_work_completed_day',
      help: 'Work that landed within 24 hours.',
      values: one(watch.completed),
    },
    { name: 'bosun_workers_failed_day', help: 'Workers lost within 24 hours.', values: one(watch.failed) },
    {
      name: 'bosun_success_ratio',
      help: 'Share of landed work in landed work and lost workers within 24 hours.',
      values: one(ratio(watch.success_rate)),
    },
    {
      name: 'bosun_completion_seconds',
      help: 'Mean running time of workers that finished within 24 hours.',
      values: one(seconds(watch.mean_completion_ms)),
    },
    {
      name: 'bosun_interventions_day',
      help: 'Interventions of the watch within 24 hours by kind.',
      label: 'kind',
      values: watch.interventions,
    },
    {
      name: 'bosun_interventions_active',
      help: 'Interventions in effect for running workers by kind.',
      label: 'kind',
      values: watch.interventions_active,
    },
    {
      name: 'bosun_work_completed_today',
      help: 'Work that landed since midnight.',
      values: one(watch.completed_today),
    },
    {
      name: 'bosun_workers_failed_today',
      help: 'Workers lost since midnight.',
      values: one(watch.failed_today),
    },
  ]
  return `${families.flatMap(linesOf).join('\n')}\n# EOF\n`
}

const ratio = (percent: number | null): number | null => (percent === null ? null : percent / 100)
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

/** Metrics without a value are left out. */
function linesOf({ name, help, label, values }: Family): readonly string[] {
  const samples = Object.entries(values).flatMap(([word, value]) => {
    if (value === null) return []
    const labels = label === undefined ? '' : `{${label}=${JSON.stringify(word)}}`
    return [`${name}${labels} ${value}`]
  })
  return samples.length === 0 ? [] : [`# TYPE ${name} gauge`, `# HELP ${name} ${help}`, ...samples]
}
