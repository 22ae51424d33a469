/** Links to plans, tasks and workers, the same everywhere. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { visibleText } from '../ui/visible-text.ts'
import { useSnapshot } from '../api/queries.ts'
import { EmptyState } from '../ui/states.tsx'
import { folderName } from './progress.ts'

interface Linked {
  readonly repo?: string | null | undefined
  readonly className?: string
  /** Its id where it is absent. */
  readonly children?: ReactNode
}

const LINK = 'rounded-sm hover:underline underline-offset-2'
/** Its target is 24 px wide and high, however short the id. */
const ID =
  'inline-flex min-h-6 min-w-6 items-center justify-center font-mono text-mono text-muted hover:text-text'

const searchFor = (repo: Linked['repo']): { repo?: string } =>
  typeof repo === 'string' && repo !== '' ? { repo } : {}

export function PlanLink({ plan, repo, className, children }: Linked & { readonly plan: string }) {
  return (
    <Link to="/p/$plan" params={{ plan }} search={searchFor(repo)} className={cx(LINK, className)}>
      {children ?? visibleText(plan)}
    </Link>
  )
}

export function TaskLink({
  plan,
  task,
  repo,
  className,
  children,
}: Linked & { readonly plan: string; readonly task: string }) {
  return (
    <Link
      to="/p/$plan/t/$task"
      params={{ plan, task }}
      search={searchFor(repo)}
      className={cx(LINK, children === undefined && ID, className)}
    >
      {children ?? visibleText(task)}
    </Link>
  )
}

export function WorkerLink({ worker, repo, className, children }: Linked & { readonly worker: string }) {
  return (
    <Link
      to="/workers/$id"
      params={{ id: worker }}
      search={searchFor(repo)}
      className={cx(LINK, children === undefined && ID, className)}
    >
      {children ?? visibleText(worker)}
    </Link>
  )
}

/** The action of a page that is empty until a plan is started. */
export const StartLink = () => (
  <Link to="/start" className={buttonClass('primary')}>
    Start something
  </Link>
)

/** The rail lists the rest. */
const MOST_PLANS = 5

export function MissingPlan({ plan }: { readonly plan: string }) {
  const { data } = useSnapshot()
  const plans = data?.plans ?? []
  return (
    <EmptyState
      title={`There is no plan “${visibleText(plan)}”`}
      action={
        plans.length === 0 ? (
          <StartLink />
        ) : (
          plans.slice(0, MOST_PLANS).map(({ id, repo }) => (
            <Link
              key={`${repo}\n${id}`}
              to="/p/$plan"
              params={{ plan: id }}
              search={repo === '' ? {} : { repo }}
              className={buttonClass('default')}
            >
              {visibleText(id)}
              <span className="ml-1 font-normal text-muted">{visibleText(folderName(repo))}</span>
            </Link>
          ))
        )
      }
    >
      {plans.length === 0
        ? 'No plan has been started yet.'
        : 'The address may be mistyped. These are the plans that Bosun knows:'}
    </EmptyState>
  )
}
