/** Is it getting done, is it right, what does it cost: over time, each chart with its table. */
import { lazy, Suspense, useMemo, useState } from 'react'
import type { HistoryAnswer } from '../../../../src/protocol/machine-answer.ts'
import { useMetricsHistory, useSnapshot } from '../../api/queries.ts'
import { importPart } from '../../live/import-part.ts'
import { StartLink } from '../../shell/links.tsx'
import { Page } from '../../shell/page.tsx'
import { useRepo, useSearchValue } from '../../shell/use-search.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { Filter } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { figuresOf, isEmpty, pointName, type Figure } from './figures.ts'

const Chart = lazy(async () => ({ default: (await importPart(() => import('./chart.tsx'))).Chart }))

const DAYS = ['1', '7', '30', '90'] as const
type Days = (typeof DAYS)[number]
const isDays = (text: string): text is Days => (DAYS as readonly string[]).includes(text)

export function MetricsPage() {
  const [daysText, setDays] = useSearchValue('days', '7')
  const [plan, setPlan] = useSearchValue('plan')
  const repo = useRepo()
  const days = isDays(daysText) ? daysText : '7'
  const snapshot = useSnapshot()
  const history = useMetricsHistory({
    days: Number(days),
    ...(repo === undefined ? {} : { repo }),
    ...(plan === '' ? {} : { plan }),
  })
  const plans = [
    ...new Set([...(snapshot.data?.plans.map(({ id }) => id) ?? []), ...(plan === '' ? [] : [plan])]),
  ]
  return (
    <Page
      title="Metrics"
      actions={
        <>
          <Filter
            label="Plan"
            all="All plans"
            options={plans.map((id) => ({ value: id, name: id }))}
            value={plan}
            onChange={setPlan}
          />
          <Segments<Days>
            label="Over how long"
            value={days}
            onChange={setDays}
            items={[
              { key: '1', label: '24h' },
              { key: '7', label: '7 days' },
              { key: '30', label: '30 days' },
              { key: '90', label: '90 days' },
            ]}
          />
        </>
      }
    >
      <Loaded of={history} what="the metrics" skeleton={<Skeleton rows={4} className="h-40" />}>
        {(data) => <History history={data} isHourly={Number(days) <= 2} />}
      </Loaded>
    </Page>
  )
}

function History({ history, isHourly }: { readonly history: HistoryAnswer; readonly isHourly: boolean }) {
  const figures = figuresOf(history)
  if (isEmpty(history)) {
    return (
      <EmptyState title="Numbers appear after the first finished task" action={<StartLink />}>
        Nothing was completed, failed or waiting in this period. Choose a longer one, or another plan.
      </EmptyState>
    )
  }
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        {figures.map((figure) => (
          <FigureCard key={figure.key} figure={figure} history={history} isHourly={isHourly} />
        ))}
      </div>
      <p className="flex flex-wrap items-center text-xs text-muted">
        For Prometheus: <CopyText text={`${location.origin}/metrics`} />
      </p>
    </>
  )
}

function FigureCard({
  figure,
  history,
  isHourly,
}: {
  readonly figure: Figure
  readonly history: HistoryAnswer
  readonly isHourly: boolean
}) {
  const times = useMemo(() => history.points.map(({ from }) => Date.parse(from) / 1000), [history])
  const values = useMemo(() => history.points.map((point) => figure.value(point)), [history, figure])
  const total = figure.value(history.total)
  const [place, setPlace] = useState<number | null>(null)
  const pointed = place === null ? undefined : history.points[place]
  const shown = pointed === undefined ? total : figure.value(pointed)
  const hasPoints = values.some((value) => value !== null && value !== 0)
  return (
    <section className="flex min-w-0 flex-col gap-1 rounded-md border px-4 pt-3 pb-2">
      <div className="flex items-baseline gap-2">
        <h2 className="text-sm font-semibold">{figure.name}</h2>
        <span className="ml-auto text-xs text-muted">
          {pointed !== undefined && pointName(pointed.from, isHourly)}
        </span>
        <span className="text-lg font-semibold">{shown === null ? 'none' : figure.text(shown)}</span>
      </div>
      <p className="text-xs text-muted">{figure.rule}</p>
      {hasPoints ? (
        <>
          <Suspense fallback={<Skeleton className="h-[120px]" />}>
            <Chart figure={figure} times={times} values={values} onPoint={setPlace} />
          </Suspense>
          <Table figure={figure} history={history} isHourly={isHourly} />
        </>
      ) : (
        <p className="py-4 text-muted">No data in this period.</p>
      )}
    </section>
  )
}

/** The same figures as a table, for those who cannot see the chart and for copying. */
function Table({
  figure,
  history,
  isHourly,
}: {
  readonly figure: Figure
  readonly history: HistoryAnswer
  readonly isHourly: boolean
}) {
  return (
    <details>
      <summary className="py-1 text-xs text-muted hover:text-text">As a table</summary>
      <div
        className="mt-2 max-h-48 overflow-y-auto"
        tabIndex={0}
        role="region"
        aria-label={`${figure.name} as a table`}
      >
        <table className="w-full text-left text-xs">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="py-1 font-medium">
                {isHourly ? 'Hour' : 'Day'}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {figure.name}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y">
            {history.points.toReversed().map((point) => {
              const value = figure.value(point)
              return (
                <tr key={point.from}>
                  <td className="py-1">{pointName(point.from, isHourly)}</td>
                  <td className="py-1 text-right tabular-nums">
                    {value === null ? 'none' : figure.text(value)}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </details>
  )
}
