/** Which part of a plan's time the strip shows: all of it, or the last hours, so that weeks do not hide today's work. */
import type { TimelineAnswer } from '../../../../../src/protocol/plan-views.ts'

type TimelineRow = TimelineAnswer['rows'][number]

const HOUR = 60 * 60_000

export const RANGES = ['all', '7d', '24h', '6h', '1h'] as const
export type Range = (typeof RANGES)[number]

const RANGE_MS: Readonly<Record<Range, number>> = {
  all: Number.POSITIVE_INFINITY,
  '7d': 7 * 24 * HOUR,
  '24h': 24 * HOUR,
  '6h': 6 * HOUR,
  '1h': HOUR,
}

export const RANGE_NAMES: Readonly<Record<Range, string>> = {
  all: 'All',
  '7d': '7 days',
  '24h': '24h',
  '6h': '6h',
  '1h': '1h',
}

/** Those that show less than all of it, and all of it; none where there is nothing to choose. */
export function rangesFor(wholeMs: number): readonly Range[] {
  const fitting = RANGES.filter((range) => range === 'all' || RANGE_MS[range] < wholeMs)
  return fitting.length === 1 ? [] : fitting
}

export interface TimelineWindow {
  readonly from: number
  readonly rows: readonly TimelineRow[]
  /** Tasks that ended before. */
  readonly earlier: number
}

/** What of the rows lies between the beginning of the range and `end`. */
export function timelineWindow(
  rows: readonly TimelineRow[],
  { from, end, range }: { readonly from: number; readonly end: number; readonly range: Range },
): TimelineWindow {
  const start = Math.max(from, end - RANGE_MS[range])
  if (start === from) return { from, rows, earlier: 0 }
  const inside = rows.flatMap((row) => {
    const spans = row.spans.filter(({ to }) => to === null || Date.parse(to) > start)
    return spans.length === 0 ? [] : [{ ...row, spans }]
  })
  return { from: start, rows: inside, earlier: rows.length - inside.length }
}
