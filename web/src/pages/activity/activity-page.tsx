/** What happened: outcomes first, the machinery on demand. New rows wait behind a pill, so that nothing moves while it is read. */
import { ArrowRight, Check, CircleHelp, Download, Dot, OctagonAlert, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ActivityLine } from '../../../../src/protocol/answers.ts'
import { useActivity, useSnapshot } from '../../api/queries.ts'
import { onEvents } from '../../live/live.ts'
import { useKeys } from '../../shell/commands/keys.ts'
import { moveFocus } from '../../shell/commands/move-focus.ts'
import { PlanLink, StartLink, TaskLink, WorkerLink } from '../../shell/links.tsx'
import { Page } from '../../shell/page.tsx'
import { useSearchValue } from '../../shell/use-search.ts'
import { TONE, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Filter } from '../../ui/field.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { activityRows, byDay, isShown, type ActivityRow, type Shown } from './activity-rows.ts'
import { ACTIVITY_KINDS, kindOf, type ActivityKind } from './activity-kinds.ts'

const LINES = 200
/** Pages that are read on their own until there is something to show. */
const MOST_PAGES = 10
const ENOUGH_ROWS = 30

const KIND_NAMES: Readonly<Record<ActivityKind, string>> = {
  completion: 'Completions',
  failure: 'Failures',
  decision: 'Decisions',
  intervention: 'Interventions',
  checkin: 'Check-ins',
  machinery: 'Machinery',
}

const KINDS = ACTIVITY_KINDS.map((value) => ({ value, name: KIND_NAMES[value] }))

const isKind = (text: string): text is ActivityKind => (ACTIVITY_KINDS as readonly string[]).includes(text)

export function ActivityPage() {
  const [shownText, setShown] = useSearchValue('show', 'outcomes')
  const [plan, setPlan] = useSearchValue('plan')
  const [worker, setWorker] = useSearchValue('worker')
  const shown: Shown = shownText === 'all' || isKind(shownText) ? shownText : 'outcomes'
  const snapshot = useSnapshot()
  const query = { limit: LINES, plan: plan || undefined, worker: worker || undefined }
  const activity = useActivity(query)
  // Pages come newest first, the lines of a page oldest first.
  const lines = useMemo(
    () => (activity.data?.pages ?? []).toReversed().flatMap((page) => page.activity),
    [activity.data],
  )
  const rows = useMemo(() => activityRows(lines, shown), [lines, shown])
  const pages = activity.data?.pages.length ?? 0
  const { hasNextPage, isFetching, fetchNextPage } = activity
  useEffect(() => {
    if (rows.length < ENOUGH_ROWS && pages < MOST_PAGES && hasNextPage && !isFetching) void fetchNextPage()
  }, [rows.length, pages, hasNextPage, isFetching, fetchNextPage])
  const [news, clearNews] = useNews({ shown, plan, worker })
  const list = useRef<HTMLDivElement>(null)
  const move = (step: 1 | -1): void => {
    moveFocus([...(list.current?.querySelectorAll('li') ?? [])].flatMap(linkIn), step)
  }
  useKeys('Activity', [
    { keys: 'j', label: 'Next line; Enter opens what it is about', run: () => move(1) },
    { keys: 'k', label: 'Previous line', run: () => move(-1) },
  ])
  const unreadable = activity.data?.pages.reduce((most, page) => Math.max(most, page.unreadable), 0) ?? 0
  const plans = planNames(snapshot.data?.plans.map(({ id }) => id) ?? [], plan).map((id) => ({
    value: id,
    name: id,
  }))
  return (
    <Page
      title="Activity"
      actions={
        <Button onClick={() => saveLines(lines)} disabled={lines.length === 0}>
          <Download size={14} aria-hidden="true" /> Export JSONL
        </Button>
      }
    >
      <div className="-mt-2 flex flex-wrap items-center gap-2">
        <div className="max-sm:w-full">
          <Segments
            label="What is shown"
            value={isKind(shown) ? 'kind' : shown}
            onChange={(next) => next !== 'kind' && setShown(next)}
            items={[
              { key: 'outcomes', label: 'Outcomes' },
              { key: 'all', label: 'Everything' },
              ...(isKind(shown) ? [{ key: 'kind' as const, label: KIND_NAMES[shown] }] : []),
            ]}
          />
        </div>
        <Filter
          label="Kind"
          all="All kinds"
          options={KINDS}
          value={isKind(shown) ? shown : ''}
          onChange={(kind) => setShown(kind === '' ? 'outcomes' : kind)}
        />
        <Filter label="Plan" all="All plans" options={plans} value={plan} onChange={setPlan} />
        {worker !== '' && (
          <Button size="sm" onClick={() => setWorker('')}>
            Worker {worker} ×
          </Button>
        )}
      </div>
      {/* It takes no room of its own, so that nothing moves when it comes. */}
      <div className="pointer-events-none sticky top-14 z-10 -mb-5 flex h-0 justify-center">
        {news > 0 && (
          <Button
            className="pointer-events-auto -mt-4 shadow-float"
            onClick={() => {
              clearNews()
              scrollTo({ top: 0 })
              void activity.refetch()
            }}
          >
            {news} new
          </Button>
        )}
      </div>
      {activity.isPending && <Skeleton rows={10} className="h-8" />}
      {activity.isLoadingError && (
        <ErrorState what="the activity" error={activity.error} onRetry={() => void activity.refetch()} />
      )}
      {activity.data !== undefined && rows.length === 0 && !isFetching && (
        <Nothing shown={shown} hasLines={lines.length > 0} />
      )}
      {unreadable > 0 && (
        <p className="text-xs text-warn">{counted(unreadable, 'line')} of the log could not be read.</p>
      )}
      <div ref={list} className="contents">
        {byDay(rows, new Date()).map(({ day, rows: ofDay }) => (
          <section key={day} className="flex flex-col gap-2">
            <h2 className="text-xs font-semibold text-muted">{day}</h2>
            <ol className="divide-y rounded-md border">
              {ofDay.map((row) => (
                <Entry key={row.key} row={row} />
              ))}
            </ol>
          </section>
        ))}
      </div>
      {hasNextPage && rows.length > 0 && (
        <Button className="self-center" isBusy={isFetching} onClick={() => void fetchNextPage()}>
          Load earlier
        </Button>
      )}
    </Page>
  )
}

/** The way to the task or the plan that a line is about; a line about neither has none. */
const linkIn = (line: HTMLElement): readonly HTMLElement[] =>
  [...line.querySelectorAll<HTMLElement>('a[href^="/p/"]')]
    .filter((link) => link.offsetParent !== null)
    .slice(0, 1)

const planNames = (ids: readonly string[], chosen: string): readonly string[] =>
  [...new Set([...ids, ...(chosen === '' ? [] : [chosen])])].toSorted()

/** How many lines that would be shown happened since the list was read. */
function useNews(filter: {
  readonly shown: Shown
  readonly plan: string
  readonly worker: string
}): readonly [number, () => void] {
  const [news, setNews] = useState(0)
  const { shown, plan, worker } = filter
  useEffect(() => {
    setNews(0)
    return onEvents((events) => {
      const fresh = events
        .flatMap(({ activity }) => activity)
        .filter(
          (line) =>
            isShown(kindOf(line.event), shown) &&
            (plan === '' || line.plan_id === plan) &&
            (worker === '' || line.worker_id === worker),
        )
      if (fresh.length > 0) setNews((before) => before + fresh.length)
    })
  }, [shown, plan, worker])
  return [news, () => setNews(0)]
}

function Nothing({ shown, hasLines }: { readonly shown: Shown; readonly hasLines: boolean }) {
  if (!hasLines)
    return (
      <EmptyState title="Nothing has happened yet" action={<StartLink />}>
        It begins with the first plan.
      </EmptyState>
    )
  return (
    <EmptyState title="Nothing of this kind">
      {shown === 'outcomes'
        ? 'Steps on the way are under Everything.'
        : 'Choose another kind or another plan.'}
    </EmptyState>
  )
}

const ICON: Readonly<Record<Tone, typeof Check>> = {
  ok: Check,
  run: ArrowRight,
  accent: ArrowRight,
  warn: TriangleAlert,
  bad: OctagonAlert,
  unknown: CircleHelp,
  muted: Dot,
}

/** What happened, what it is about and when, each in its column; a quote is a line under it. */
function Entry({ row }: { readonly row: ActivityRow }) {
  const Icon = ICON[row.tone]
  return (
    <li className="grid grid-cols-[14px_minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-1.5 hover:bg-sub sm:grid-cols-[14px_minmax(0,3fr)_minmax(0,2fr)_5rem]">
      <Icon size={14} className={`mt-[3px] ${TONE[row.tone]}`} aria-hidden="true" />
      <div className="min-w-0">
        <p className="line-clamp-3" title={visibleText(row.text)}>
          <Sentence row={row} />
          {row.worker !== null && !row.text.includes(row.worker) && (
            <WorkerLink worker={row.worker} className="-my-0.5 ml-2 align-middle max-sm:hidden" />
          )}
        </p>
        {row.quote !== null && (
          <p className="line-clamp-2 text-xs text-muted" title={visibleText(row.quote)}>
            <PlainText text={row.quote} />
          </p>
        )}
        <p className="mt-1 flex min-w-0 items-center gap-x-1.5 text-xs text-muted sm:hidden">
          <About row={row} />
        </p>
      </div>
      <span className="-my-0.5 flex min-w-0 items-center gap-x-1.5 text-xs leading-6 text-muted max-sm:hidden">
        <About row={row} />
      </span>
      <Time at={row.at} className="text-right text-xs leading-5 whitespace-nowrap text-muted" />
    </li>
  )
}

const COMMIT = /\b[0-9a-f]{10,40}\b/

/** Its worker is a link in it, and a commit copies itself. */
function Sentence({ row: { text, worker } }: { readonly row: ActivityRow }) {
  const at = worker === null ? -1 : text.indexOf(worker)
  const sha = COMMIT.exec(text)
  if (worker !== null && at >= 0)
    return (
      <>
        <PlainText text={text.slice(0, at)} />
        <WorkerLink worker={worker} className="-my-0.5 align-middle" />
        <PlainText text={text.slice(at + worker.length)} />
      </>
    )
  if (sha === null) return <PlainText text={text} />
  return (
    <>
      <PlainText text={text.slice(0, sha.index)} />
      <CopyText text={sha[0]} label="the commit" className="-my-0.5 align-middle" />
      <PlainText text={text.slice(sha.index + sha[0].length)} />
    </>
  )
}

/** The task by its title, then its plan. */
function About({ row: { plan, task, taskTitle } }: { readonly row: ActivityRow }) {
  if (plan === null) return null
  return (
    <>
      {task !== null && (
        <TaskLink
          plan={plan}
          task={task}
          {...(taskTitle === null ? {} : { className: 'min-w-0 truncate leading-6 text-text' })}
        >
          {taskTitle === null ? undefined : (
            <span title={visibleText(`Task ${task}: ${taskTitle}`)}>{visibleText(taskTitle)}</span>
          )}
        </TaskLink>
      )}
      <PlanLink plan={plan} className="ml-auto max-w-1/2 shrink-0 truncate leading-6" />
    </>
  )
}

/** Of what was read, one line each, as the log has it. */
function saveLines(lines: readonly ActivityLine[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const address = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'bosun-activity.jsonl'
  link.click()
  URL.revokeObjectURL(address)
}
