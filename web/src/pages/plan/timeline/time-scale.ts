/** Where a moment stands on the strip. Long gaps in which nothing ran are shortened, so that hours of waiting hide no work. */
import { formatDay, formatTime } from '../../../ui/format.ts'

export interface Interval {
  readonly from: number
  readonly to: number
}

export interface TimeScale {
  /** From 0 at the left to 1 at the right. */
  readonly at: (moment: number) => number
  /** Shortened gaps: where they stand, and how long they were. */
  readonly breaks: readonly { readonly from: number; readonly to: number; readonly ms: number }[]
  readonly ticks: readonly { readonly at: number; readonly moment: number }[]
  /** The moment at the left. */
  readonly start: number
  /** Milliseconds between ticks. */
  readonly stepMs: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const SHORTEST_GAP = 10 * MINUTE
/** Of the whole: a shorter gap is no gap. */
const SMALLEST_PART = 0.08
/** Of what is not a gap: how wide a gap is drawn. */
const DRAWN_PART = 0.04

export function timeScale(from: number, to: number, busy: readonly Interval[]): TimeScale {
  const end = Math.max(to, from + SECOND)
  const gaps = gapsIn({ from, to: end }, busy)
  const drawn = DRAWN_PART * (end - from - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0))
  const pieces = piecesOf({ from, to: end }, gaps, Math.max(drawn, SECOND))
  const total = pieces.reduce((sum, { width }) => sum + width, 0)
  const at = (moment: number): number => {
    let passed = 0
    for (const piece of pieces) {
      if (moment < piece.to) {
        const part = Math.max(0, (moment - piece.from) / (piece.to - piece.from))
        return (passed + part * piece.width) / total
      }
      passed += piece.width
    }
    return 1
  }
  const breaks = gaps.map((gap) => ({ from: at(gap.from), to: at(gap.to), ms: gap.to - gap.from }))
  const stepMs = STEPS.find((one) => one >= total / TICKS) ?? 24 * HOUR
  return { at, breaks, start: from, ticks: ticksOf(pieces, stepMs, at), stepMs }
}

/** What stands at a tick: the day where another one begins, else the time; both where the day began between two ticks. */
export interface TickName {
  readonly day: string | null
  readonly time: string | null
}

/** `before` is the tick before it, or the moment at the left. */
export function tickName(moment: number, before: number, stepMs: number): TickName {
  const date = new Date(moment)
  const time = formatTime(moment, stepMs < MINUTE ? 'seconds' : 'minutes')
  if (date.toDateString() === new Date(before).toDateString()) return { day: null, time }
  return { day: formatDay(moment), time: date.getHours() === 0 && date.getMinutes() === 0 ? null : time }
}

/** Stretches of the whole in which nothing was busy, if they are long enough to be shortened. */
function gapsIn(whole: Interval, busy: readonly Interval[]): readonly Interval[] {
  const least = Math.max(SHORTEST_GAP, SMALLEST_PART * (whole.to - whole.from))
  const gaps: Interval[] = []
  let covered = whole.from
  for (const { from, to } of busy.toSorted((a, b) => a.from - b.from)) {
    if (from - covered > least) gaps.push({ from: covered, to: from })
    covered = Math.max(covered, to)
  }
  if (whole.to - covered > least) gaps.push({ from: covered, to: whole.to })
  return gaps
}

interface Piece extends Interval {
  readonly width: number
  readonly isGap: boolean
}

function piecesOf(whole: Interval, gaps: readonly Interval[], gapWidth: number): readonly Piece[] {
  const pieces: Piece[] = []
  let reached = whole.from
  const busyUntil = (to: number): void => {
    if (to > reached) pieces.push({ from: reached, to, width: to - reached, isGap: false })
    reached = to
  }
  for (const gap of gaps) {
    busyUntil(gap.from)
    pieces.push({ ...gap, width: gapWidth, isGap: true })
    reached = gap.to
  }
  busyUntil(whole.to)
  return pieces
}

const STEPS = [
  SECOND,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
]
/** About as many labels have room. */
const TICKS = 7
const CLOSEST = 0.09
/** How much room a label takes. */
const LABEL_PART = 0.08
/** Further right a label would be cut. */
const LAST_PLACE = 0.93

function ticksOf(pieces: readonly Piece[], step: number, at: (moment: number) => number): TimeScale['ticks'] {
  const ticks: { at: number; moment: number }[] = []
  for (const [nth, { from, to, isGap }] of pieces.entries()) {
    if (isGap) continue
    // A gap says how long it was: no label runs into that.
    const end = pieces[nth + 1]?.isGap === true ? at(to) - LABEL_PART : LAST_PLACE
    for (let moment = Math.ceil(from / step) * step; moment < to; moment += step) {
      const place = at(moment)
      const last = ticks.at(-1)
      if (place < Math.min(end, LAST_PLACE) && (last === undefined || place - last.at >= CLOSEST))
        ticks.push({ at: place, moment })
    }
  }
  return ticks
}
