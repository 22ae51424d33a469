/** The same tasks as the graph, as a list: for the keyboard, for screen readers, and to find one. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { cx } from '../../../ui/cx.ts'
import { StageMark } from '../../../ui/marks.tsx'
import { visibleText } from '../../../ui/visible-text.ts'
import { columnsOf, type PlanTask } from '../tasks/columns.ts'

const ROW_HEIGHT = 32

export function GraphList({
  tasks,
  shown,
  selected,
  onSelect,
}: {
  readonly tasks: readonly PlanTask[]
  readonly shown: ReadonlySet<string>
  readonly selected: string | null
  readonly onSelect: (id: string) => void
}) {
  const rows = useMemo(
    () => columnsOf(tasks.filter(({ id }) => shown.has(id))).flatMap((column) => column.tasks),
    [tasks, shown],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    getItemKey: (at) => rows[at]?.id ?? at,
  })
  const at = rows.findIndex(({ id }) => id === selected)
  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])
  return (
    <nav
      aria-label="Tasks of the graph"
      className="flex w-64 shrink-0 flex-col rounded-md border max-lg:hidden"
    >
      <h2 className="flex h-9 shrink-0 items-center gap-2 border-b px-3 text-xs font-medium">
        Tasks <span className="text-muted">{rows.length}</span>
      </h2>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
        <ul style={{ height: virtual.getTotalSize() }} className="relative">
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const task = rows[index]
            if (task === undefined) return null
            return (
              <li
                key={key}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT }}
                className="absolute inset-x-0 top-0"
              >
                <button
                  type="button"
                  aria-pressed={task.id === selected}
                  onClick={() => onSelect(task.id)}
                  className={cx(
                    'flex h-full w-full items-center gap-2 px-3 text-left text-xs outline-offset-[-2px] hover:bg-sub',
                    task.id === selected && 'bg-selected',
                  )}
                >
                  <span className="flex text-muted">
                    <StageMark status={task.status} stage={task.stage} isIconOnly />
                  </span>
                  <span className="min-w-[2ch] shrink-0 font-mono text-muted">{visibleText(task.id)}</span>
                  <span className="truncate">{visibleText(task.title)}</span>
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </nav>
  )
}
