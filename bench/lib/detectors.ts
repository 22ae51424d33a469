/** Other failure detectors, which know only the times of a worker's signs. */
import { mean } from './fleet.ts'

export interface Detector {
  readonly name: string
  /** How long after the last of these beats it gives up on a worker. */
  readonly patienceMs: (beats: readonly number[]) => number
}

export const fixedTimer = (minutes: number): Detector => ({
  name: `a timer of ${minutes} min`,
  patienceMs: () => minutes * 60_000,
})

/** How many of the last gaps count, and the least that they vary, as is usual for it. */
const WINDOW = 1000
const LEAST_DEVIATION_MS = 10_000
/** Until a few gaps are known: one a minute, give or take one. */
const FIRST_GAP_MS = 60_000
const FEWEST_GAPS = 5
/** A normal distribution passes this many deviations with a probability of 10^-8, which is phi = 8. */
const DEVIATIONS_AT_PHI_8 = 5.612

/** Phi-accrual: gives up where a gap is too unlikely, by the gaps of that worker so far. */
export const phiAccrual: Detector = {
  name: 'phi-accrual (phi 8)',
  patienceMs: (beats) => {
    const recent = beats.slice(-WINDOW - 1)
    const gaps = recent.slice(1).map((at, before) => at - (recent[before] ?? at))
    const known = gaps.length < FEWEST_GAPS ? [0, FIRST_GAP_MS, 2 * FIRST_GAP_MS] : gaps
    const middle = mean(known)
    const deviation = Math.sqrt(mean(known.map((gap) => (gap - middle) ** 2)))
    return middle + DEVIATIONS_AT_PHI_8 * Math.max(deviation, LEAST_DEVIATION_MS)
  },
}

/** When it gives up on a worker with signs at these times that runs until `untilMs`; null if it does not. */
export function givesUpAt(detector: Detector, beats: readonly number[], untilMs: number): number | null {
  for (let at = 0; at < beats.length; at++) {
    const last = beats[at] ?? 0
    const next = beats[at + 1] ?? untilMs
    const deadline = last + detector.patienceMs(beats.slice(0, at + 1))
    if (deadline < next) return deadline
  }
  return null
}
