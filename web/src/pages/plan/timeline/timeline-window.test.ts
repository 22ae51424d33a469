import { expect, test } from 'vitest'
import { rangesFor, timelineWindow } from './timeline-window.ts'

const HOUR = 60 * 60_000
const at = (hours: number): string => new Date(hours * HOUR).toISOString()
const span = (from: number, to: number | null) =>
  ({ kind: 'work', from: at(from), to: to === null ? null : at(to), label: '' }) as const
const row = (task: string, ...spans: ReturnType<typeof span>[]) => ({ task, title: task, spans })

test('ranges are offered only where they show less than everything', () => {
  expect(rangesFor(30 * 60_000)).toEqual([])
  expect(rangesFor(HOUR)).toEqual([])
  expect(rangesFor(2 * HOUR)).toEqual(['all', '1h'])
  expect(rangesFor(30 * HOUR)).toEqual(['all', '24h', '6h', '1h'])
  expect(rangesFor(400 * HOUR)).toEqual(['all', '7d', '24h', '6h', '1h'])
})

test('everything is shown as it is', () => {
  const rows = [row('1', span(0, 1)), row('2', span(1, null))]
  expect(timelineWindow(rows, { from: 0, end: 50 * HOUR, range: 'all' })).toEqual({
    from: 0,
    rows,
    earlier: 0,
  })
  expect(timelineWindow(rows, { from: 0, end: 5 * HOUR, range: '6h' })).toEqual({ from: 0, rows, earlier: 0 })
})

test('of a range only what reaches into it is shown, and tasks that ended before are counted', () => {
  const rows = [
    row('old', span(0, 1), span(2, 3)),
    row('both', span(0, 2), span(40, 47)),
    row('open', span(1, null)),
    row('edge', span(30, 44)),
  ]
  const seen = timelineWindow(rows, { from: 0, end: 50 * HOUR, range: '6h' })
  expect(seen.from).toBe(44 * HOUR)
  expect(seen.rows.map(({ task, spans }) => [task, spans.length])).toEqual([
    ['both', 1],
    ['open', 1],
  ])
  expect(seen.earlier).toBe(2)
})
