/** A plan as board, list, graph and timeline of one data set. */
import { useSearchValue } from '../../shell/use-search.ts'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useMemo } from 'react'
import { isMissing } from '../../api/client.ts'
import { usePlanGraph, usePlanTimeline, useSnapshot } from '../../api/queries.ts'
import { importPart } from '../../live/import-part.ts'
import { MissingPlan } from '../../shell/links.tsx'
import { SectionBoundary } from '../../shell/page-states.tsx'
import { Page } from '../../shell/page.tsx'
import { usePhone } from '../../shell/use-phone.ts'
import { Button } from '../../ui/button.tsx'
import { HeadingSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, ErrorState, Loaded } from '../../ui/states.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { isProposal } from '../needs-you/options.ts'
import { Board } from './board/board.tsx'
import { PlanControls, ReleaseLink } from './header/plan-controls.tsx'
import { PlanHead } from './header/plan-head.tsx'
import { ProposedPlan } from './header/proposed-plan.tsx'
import { PlanToolbar } from './header/plan-toolbar.tsx'
import { TaskList } from './list/task-list.tsx'
import { columnsOf, type PlanTask } from './tasks/columns.ts'
import { filterTasks, isFiltered, planSearch, type PlanSearch, type View } from './tasks/plan-search.ts'
import { useTaskKeys } from './tasks/use-task-keys.ts'
import type { Range } from './timeline/timeline-window.ts'

const PlanGraph = lazy(async () => ({
  default: (await importPart(() => import('./graph/plan-graph.tsx'))).PlanGraph,
}))
const Timeline = lazy(async () => ({
  default: (await importPart(() => import('./timeline/timeline.tsx'))).Timeline,
}))

const NONE: readonly PlanTask[] = []

export function PlanPage() {
  const { plan = '' }: { readonly plan?: string } = useParams({ strict: false })
  const address: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const search = useMemo(() => planSearch(address), [address])
  const { data: snapshot } = useSnapshot()
  const named = snapshot?.plans.filter(({ id }) => id === plan) ?? []
  const row = named.find(({ repo }) => repo === address['repo']) ?? named[0] ?? null
  const repo = address['repo'] ?? row?.repo
  const graph = usePlanGraph(plan, repo)
  const tasks = graph.data?.tasks ?? NONE
  const title = graph.data?.title ?? plan
  const proposal = snapshot?.inbox.find(
    (item) => isProposal(item) && item.plan === plan && item.repo === row?.repo,
  )
  const view = search.view ?? 'board'
  const isUnknown = graph.isLoadingError && isMissing(graph.error)
  return (
    <div className="flex flex-col lg:-mb-8 lg:h-[calc(100dvh-48px)] lg:min-h-[600px] lg:[&>div]:min-h-0 lg:[&>div]:flex-1">
      <Page
        title={visibleText(title)}
        heading={
          graph.isPending ? <HeadingSkeleton name={visibleText(plan)} /> : <bdi>{visibleText(title)}</bdi>
        }
        width="full"
        actions={
          row !== null && (
            <>
              <ReleaseLink row={row} />
              <PlanControls plan={row} workers={tasks.filter(({ worker }) => worker !== null).length} />
            </>
          )
        }
      >
        {!isUnknown && (
          <>
            {proposal !== undefined && <ProposedPlan key={proposal.id} item={proposal} />}
            <PlanHead row={row} plan={plan} repo={repo} tasks={tasks} leftOut={graph.data?.left_out ?? 0} />
            {!graph.isLoadingError && <PlanToolbar view={view} tasks={tasks} />}
          </>
        )}
        {isUnknown ? (
          <MissingPlan plan={plan} />
        ) : graph.isLoadingError ? (
          <ErrorState what="the plan" error={graph.error} onRetry={() => void graph.refetch()} />
        ) : graph.data === undefined ? (
          <Skeleton rows={5} className="h-20" />
        ) : (
          <SectionBoundary key={view} what={`the ${view}`}>
            <div className="flex min-h-0 flex-col max-lg:h-[calc(100dvh-136px)] max-lg:min-h-96 lg:flex-1">
              <Views tasks={tasks} search={search} view={view} plan={plan} repo={repo} />
            </div>
          </SectionBoundary>
        )}
      </Page>
    </div>
  )
}

interface ViewsProps {
  readonly tasks: readonly PlanTask[]
  readonly search: PlanSearch
  readonly view: View
  readonly plan: string
  readonly repo: string | undefined
}

function Views({ tasks, search, view, plan, repo }: ViewsProps) {
  // Typing in the search box comes before drawing a thousand cards.
  const calm = useDeferredValue(search)
  const left = useMemo(() => filterTasks(tasks, calm), [tasks, calm])
  const columns = useMemo(() => columnsOf(left), [left])
  const shown = useMemo(() => new Set(left.map(({ id }) => id)), [left])
  const isListed = view === 'board' || view === 'list'
  const selected = useTaskKeys(isListed ? columns : NO_COLUMNS, { plan, repo })
  const isPhone = usePhone()
  if (tasks.length === 0)
    return (
      <EmptyState title="This plan has no tasks yet">
        They appear as soon as the plan is made from its spec.
      </EmptyState>
    )
  if (left.length === 0 && isFiltered(calm)) return <NothingLeft />
  switch (view) {
    case 'board':
      return <Board columns={columns} plan={plan} repo={repo} selected={selected} isPhone={isPhone} />
    case 'list':
      return <TaskList columns={columns} plan={plan} repo={repo} selected={selected} isPhone={isPhone} />
    case 'graph':
      return (
        <Suspense fallback={<Skeleton className="h-80" />}>
          <PlanGraph tasks={tasks} plan={plan} repo={repo} shown={shown} />
        </Suspense>
      )
    case 'timeline':
      return <TimelineView plan={plan} repo={repo} shown={shown} range={search.range ?? 'all'} />
  }
}

const NO_COLUMNS = columnsOf([])

function TimelineView({
  plan,
  repo,
  shown,
  range,
}: Pick<ViewsProps, 'plan' | 'repo'> & { readonly shown: ReadonlySet<string>; readonly range: Range }) {
  const [, setRange] = useSearchValue('range', 'all')
  return (
    <Loaded
      of={usePlanTimeline(plan, repo)}
      what="the timeline"
      skeleton={<Skeleton rows={8} className="h-8" />}
    >
      {(data) => (
        <Suspense fallback={<Skeleton rows={8} className="h-8" />}>
          <Timeline timeline={data} plan={plan} repo={repo} shown={shown} range={range} onRange={setRange} />
        </Suspense>
      )}
    </Loaded>
  )
}

function NothingLeft() {
  const navigate = useNavigate()
  const clear = (): void => {
    void navigate({
      to: '.',
      search: (before: Readonly<Record<string, string | undefined>>) => ({
        ...before,
        q: undefined,
        column: undefined,
        tier: undefined,
        stuck: undefined,
      }),
      replace: true,
    })
  }
  return (
    <EmptyState title="No task fits these filters" action={<Button onClick={clear}>Clear filters</Button>} />
  )
}
