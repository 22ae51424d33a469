/** How the tasks of a plan are spread over the stages, as one bar with its words. */
import { cx } from '../../../ui/cx.ts'
import { COLUMN_IDS, COLUMN_TITLES, columnOf, type ColumnId } from '../tasks/columns.ts'
import type { PlanTask } from '../tasks/plan-task.ts'

const ORDER: readonly ColumnId[] = ['done', 'review', 'gates', 'working', 'attention', 'ready', 'waiting']

const FILL: Readonly<Record<ColumnId, string>> = {
  done: 'bg-ok',
  review: 'bg-run',
  gates: 'bg-run opacity-75',
  working: 'bg-run opacity-50',
  attention: 'bg-warn',
  ready: 'bg-line-strong',
  waiting: 'bg-line',
}

export function StageStrip({
  tasks,
  leftOut,
}: {
  readonly tasks: readonly PlanTask[]
  /** Completed tasks that are not among them. */
  readonly leftOut: number
}) {
  if (tasks.length === 0) return null
  const counts = new Map(COLUMN_IDS.map((id) => [id, 0]))
  for (const task of tasks) {
    const id = columnOf(task)
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  counts.set('done', (counts.get('done') ?? 0) + leftOut)
  const total = tasks.length + leftOut
  const filled = ORDER.filter((id) => (counts.get(id) ?? 0) > 0)
  const words = filled.map((id) => `${counts.get(id)} ${COLUMN_TITLES[id].toLowerCase()}`).join(', ')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:w-full">
      <div
        role="img"
        aria-label={`${total} tasks: ${words}`}
        className="flex h-1.5 w-full gap-px sm:w-72 overflow-hidden rounded-full bg-line"
      >
        {filled.map((id) => (
          <span
            key={id}
            className={cx('h-full', FILL[id])}
            style={{ width: `${(100 * (counts.get(id) ?? 0)) / total}%` }}
          />
        ))}
      </div>
      <span>
        {counts.get('done')} of {total} done
      </span>
      {leftOut > 0 && <span>{leftOut} done first are not shown</span>}
      {(counts.get('attention') ?? 0) > 0 && (
        <span className="text-warn">
          {counts.get('attention') === 1 ? '1 needs attention' : `${counts.get('attention')} need attention`}
        </span>
      )}
    </div>
  )
}
