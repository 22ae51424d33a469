/** Who worked when, as a strip: a row for each task, the newest part at the right. */
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { TimelineAnswer } from '../../../../../src/protocol/plan-views.ts'
import { usePhone } from '../../../shell/use-phone.ts'
import { cx } from '../../../ui/cx.ts'
import { formatDuration } from '../../../../../src/lib/text/format-time.ts'
import { formatClock, formatDay, formatMoment } from '../../../ui/format.ts'
import { EmptyState } from '../../../ui/states.tsx'
import { useNow } from '../../../ui/time.tsx'
import { visibleText } from '../../../ui/visible-text.ts'
import { shortDuration } from '../tasks/age.tsx'
import { idWidth } from '../tasks/id-width.ts'
import { searchFor } from '../tasks/use-task-keys.ts'
import { Segments } from '../../../ui/tabs.tsx'
import { isBusy, SPAN_KINDS, SPAN_SIGNS } from './span-signs.ts'
import { RANGE_NAMES, rangesFor, timelineWindow, type Range } from './timeline-window.ts'
import { tickName, timeScale, type Interval, type TickName, type TimeScale } from './time-scale.ts'

type TimelineRow = TimelineAnswer['rows'][number]
type Span = TimelineRow['spans'][number]

const ROW_HEIGHT = 32
/** A span that goes on is drawn to the present, which moves in steps: a strip that creeps each second would be unrest. */
const STEP_MS = 10_000

export interface TimelineProps {
  readonly timeline: TimelineAnswer
  readonly plan: string
  readonly repo: string | undefined
  /** The tasks that the filters leave. */
  readonly shown: ReadonlySet<string>
  readonly range: Range
  readonly onRange: (range: Range) => void
}

export function Timeline({ timeline, plan, repo, shown, range, onRange }: TimelineProps) {
  const now = Math.floor(useNow() / STEP_MS) * STEP_MS
  const all = useMemo(() => rowsOf(timeline, shown), [timeline, shown])
  const begin = Date.parse(timeline.from)
  const widest = useMemo(() => idWidth(all.map(({ task }) => task)), [all])
  const isOpen = useMemo(
    () => timeline.rows.some(({ spans }) => spans.some(({ to }) => to === null)),
    [timeline],
  )
  const end = isOpen ? Math.max(now, Date.parse(timeline.to)) : Date.parse(timeline.to)
  const ranges = rangesFor(end - begin)
  const { from, rows, earlier } = useMemo(
    () => timelineWindow(all, { from: begin, end, range }),
    [all, begin, end, range],
  )
  const scale = useMemo(() => scaleOf(timeline, { from, to: end }), [timeline, from, end])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: (at) => rows[at]?.task ?? at,
  })
  const isPhone = usePhone()
  const hasRows = rows.length > 0
  // What goes on is at the right, which a phone would not show.
  useLayoutEffect(() => {
    const toPresent = (): void => scroller.current?.scrollTo({ left: scroller.current.scrollWidth })
    toPresent()
    // Once more when the router has put back what was scrolled before.
    const frame = requestAnimationFrame(toPresent)
    return () => cancelAnimationFrame(frame)
  }, [isPhone, hasRows, range])
  if (timeline.rows.every(({ spans }) => spans.length === 0))
    return (
      <EmptyState title="Nothing has run yet">
        The strip fills when the first worker starts. Ready tasks start by themselves.
      </EmptyState>
    )
  return (
    <div className="flex min-h-0 flex-1 flex-col rounded-md border">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-3 py-2">
        <Legend />
        {ranges.length > 0 && (
          <Segments
            label="Range"
            items={ranges.map((key) => ({ key, label: RANGE_NAMES[key] }))}
            value={ranges.includes(range) ? range : 'all'}
            onChange={onRange}
          />
        )}
      </div>
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-auto"
        tabIndex={0}
        role="region"
        aria-label="Timeline"
      >
        <div className="relative min-w-[640px]">
          <Axis scale={scale} />
          <Grid scale={scale} />
          <ul style={{ height: virtual.getTotalSize() }} className="relative">
            {virtual.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index]
              if (row === undefined) return null
              return (
                <li
                  key={key}
                  aria-setsize={rows.length}
                  aria-posinset={index + 1}
                  style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
                  className="absolute inset-x-0 top-0 flex border-b hover:bg-sub"
                >
                  <Strip
                    row={row}
                    scale={scale}
                    end={end}
                    plan={plan}
                    repo={repo}
                    now={now}
                    idColumn={widest}
                  />
                </li>
              )
            })}
          </ul>
        </div>
      </div>
      {earlier > 0 && (
        <p className="border-t px-3 py-2 text-xs text-muted">
          {earlier === 1 ? '1 task ended' : `${earlier} tasks ended`} before this range
        </p>
      )}
      {timeline.left_out > 0 && (
        <p className="border-t px-3 py-2 text-xs text-muted">
          {timeline.left_out} tasks that were begun first are not shown
        </p>
      )}
    </div>
  )
}

/** What goes on first, then what began last. A task that has not begun has no row. */
function rowsOf({ rows }: TimelineAnswer, shown: ReadonlySet<string>): readonly TimelineRow[] {
  const isOpen = ({ spans }: TimelineRow): boolean => spans.some(({ to }) => to === null)
  const start = ({ spans }: TimelineRow): string => spans[0]?.from ?? ''
  return rows
    .filter((row) => row.spans.length > 0 && shown.has(row.task))
    .toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || (start(a) < start(b) ? 1 : -1))
}

function scaleOf({ rows }: TimelineAnswer, whole: Interval): TimeScale {
  const busy = rows.flatMap(({ spans }) =>
    spans.flatMap((span) => {
      const to = span.to === null ? whole.to : Date.parse(span.to)
      return isBusy(span.kind) && to > whole.from ? [{ from: Date.parse(span.from), to }] : []
    }),
  )
  return timeScale(whole.from, whole.to, busy)
}

function Legend() {
  return (
    <ul
      aria-label="What the bars mean"
      className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted"
    >
      {SPAN_KINDS.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={cx('inline-block w-5 rounded-sm', SPAN_SIGNS[kind].className)}
          />
          {SPAN_SIGNS[kind].label}
        </li>
      ))}
    </ul>
  )
}

const NAME_WIDTH = 'w-64 max-sm:w-36'

/** Behind it a tick has its name on the other side, where there is room. */
const LAST_LEFT = 0.9

function Axis({ scale }: { readonly scale: TimeScale }) {
  return (
    <div className="sticky top-0 z-10 flex h-7 border-b bg-bg text-xs text-muted">
      <div
        className={cx(
          NAME_WIDTH,
          'sticky left-0 z-10 flex shrink-0 justify-between border-r bg-bg px-3 leading-7',
        )}
      >
        Task
        <span>{formatDay(scale.start)}</span>
      </div>
      <div className="relative flex-1 overflow-x-clip">
        {scale.ticks.map(({ at, moment }, nth) => (
          <span
            key={moment}
            title={formatMoment(moment)}
            style={at > LAST_LEFT ? { right: `${(1 - at) * 100}%` } : { left: `${at * 100}%` }}
            className={cx(
              'absolute top-0 h-full leading-7 whitespace-nowrap',
              at > LAST_LEFT ? 'border-r pr-1' : 'border-l pl-1',
            )}
          >
            <Tick name={tickName(moment, scale.ticks[nth - 1]?.moment ?? scale.start, scale.stepMs)} />
          </span>
        ))}
        {scale.breaks.map(({ from, to, ms }) => (
          <span
            key={from}
            style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
            title={`Nothing ran for ${formatDuration(ms)}`}
            className="absolute top-0 flex h-full items-center justify-center overflow-hidden bg-sub whitespace-nowrap"
          >
            {shortDuration(ms)}
          </span>
        ))}
      </div>
    </div>
  )
}

/** The hours of the axis, down through the rows. */
function Grid({ scale }: { readonly scale: TimeScale }) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 flex">
      <div className={cx(NAME_WIDTH, 'shrink-0')} />
      <div className="relative flex-1">
        {scale.ticks.map(({ at, moment }) => (
          <span
            key={moment}
            style={{ left: `${at * 100}%` }}
            className="absolute inset-y-0 border-l border-line"
          />
        ))}
      </div>
    </div>
  )
}

/** A phone has no room for both. */
const Tick = ({ name: { day, time } }: { readonly name: TickName }) => (
  <>
    {day}
    {time !== null && (
      <span className={day === null ? '' : 'max-sm:hidden'}>
        {day === null ? '' : ' '}
        {time}
      </span>
    )}
  </>
)

/** Of a bar. */
const SHORTEST_PX = 3

interface StripProps {
  readonly row: TimelineRow
  readonly scale: TimeScale
  readonly end: number
  readonly now: number
  /** Of the ids, in pixels. */
  readonly idColumn: number
  readonly plan: string
  readonly repo: string | undefined
}

function Strip({ row, scale, end, now, idColumn, plan, repo }: StripProps) {
  return (
    <>
      <Link
        to="/p/$plan/t/$task"
        params={{ plan, task: row.task }}
        search={searchFor(repo)}
        className={cx(
          NAME_WIDTH,
          'sticky left-0 z-[1] flex shrink-0 items-center gap-2 border-r bg-bg px-3 text-sm hover:underline',
        )}
      >
        <span
          style={{ width: idColumn }}
          className="shrink-0 truncate font-mono text-mono text-muted max-sm:hidden"
          title={visibleText(row.task)}
        >
          {visibleText(row.task)}
        </span>
        <span className="min-w-24 flex-1 truncate max-sm:min-w-12" title={visibleText(row.title)}>
          {visibleText(row.title)}
        </span>
      </Link>
      <div className="relative flex-1">
        {scale.breaks.map(({ from, to }) => (
          <span
            key={from}
            aria-hidden="true"
            style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
            className="absolute inset-y-0 bg-sub"
          />
        ))}
        {row.spans.map((span, at) => {
          const left = scale.at(Date.parse(span.from))
          const right = scale.at(span.to === null ? end : Date.parse(span.to))
          const words = spanWords(span, end, now)
          return (
            <span
              key={`${span.from} ${at}`}
              role="img"
              aria-label={words}
              title={words}
              // However short, it is seen, at the right edge too.
              style={{
                left: `min(${left * 100}%, 100% - ${SHORTEST_PX}px)`,
                width: `max(${SHORTEST_PX}px, ${(right - left) * 100}%)`,
              }}
              className={cx(
                'absolute top-1/2 -translate-y-1/2 rounded-sm',
                SPAN_SIGNS[span.kind].className,
                span.to === null && 'rounded-r-none',
              )}
            />
          )
        })}
      </div>
    </>
  )
}

function spanWords({ kind, from, to, label }: Span, end: number, now: number): string {
  const start = Date.parse(from)
  const until = to === null ? 'now' : formatClock(Date.parse(to), now)
  const took = formatDuration((to === null ? end : Date.parse(to)) - start)
  const name = label === '' ? SPAN_SIGNS[kind].label : `${SPAN_SIGNS[kind].label}: ${visibleText(label)}`
  return `${name}, ${formatClock(start, now)} to ${until} (${took})`
}
