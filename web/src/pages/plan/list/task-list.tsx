/** The same tasks as rows under the headings of the board, for many of them at once. */
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useMemo, useRef, type CSSProperties } from 'react'
import { cx } from '../../../ui/cx.ts'
import { StageMark } from '../../../ui/marks.tsx'
import { visibleText } from '../../../ui/visible-text.ts'
import { Age } from '../tasks/age.tsx'
import { isStuck, type Column, type PlanTask } from '../tasks/columns.ts'
import { idWidth } from '../tasks/id-width.ts'
import { StatusLine, TaskItem, type TaskItemProps } from '../tasks/task-item.tsx'

type Line =
  | { readonly kind: 'heading'; readonly id: string; readonly title: string; readonly count: number }
  | { readonly kind: 'task'; readonly id: string; readonly task: PlanTask }

const HEADING_HEIGHT = 32
const ROW_HEIGHT = 40
const PHONE_HEIGHT = 60

export interface TaskListProps {
  readonly columns: readonly Column[]
  readonly plan: string
  readonly repo: string | undefined
  readonly selected: string | null
  readonly isPhone: boolean
}

export function TaskList({ columns, plan, repo, selected, isPhone }: TaskListProps) {
  const lines = useMemo(() => linesOf(columns), [columns])
  const widest = useMemo(() => idWidth(columns.flatMap(({ tasks }) => tasks.map(({ id }) => id))), [columns])
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = isPhone ? PHONE_HEIGHT : ROW_HEIGHT
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (lines[at]?.kind === 'heading' ? HEADING_HEIGHT : rowHeight),
    overscan: 12,
    getItemKey: (at) => lines[at]?.id ?? at,
    rangeExtractor: useCallback((range: Range) => withHeading(range, lines), [lines]),
  })
  const heading = headingAt(lines, virtual.range?.startIndex ?? 0)
  useEffect(() => virtual.measure(), [virtual, rowHeight])
  const at = selected === null ? -1 : lines.findIndex(({ id }) => id === selected)
  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="List of tasks"
      tabIndex={0}
      style={{ '--id-width': `${widest}px` } as CSSProperties}
      className="min-h-0 flex-1 overflow-y-auto rounded-md border"
    >
      <ul style={{ height: virtual.getTotalSize() }} className="relative">
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const line = lines[index]
          if (line === undefined) return null
          return (
            <li
              key={key}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              style={
                index === heading ? { height: size } : { height: size, transform: `translateY(${start}px)` }
              }
              // The heading of what is seen stays in sight.
              className={cx('inset-x-0 top-0 border-b', index === heading ? 'sticky z-[1]' : 'absolute')}
            >
              {line.kind === 'heading' ? (
                <h2 className="flex h-full items-center gap-2 bg-sub px-3 text-xs font-medium">
                  {line.title}
                  <span className="text-muted">{line.count}</span>
                </h2>
              ) : (
                <TaskRow task={line.task} plan={plan} repo={repo} isSelected={line.id === selected} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The last heading at or above a line. */
const headingAt = (lines: readonly Line[], at: number): number =>
  lines.slice(0, at + 1).findLastIndex(({ kind }) => kind === 'heading')

function withHeading(range: Range, lines: readonly Line[]): number[] {
  const seen = defaultRangeExtractor(range)
  const heading = headingAt(lines, range.startIndex)
  return heading === -1 || seen.includes(heading) ? seen : [heading, ...seen]
}

function linesOf(columns: readonly Column[]): readonly Line[] {
  return columns.flatMap(({ id, title, tasks }): readonly Line[] =>
    tasks.length === 0
      ? []
      : [
          { kind: 'heading', id: `heading:${id}`, title, count: tasks.length },
          ...tasks.map((task) => ({ kind: 'task' as const, id: task.id, task })),
        ],
  )
}

const TaskRow = memo(function TaskRow(item: TaskItemProps) {
  const { task, isSelected } = item
  return (
    <TaskItem
      {...item}
      className={cx(
        'grid h-full items-center gap-x-3 px-3 outline-offset-[-2px] transition-colors hover:bg-hover',
        'grid-cols-[14px_minmax(0,1fr)_auto] sm:grid-cols-[136px_var(--id-width)_minmax(0,3fr)_minmax(0,2fr)_56px_56px]',
        isSelected && 'bg-selected',
      )}
    >
      <span className="flex text-xs text-muted sm:hidden">
        <StageMark status={task.status} stage={task.stage} isIconOnly />
      </span>
      <span className="flex min-w-0 text-xs text-muted max-sm:hidden">
        <StageMark status={task.status} stage={task.stage} />
      </span>
      <span className="truncate font-mono text-mono text-muted max-sm:hidden" title={visibleText(task.id)}>
        {visibleText(task.id)}
      </span>
      <span className="flex min-w-0 flex-col">
        <span className="truncate" title={visibleText(task.title)}>
          <span className="mr-2 font-mono text-mono text-muted sm:hidden">{visibleText(task.id)}</span>
          <bdi>{visibleText(task.title)}</bdi>
          {task.attempt > 1 && (
            <span className="ml-2 text-xs text-muted" title={`Attempt ${task.attempt}`}>
              ×{task.attempt}
            </span>
          )}
        </span>
        <span className="sm:hidden">
          <StatusLine task={task} />
        </span>
      </span>
      <span className="min-w-0 max-sm:hidden">
        <StatusLine task={task} />
      </span>
      <span className={cx('text-xs max-sm:hidden', task.tier === 'critical' ? 'text-warn' : 'text-muted')}>
        {task.tier}
      </span>
      <Age
        at={task.since}
        className={cx('text-right text-xs whitespace-nowrap', isStuck(task) ? 'text-warn' : 'text-muted')}
      />
    </TaskItem>
  )
})
