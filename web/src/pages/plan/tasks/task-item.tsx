/** A task as a link to its page: the card of the board and the row of the list are both one. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PlanTask } from './columns.ts'
import { searchFor } from './use-task-keys.ts'
import { visibleText } from '../../../ui/visible-text.ts'
import { HealthMark } from '../../../ui/marks.tsx'
import { isHealthy, isStalled } from '../../../ui/signs.ts'

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

/** What is going on with a task, in one line: what it waits for, or what its worker does. */
const SHOWN = 3

/** What a person is asked for, by stage. */
const ASKED: Readonly<Record<string, string>> = {
  escalated: 'needs your decision',
  awaiting_person: 'needs your approval',
}

/** The most that a person would want to know first. */
export function statusWords(task: PlanTask): string {
  if (task.status === 'completed')
    return task.commit_sha === null ? 'done' : `commit ${task.commit_sha.slice(0, 7)}`
  if (task.note !== null) return task.note
  if (task.blocked_by.length > 0) {
    const more = task.blocked_by.length - SHOWN
    return `after ${task.blocked_by.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  }
  if (task.item !== null) return ASKED[task.stage] ?? 'needs your answer'
  if (task.worker !== null) return task.worker.reason
  if (task.status === 'ready') return 'waits for an agent'
  return ''
}

/** The health of its worker is a sign of its own, beside the stage. */
export function StatusLine({ task }: { readonly task: PlanTask }) {
  const { worker } = task
  const words = statusWords(task)
  const isWorse = worker !== null && !isHealthy(worker.health)
  const reason = worker !== null && isStalled(worker.health) ? worker.reason : words
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
      {worker !== null && <HealthMark health={worker.health} isIconOnly={!isWorse} />}
      {reason !== '' && (
        <span className="truncate" title={visibleText(reason)}>
          {visibleText(reason)}
        </span>
      )}
    </span>
  )
}
