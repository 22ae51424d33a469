import { memo } from 'react'
import { cx } from '../../../ui/cx.ts'
import { StageMark } from '../../../ui/marks.tsx'
import { visibleText } from '../../../ui/visible-text.ts'
import { Age } from '../tasks/age.tsx'
import { isStuck } from '../tasks/columns.ts'
import { StatusLine } from '../tasks/status-line.tsx'
import { TaskItem, type TaskItemProps } from '../tasks/task-item.tsx'

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
