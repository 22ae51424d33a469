/** Which project, how far, whether it is live, Pause, and the palette. */
import { useParams, useSearch } from '@tanstack/react-router'
import { Pause, Play, Search as SearchIcon } from 'lucide-react'
import type { PlanRow } from '../../../src/protocol/answers.ts'
import { useChange, useSnapshot } from '../api/queries.ts'
import { useCanAct } from '../live/live.ts'
import { Button, Kbd } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { counted } from '../../../src/lib/text/counted.ts'
import { notifyDone, notifyFailed } from '../ui/toast.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { LiveMark } from './offline-bar.tsx'
import { openPalette } from './commands/palette-state.ts'
import { folderName, progressOf } from './progress.ts'

export function Header() {
  const plan = useShownPlan()
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-3 border-b bg-bg px-4 lg:px-6">
      <div className="flex min-w-0 flex-1 items-center gap-2 text-sm whitespace-nowrap">
        {plan === null ? (
          <Summary />
        ) : (
          <>
            <span className="truncate font-medium" title={visibleText(plan.repo)}>
              {visibleText(folderName(plan.repo))}
            </span>
            {plan.branch !== null && (
              <span className="flex min-w-0 max-sm:hidden">
                <CopyText text={plan.branch} label={`the branch ${visibleText(plan.branch)}`} />
              </span>
            )}
            <Progress plan={plan} />
          </>
        )}
        <LiveMark />
      </div>
      {plan !== null && <PauseButton plan={plan} />}
      <Button kind="quiet" onClick={openPalette} className="max-sm:size-11 max-sm:px-0">
        <SearchIcon size={16} aria-hidden="true" className="shrink-0" />
        <span className="sr-only">Search and commands</span>
        <Kbd>Ctrl K</Kbd>
      </Button>
    </header>
  )
}

/** The plan of this page; the only one where the page is of none. Several are summed up. */
function useShownPlan(): PlanRow | null {
  const { data } = useSnapshot()
  const params: { readonly plan?: string } = useParams({ strict: false })
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const plans = data?.plans ?? []
  if (params.plan === undefined) return plans.length === 1 ? (plans[0] ?? null) : null
  const named = plans.filter(({ id }) => id === params.plan)
  return named.find(({ repo }) => repo === search['repo']) ?? named[0] ?? null
}

function Summary() {
  const { data } = useSnapshot()
  if (data === undefined || data.plans.length === 0)
    return <span className="font-medium lg:sr-only">Bosun</span>
  const open = data.plans.filter(({ state }) => state !== 'done').length
  return (
    <span className="truncate text-muted">
      {open === 0 ? 'Every plan is done' : `${counted(open, 'plan')} open`} ·{' '}
      {counted(data.workers.length, 'worker')}
    </span>
  )
}

function Progress({ plan }: { readonly plan: PlanRow }) {
  const { done, total } = progressOf(plan)
  return (
    <span className="flex items-center gap-2 text-muted">
      <span>
        {done}/{total}
      </span>
      <span aria-hidden="true" className="h-1 w-16 overflow-hidden rounded-full bg-line max-sm:hidden">
        <span
          className="block h-full rounded-full bg-ok"
          style={{ width: total === 0 ? '0' : `${(100 * done) / total}%` }}
        />
      </span>
    </span>
  )
}

function PauseButton({ plan }: { readonly plan: PlanRow }) {
  const isPaused = plan.state === 'paused'
  const verb = isPaused ? 'resume' : 'pause'
  const change = useChange(`POST /api/plans/{id}/${verb}`)
  const canAct = useCanAct()
  if (plan.state === 'done' || plan.state === 'damaged') return null
  const act = (): void =>
    change.mutate(
      { params: { id: plan.id }, body: { repo: plan.repo } },
      {
        onSuccess: () =>
          notifyDone(isPaused ? `${plan.id} goes on` : `${plan.id} is paused; running workers finish`),
        onError: (error) => notifyFailed(`Could not ${verb} ${plan.id}`, error),
      },
    )
  return (
    <Button onClick={act} isBusy={change.isPending} disabled={!canAct}>
      {isPaused ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  )
}
