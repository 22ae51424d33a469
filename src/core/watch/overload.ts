/**
 * Whether the daemon keeps up with its work, judged once a loop. One bad loop is not yet an overload and one good loop
 * not yet a recovery, so that the state does not flap.
 */
import { formatDuration } from '../../lib/text/format-time.ts'

/** What one loop cost, and what it left undone. */
export interface LoopLook {
  readonly sweepMs: number
  /** The longest that anything had to wait for its turn in the process since the look before. */
  readonly lagMs: number
  /** Unread check-ins. */
  readonly backlog: number
}

export interface OverloadLimits {
  /** A loop that takes longer is too much, once. */
  readonly sweepMs: number
  /** So much lag is too much when `looks` in a row saw it. */
  readonly lagMs: number
  /** A backlog is too much when it grew over `looks` in a row and is at least this long. */
  readonly backlog: number
  readonly looks: number
}

export const OVERLOAD_LIMITS: OverloadLimits = { sweepMs: 5 * 60_000, lagMs: 2000, backlog: 100, looks: 3 }

export interface Load {
  /** Why the daemon does not keep up; null when it does. */
  readonly overloaded: string | null
  readonly backlog: number
  /** Looks in a row that saw lag, a growing backlog, or nothing of all that. */
  readonly lagging: number
  readonly growing: number
  readonly calm: number
}

export const NO_LOAD: Load = { overloaded: null, backlog: 0, lagging: 0, growing: 0, calm: 0 }

export function nextLoad(before: Load, look: LoopLook, limits: OverloadLimits = OVERLOAD_LIMITS): Load {
  const isLagging = look.lagMs > limits.lagMs
  const isGrowing = look.backlog > before.backlog
  const counts = {
    backlog: look.backlog,
    lagging: isLagging ? before.lagging + 1 : 0,
    growing: isGrowing ? before.growing + 1 : 0,
    calm: isCalm(look, limits) && !isGrowing ? before.calm + 1 : 0,
  }
  const why = problem(look, counts, limits)
  if (why !== null) return { ...counts, overloaded: why }
  return { ...counts, overloaded: counts.calm >= limits.looks ? null : before.overloaded }
}

function problem(
  { sweepMs, lagMs, backlog }: LoopLook,
  { lagging, growing }: Pick<Load, 'lagging' | 'growing'>,
  limits: OverloadLimits,
): string | null {
  if (sweepMs > limits.sweepMs) return `a loop took ${formatDuration(sweepMs)}`
  if (lagging >= limits.looks)
    return `the event loop lags by up to ${formatDuration(lagMs)}, ${lagging} loops in a row`
  if (growing >= limits.looks && backlog >= limits.backlog)
    return `${backlog} check-ins are unread, more after each of the last ${growing} loops`
  return null
}

/** Well below the limits: at half of them it would soon be over them again. */
const isCalm = ({ sweepMs, lagMs, backlog }: LoopLook, limits: OverloadLimits): boolean =>
  sweepMs <= limits.sweepMs / 2 && lagMs <= limits.lagMs / 2 && backlog < limits.backlog
