/** Interventions of the watch that are still in effect for running workers. */
import type { Intervention } from '../event-schemas/watch.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { LiveWorker, PlanState, TaskState } from '../state/state.ts'
import { see, type LiveMoment, type Moment } from './health.ts'
import { noInterventions, STOPPED } from './metrics.ts'
import { watchRules } from './rules.ts'

/** Counted by kind. */
export function activeInterventions(
  state: PlanState,
  moment: Moment,
): Readonly<Record<Intervention, number>> {
  const counts = noInterventions()
  for (const task of state.active) {
    if (task.live === null) continue
    for (const how of inEffectFor(state, task, { ...moment, live: task.live })) counts[how]++
  }
  return counts
}

function inEffectFor(state: PlanState, task: TaskState, moment: LiveMoment): readonly Intervention[] {
  const { live } = moment
  const { watch, worker } = live
  const { sign, limitMs } = see(task, live, watchRules(state.settings), moment)
  // A message about silence is in effect until the worker shows life again.
  const isUnheeded = (about: string): boolean => (watch.sentAt[about] ?? -1) >= sign
  const isWarned = Object.keys(watch.sentAt).some((about) => about.endsWith(` of ${limitMs}`))
  const isEscalated = alertAbout(state, worker) !== undefined
  const isHelped = watch.requests.some(({ by, answer }) => by === 'bosun' && answer === null)
  const stop = live.stopCause === null ? null : STOPPED[live.stopCause]
  return [
    ...(isWarned ? (['warn'] as const) : []),
    ...(isUnheeded('reminder') ? (['remind'] as const) : []),
    ...(isUnheeded('nudge') ? (['nudge'] as const) : []),
    ...(isHelped ? (['help'] as const) : []),
    ...(isEscalated ? (['escalate'] as const) : []),
    ...(watch.extraMs > 0 ? (['extend'] as const) : []),
    ...(stop !== null ? [stop] : isUnheeded('restart') ? (['restart'] as const) : []),
  ]
}

const alertAbout = (state: PlanState, worker: string): string | undefined =>
  [...state.inbox.values()].find(({ item }) => item.subject === 'worker' && item.about === worker)?.item.id

/** The same for one worker, a line each. */
export function interventionLines(state: PlanState, task: TaskState, moment: LiveMoment): readonly string[] {
  const { live } = moment
  return inEffectFor(state, task, moment).map((how) => {
    switch (how) {
      case 'warn':
        return 'warned about its time limit'
      case 'remind':
        return 'reminded to check in, and no sign of life since'
      case 'nudge':
        return 'nudged, and no sign of life since'
      case 'help':
        return 'Bosun asks for help on its behalf'
      case 'escalate':
        return `a person is asked about it (${alertAbout(state, live.worker) ?? ''})`
      case 'extend':
        return `its time limit was extended by ${formatDuration(live.watch.extraMs)}`
      case 'finish':
        return 'being ended after its report'
      case 'restart':
        return live.stopCause === null
          ? 'its turn was started again, and no sign of life since'
          : 'being replaced'
      case 'kill':
        return 'being stopped'
    }
  })
}

/** The warnings about its time limit that it was sent, the oldest first. */
export const limitWarnings = ({ watch: { sentAt } }: LiveWorker): readonly string[] =>
  Object.entries(sentAt)
    .sort(([, a], [, b]) => a - b)
    .flatMap(([about]) => {
      const [, percent, limitMs] = /^limit (\d+) of (\d+)$/.exec(about) ?? []
      return percent === undefined ? [] : [`${percent} % of ${formatDuration(Number(limitMs))}`]
    })
