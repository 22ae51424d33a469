/** The watch's times and limits for a plan. */
import type { WatchSettings } from '../event-schemas/watch.ts'
import type { PlanSettings } from '../event-schemas/plan-settings.ts'

export const MOST_OPEN_REQUESTS = 5
/** Requests that one worker may make in all. */
export const MOST_REQUESTS = 40

/** Marks in `watch.sentAt` that the missing first check-in was noted. */
export const FIRST_CHECKIN = 'first check-in'
/** Marks in `watch.sentAt` that it made too many requests. */
export const TOO_MANY_REQUESTS = 'too many requests'

export interface WatchRules extends WatchSettings {
  readonly stalledMs: number
  readonly terminateAtPercent: number
  /** How long a nudge may stay without effect before the silence counts as a stall. */
  readonly answerMs: number
  /** The steps of silence for a worker that gave a sign of life before, and for one that never did. */
  readonly midway: SilenceSteps
  readonly unheard: SilenceSteps
  /** How long a request may stay open. */
  readonly requestMs: number
}

interface SilenceSteps {
  /** It counts as stalled. */
  readonly stalledMs: number
  /** A person is alerted, at the latest. */
  readonly escalateMs: number
  /** Its turn is interrupted and started again; null: never, since it has none. */
  readonly retryMs: number | null
  /** It is stopped. */
  readonly endMs: number
}

/** The ladders are in multiples of `stalled`; what is set shorter than it counts, what is not follows it. */
export function watchRules(settings: PlanSettings): WatchRules {
  const set = settings.watch
  const { stalledMs, terminateAtPercent } = settings
  const within = (ms: number, share: number): number => (ms < stalledMs ? ms : stalledMs * share)
  const silenceMs = within(set.silenceMs, 0.25)
  const answerMs = silenceMs / 5
  return {
    ...set,
    stalledMs,
    terminateAtPercent,
    silenceMs,
    lateMs: within(set.lateMs, 0.75),
    answerMs,
    midway: {
      stalledMs,
      escalateMs: stalledMs * 1.1,
      retryMs: stalledMs * 1.25,
      endMs: stalledMs * 1.5,
    },
    unheard: { stalledMs: stalledMs * 1.5, escalateMs: stalledMs, retryMs: null, endMs: stalledMs * 2 },
    requestMs: stalledMs * 3,
  }
}

export const silenceSteps = (rules: WatchRules, { hasLived }: { readonly hasLived: boolean }): SilenceSteps =>
  hasLived ? rules.midway : rules.unheard
