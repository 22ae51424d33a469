/** In the place of a plan, a task or a worker that does not exist: that it does not, and the way to those that do. */
import { Link } from '@tanstack/react-router'
import { useSnapshot } from '../api/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { StartLink } from './links.tsx'
import { folderName } from './progress.ts'

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

/** Where the plan itself is unknown, it says that. */
export function MissingTask({
  plan,
  task,
  repo,
}: {
  readonly plan: string
  readonly task: string
  readonly repo: string | undefined
}) {
  const { data } = useSnapshot()
  if (data !== undefined && data.plans.every(({ id }) => id !== plan)) return <MissingPlan plan={plan} />
  return (
    <EmptyState
      title={`Plan “${visibleText(plan)}” has no task “${visibleText(task)}”`}
      action={
        <Link
          to="/p/$plan"
          params={{ plan }}
          search={{ ...(repo === undefined ? {} : { repo }), view: 'list' }}
          className={buttonClass('primary')}
        >
          All tasks of the plan
        </Link>
      }
    >
      The address may be mistyped, or a change of the plan has removed the task.
    </EmptyState>
  )
}

export function MissingWorker({ worker }: { readonly worker: string }) {
  return (
    <EmptyState
      title={`There is no worker “${visibleText(worker)}”`}
      action={
        <Link to="/workers" className={buttonClass('primary')}>
          All workers
        </Link>
      }
    >
      The address may be mistyped. A worker that has ended is found under its task.
    </EmptyState>
  )
}
