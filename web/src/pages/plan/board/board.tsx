/** Tasks by stage, what is stuck first. Each column scrolls by itself and draws only the cards that are seen. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState, memo, type ReactNode } from 'react'
import { cx } from '../../../ui/cx.ts'
import { isStuck, type Column, type ColumnId } from '../tasks/columns.ts'
import { COLUMN_WIDTH, GAP, keepChoices, openColumns, readChoices, STRIP_WIDTH } from './open-columns.ts'
import { StageMark } from '../../../ui/marks.tsx'
import { visibleText } from '../../../ui/visible-text.ts'
import { Age } from '../tasks/age.tsx'
import { StatusLine, TaskItem, type TaskItemProps } from '../tasks/task-item.tsx'

export interface BoardProps {
  readonly columns: readonly Column[]
  readonly plan: string
  readonly repo: string | undefined
  readonly selected: string | null
  readonly isPhone: boolean
}

export function Board({ columns, plan, repo, selected, isPhone }: BoardProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { width, isCutLeft, isCutRight } = useRoom(scroller)
  const [choices, setChoices] = useState(readChoices)
  const open = useMemo(() => openColumns(columns, width, choices), [columns, width, choices])
  const choose = (id: ColumnId, choice: 'open' | 'folded'): void => {
    const next = { ...choices, [id]: choice }
    setChoices(next)
    keepChoices(next)
  }
  const place = { plan, repo, selected }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="region"
        aria-label="Board"
        tabIndex={0}
        style={{ gap: GAP }}
        className="flex min-h-0 flex-1 snap-x overflow-x-auto overscroll-x-contain pb-2 max-sm:snap-mandatory"
      >
        {columns.map((column) => {
          if (isPhone)
            return column.tasks.length === 0 ? null : (
              <BoardColumn key={column.id} column={column} {...place} />
            )
          return open.has(column.id) || column.tasks.some(({ id }) => id === selected) ? (
            <BoardColumn
              key={column.id}
              column={column}
              {...place}
              onFold={() => choose(column.id, 'folded')}
            />
          ) : (
            <FoldedColumn key={column.id} column={column} onOpen={() => choose(column.id, 'open')} />
          )
        })}
      </div>
      {isCutLeft && <More side="left" />}
      {isCutRight && <More side="right" />}
    </div>
  )
}

/** How wide the board is, and at which sides there is more of it. */
function useRoom(scroller: { readonly current: HTMLDivElement | null }) {
  const [room, setRoom] = useState({ width: Infinity, isCutLeft: false, isCutRight: false })
  useLayoutEffect(() => {
    const { current } = scroller
    if (current === null) return
    const measure = (): void => {
      const { clientWidth: width, scrollLeft, scrollWidth } = current
      const next = { width, isCutLeft: scrollLeft > 8, isCutRight: scrollLeft + width < scrollWidth - 8 }
      setRoom((before) =>
        before.width === next.width &&
        before.isCutLeft === next.isCutLeft &&
        before.isCutRight === next.isCutRight
          ? before
          : next,
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    const changes = new MutationObserver(measure)
    changes.observe(current, { childList: true })
    current.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      changes.disconnect()
      current.removeEventListener('scroll', measure)
    }
  }, [scroller])
  return room
}

/** Says that the board goes on. */
function More({ side }: { readonly side: 'left' | 'right' }) {
  const Icon = side === 'left' ? ChevronLeft : ChevronRight
  return (
    <span
      aria-hidden="true"
      className={cx(
        'pointer-events-none absolute inset-y-0 flex w-10 items-center from-bg to-transparent text-muted max-sm:hidden',
        side === 'left' ? 'left-0 justify-start bg-linear-to-r' : 'right-0 justify-end bg-linear-to-l',
      )}
    >
      <Icon size={16} />
    </span>
  )
}

function Heading({ column, children }: { readonly column: Column; readonly children?: ReactNode }) {
  return (
    <h2
      id={`column-${column.id}`}
      className="group flex h-9 shrink-0 items-center gap-1.5 px-2.5 text-xs font-medium"
    >
      <span className="truncate">{column.title}</span>
      <span className="text-muted">{column.tasks.length}</span>
      {children}
    </h2>
  )
}

/** Its name and its count, upright: it opens with a click. An empty one has nothing to open. */
function FoldedColumn({ column, onOpen }: { readonly column: Column; readonly onOpen: () => void }) {
  const { title, tasks } = column
  const name = (
    <span className="flex items-center gap-1.5 text-xs font-medium whitespace-nowrap [writing-mode:vertical-rl]">
      {title} <span className="text-muted">{tasks.length}</span>
    </span>
  )
  const look = 'flex h-full w-full justify-center rounded-md bg-sub py-2.5'
  return (
    <section aria-label={title} style={{ width: STRIP_WIDTH }} className="shrink-0">
      {tasks.length === 0 ? (
        <div className={cx(look, 'text-muted')}>{name}</div>
      ) : (
        <button
          type="button"
          onClick={onOpen}
          title={`Open ${title}`}
          className={cx(look, 'outline-offset-[-2px] transition-colors hover:bg-hover')}
        >
          {name}
        </button>
      )}
    </section>
  )
}

interface ColumnProps extends Omit<BoardProps, 'columns' | 'isPhone'> {
  readonly column: Column
  readonly onFold?: () => void
}

function BoardColumn({ column, plan, repo, selected, onFold }: ColumnProps) {
  const { id, title, tasks } = column
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT + GAP,
    overscan: 4,
    getItemKey: (at) => tasks[at]?.id ?? at,
  })
  const at = tasks.findIndex((task) => task.id === selected)
  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])
  return (
    <section
      aria-labelledby={`column-${id}`}
      style={{ minWidth: COLUMN_WIDTH }}
      className="flex min-h-0 w-[82vw] shrink-0 snap-start flex-col rounded-md bg-sub sm:w-auto sm:max-w-96 sm:flex-1"
    >
      <Heading column={column}>
        {onFold !== undefined && (
          <button
            type="button"
            onClick={onFold}
            aria-label={`Fold ${title}`}
            title={`Fold ${title}`}
            className="ml-auto inline-flex size-6 items-center justify-center rounded-sm text-muted opacity-0 transition-opacity group-hover:opacity-100 hover:bg-hover hover:text-text focus-visible:opacity-100"
          >
            <ChevronLeft size={14} aria-hidden="true" />
          </button>
        )}
      </Heading>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        <ul style={{ height: virtual.getTotalSize() }} className="relative">
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const task = tasks[index]
            if (task === undefined) return null
            return (
              <li
                key={key}
                aria-setsize={tasks.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
                className="absolute inset-x-0 top-0"
              >
                <TaskCard task={task} plan={plan} repo={repo} isSelected={task.id === selected} />
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

export const CARD_HEIGHT = 92

/** A task on the board. Unchanged tasks keep their identity between answers, so that only changed cards are drawn again. */
export const TaskCard = memo(function TaskCard(item: TaskItemProps) {
  const { task, isSelected } = item
  return (
    <TaskItem
      {...item}
      className={cx(
        'flex h-[92px] flex-col gap-1 rounded-md border bg-bg px-2.5 py-2 outline-offset-[-1px] transition-colors hover:border-line-strong hover:bg-hover',
        isSelected && 'border-accent outline outline-accent',
      )}
    >
      <span className="flex items-center gap-1.5 text-xs whitespace-nowrap text-muted">
        <StageMark status={task.status} stage={task.stage} isIconOnly />
        <span className="max-w-1/2 shrink-0 truncate font-mono" title={visibleText(task.id)}>
          {visibleText(task.id)}
        </span>
        {task.tier === 'critical' && <span className="min-w-0 truncate text-warn">critical</span>}
        {task.attempt > 1 && <span title={`Attempt ${task.attempt}`}>×{task.attempt}</span>}
        <Age at={task.since} className={cx('ml-auto shrink-0', isStuck(task) && 'text-warn')} />
      </span>
      <span
        dir="auto"
        title={visibleText(task.title)}
        className="line-clamp-2 h-9 shrink-0 text-sm leading-[18px] wrap-anywhere"
      >
        {visibleText(task.title)}
      </span>
      <StatusLine task={task} />
    </TaskItem>
  )
})
