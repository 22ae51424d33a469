/** When a worker has to be stopped, from what was observed of it and from its limit. */
import type { StopCause } from '../events/parts.ts'
import type { PlanSettings } from '../events/plan-events.ts'
import type { Instant, LiveWorker, TaskState } from '../state.ts'

/**
 * What the harness saw of workers. It is not in the log: after a restart or a clock jump it begins
 * anew at `since`, so that the first look only arms the clocks.
 */
export interface Observed {
  readonly since: Instant
  readonly lastSign: ReadonlyMap<string, Instant>
  /** The tool call that each made last, and how often in a row. */
  readonly calls?: ReadonlyMap<string, RepeatedCall> | undefined
}

export interface RepeatedCall {
  readonly call: string
  readonly times: number
}

/** The same call with the same arguments this often in a row leads nowhere. */
export const LOOPING_CALLS = 8

export interface Deadline {
  readonly at: Instant
  readonly cause: StopCause
  readonly why: string
}

const words = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`

/** The first moment this worker has to be stopped at, if nothing changes. */
export function deadline(
  task: TaskState,
  live: LiveWorker,
  rules: { readonly settings: PlanSettings; readonly observed: Observed },
): Deadline {
  const { settings, observed } = rules
  const repeated = observed.calls?.get(live.worker)
  if (repeated !== undefined && repeated.times >= LOOPING_CALLS) {
    const why = `${live.worker} made the same call ${repeated.times} times in a row: ${repeated.call}`
    return { at: live.since, cause: 'looping', why }
  }
  const limitMs = (task.spec.timeBudgetMs * settings.terminateAtPercent) / 100
  const limit: Deadline = {
    at: live.since + limitMs,
    cause: 'time_limit',
    why: `${live.worker} ran for ${words(limitMs)}, its limit is ${words(task.spec.timeBudgetMs)}`,
  }
  const sign = Math.max(live.since, observed.since, observed.lastSign.get(live.worker) ?? 0)
  const stall: Deadline = {
    at: sign + settings.stalledMs,
    cause: 'stalled',
    why: `${live.worker} gave no sign of life for ${words(settings.stalledMs)}`,
  }
  return limit.at <= stall.at ? limit : stall
}
