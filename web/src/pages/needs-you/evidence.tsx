/** All that an item rests on: criteria, gates with their runs, the review, what the worker says. */
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import type { ReviewAnswer } from '../../../../src/protocol/task-answer.ts'
import { useInboxItem, useTaskDiff } from '../../api/queries.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Loaded, ErrorState } from '../../ui/states.tsx'
import { CriteriaLines, Gates } from '../task/proof.tsx'
import { useEffect } from 'react'
import { markDiffOpened } from '../../api/person.ts'
import { SectionBoundary } from '../../shell/page-states.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { DIFF_OF, DiffOrNothing, loadDiffView } from '../task/task-diff.tsx'

export function Evidence({ item }: { readonly item: InboxEntry }) {
  const asked = useInboxItem(item.id, item.repo === '' ? undefined : item.repo)
  return (
    <Loaded of={asked} what="the evidence" skeleton={<Skeleton rows={4} className="h-6" />}>
      {(data) => <Parts data={data} />}
    </Loaded>
  )
}

function Parts({ data }: { readonly data: ReviewAnswer }) {
  const isEmpty =
    data.gates.length === 0 && data.task === null && data.risks.length === 0 && data.overrides.length === 0
  if (isEmpty) return <p className="text-sm text-muted">There is no further evidence.</p>
  const { review = null, claim = null, criteria = [] } = data.task ?? {}
  return (
    <div className="flex flex-col gap-4 border-t pt-4">
      {data.gates.length > 0 && (
        <Block title="Gates">
          <Gates gates={data.gates} />
        </Block>
      )}
      {criteria.length > 0 && (
        <Block title="Acceptance criteria">
          <CriteriaLines criteria={criteria} />
        </Block>
      )}
      {review !== null && <Review review={review} />}
      {claim !== null && (
        <Block title="What the worker says (not checked)">
          <PlainText text={claim.explanation} as="block" className="text-muted" />
        </Block>
      )}
      {data.risks.length > 0 && (
        <Block title="Open risks">
          <ul className="flex flex-col gap-1">
            {data.risks.map((risk) => (
              <li key={risk.id}>
                <PlainText
                  text={`${risk.id} (${risk.severity}): ${risk.description}`}
                  className="text-muted"
                />
              </li>
            ))}
          </ul>
        </Block>
      )}
      {data.diff !== null && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          The whole diff: <CopyText text={data.diff.command} />
        </p>
      )}
    </div>
  )
}

function Block({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="text-xs font-medium text-muted">{title}</h3>
      {children}
    </section>
  )
}

function Review({ review }: { readonly review: NonNullable<NonNullable<ReviewAnswer['task']>['review']> }) {
  return (
    <Block title={`Review by ${review.by}`}>
      <PlainText text={review.summary} as="block" />
      <ul className="flex flex-col gap-1">
        {review.issues.map((issue, at) => (
          <li key={at}>
            <PlainText
              text={`${issue.severity}: ${issue.description} (${issue.location})`}
              className="text-muted"
            />
          </li>
        ))}
      </ul>
    </Block>
  )
}

/** What an approval lets through, before it is given: the criteria that nothing confirmed, and the diff. */
const repoOf = ({ repo }: InboxEntry): string | undefined => (repo === '' ? undefined : repo)

interface Shown {
  readonly item: InboxEntry
  /** It can be decided on what is shown. */
  readonly onShown: (isShown: boolean) => void
}

/** `isDiffBeside`: the page shows the diff itself. */
export function WhatLands({ isDiffBeside, ...shown }: Shown & { readonly isDiffBeside: boolean }) {
  return isDiffBeside ? <UnconfirmedCriteria {...shown} /> : <CriteriaAndDiff {...shown} />
}

function CriteriaAndDiff({ item, onShown }: Shown) {
  const { plan, task, repo } = item
  const diff = useTaskDiff(plan, task ?? '', repoOf(item))
  const asked = useInboxItem(item.id, repoOf(item))
  const isShown = diff.data !== undefined && asked.data !== undefined
  useEffect(() => onShown(isShown), [isShown, onShown])
  useEffect(loadDiffView, [])
  return (
    <>
      <UnconfirmedCriteria item={item} onShown={nothing} />
      <section aria-label="Diff" className="flex flex-col overflow-hidden rounded-md border bg-bg">
        <h3 className="border-b px-3 py-2 text-xs font-medium text-muted">
          {diff.data === undefined ? 'Diff' : DIFF_OF[diff.data.of]}
        </h3>
        {/* As high while it is loaded, so that nothing below it moves. */}
        <div className="flex h-[50dvh] flex-col">
          <Loaded of={diff} what="the diff" skeleton={<Skeleton className="m-3 h-full" />} className="m-3">
            {(data) => (
              <SectionBoundary what="the diff">
                <DiffOrNothing
                  diff={data}
                  id={`lands:${plan}:${task ?? ''}`}
                  item={item.id}
                  onOpened={() => markDiffOpened(repo, plan, item.id)}
                  className="min-h-0 flex-1"
                />
              </SectionBoundary>
            )}
          </Loaded>
        </div>
      </section>
    </>
  )
}

const nothing = (): void => undefined

function UnconfirmedCriteria({ item, onShown }: Shown) {
  const { data, error, isLoadingError, refetch } = useInboxItem(item.id, repoOf(item))
  const isShown = data !== undefined
  useEffect(() => onShown(isShown), [isShown, onShown])
  if (isLoadingError) return <ErrorState what="the criteria" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={2} className="h-6" />
  const criteria = data.task?.criteria ?? []
  const open = criteria.filter(({ word }) => word !== 'PASS')
  if (criteria.length === 0) return null
  if (open.length === 0)
    return (
      <p className="text-sm text-muted">{counted(criteria.length, 'criterion', 'criteria')} confirmed.</p>
    )
  return (
    <section aria-label="Criteria that nothing confirmed" className="flex flex-col gap-1.5">
      <h3 className="text-sm font-medium">
        {open.length} of {counted(criteria.length, 'criterion', 'criteria')}{' '}
        {open.length === 1 ? 'is' : 'are'} confirmed by nothing but your approval:
      </h3>
      <CriteriaLines criteria={open} />
    </section>
  )
}
