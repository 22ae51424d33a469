/** How often a task is retried, by reason. A used-up budget escalates. */
import type { DispatchReason } from '../event-schemas/schemas.ts'

export interface Counters {
  /** Fix attempts after failed gates, and after a commit that conflicted. */
  readonly fixes: number
  /** Attempts after a review that requested changes. */
  readonly reworks: number
  /** Attempts after a worker was lost, stalled, exceeded its time limit or did nothing. */
  readonly restarts: number
  /** Attempts that a person requested with feedback. */
  readonly revisions: number
  /** Consecutive attempts lost because a supervisor, Bosun or the machine died: they use no budget. */
  readonly interruptions: number
  /** Consecutive inconclusive gate runs. */
  readonly inconclusive: number
  /** Reviewers that were lost. */
  readonly reviewersLost: number
}

export const NO_COUNTS: Counters = Object.freeze({
  fixes: 0,
  reworks: 0,
  restarts: 0,
  revisions: 0,
  interruptions: 0,
  inconclusive: 0,
  reviewersLost: 0,
})

export const MAX_RESTARTS = 2
export const MAX_REVISIONS = 3
/** How often the same change may be submitted again after it was rejected. */
export const MAX_REPEATS = 2
export const MAX_INTERRUPTIONS = 10
export const MAX_INCONCLUSIVE = 2
export const MAX_REVIEWERS_LOST = 2
export const MAX_INTEGRATION_ROUNDS = 2
export const MAX_REMEDIATION_ROUNDS = 2
/** How long to wait before a limited provider without a usable reset time is probed. */
export const LIMIT_PROBE_MS = 300_000
/** How much longer a plan waits that learned of the limit from another plan, which probes as well. */
export const PROBE_TURN_MS = 30_000
/** Failures of one effect before a person is asked. */
export const MAX_EFFECT_FAILURES = 5

/** The counters after one more dispatch for this reason. */
export function afterDispatch(counters: Counters, reason: DispatchReason): Counters {
  switch (reason) {
    case 'fix':
      return { ...counters, fixes: counters.fixes + 1 }
    case 'rework':
      return { ...counters, reworks: counters.reworks + 1 }
    case 'restart':
      return { ...counters, restarts: counters.restarts + 1 }
    case 'revise':
      return { ...counters, revisions: counters.revisions + 1 }
    case 'retry':
      return { ...NO_COUNTS, revisions: counters.revisions }
    case 'first':
    case 'again':
      return counters
  }
}

/** How long the breaker stays open before the next probe: 5, 10, 20 … min, at most an hour. */
export const breakerDelayMs = (probes: number): number =>
  Math.min(300_000 * 2 ** Math.min(probes, 20), 3_600_000)

/** How long to wait before the nth attempt at something that failed n - 1 times: 10 s, doubling, at most 10 min. */
export function backoffMs(failures: number): number {
  if (failures <= 0) return 0
  return Math.min(10_000 * 2 ** Math.min(failures - 1, 20), 600_000)
}
