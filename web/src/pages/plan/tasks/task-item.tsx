/** A task as a link to its page: the card of the board and the row of the list are both one. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PlanTask } from './plan-task.ts'
import { searchFor } from './use-task-keys.ts'

export interface TaskItemProps {
  readonly task: PlanTask
  readonly plan: string
  readonly repo: string | undefined
  readonly isSelected: boolean
}

export function TaskItem({
  task,
  plan,
  repo,
  isSelected,
  className,
  children,
}: TaskItemProps & { readonly className: string; readonly children: ReactNode }) {
  return (
    <Link
      to="/p/$plan/t/$task"
      params={{ plan, task: task.id }}
      search={searchFor(repo)}
      aria-current={isSelected || undefined}
      className={className}
    >
      {children}
    </Link>
  )
}
