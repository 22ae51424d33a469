/** What an approval lets through, before it is given: the criteria that nothing confirmed, and the diff. */
import { useEffect } from 'react'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { markDiffOpened } from '../../api/person.ts'
import { useInboxItem, useTaskDiff } from '../../api/queries.ts'
import { SectionBoundary } from '../../shell/page-states.tsx'
import { GateMark } from '../../ui/marks.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { DIFF_OF, DiffOrNothing, loadDiffView } from '../task/task-diff.tsx'

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
          {diff.isPending && <Skeleton className="m-3 h-full" />}
          {diff.isLoadingError && (
            <ErrorState
              className="m-3"
              what="the diff"
              error={diff.error}
              onRetry={() => void diff.refetch()}
            />
          )}
          {diff.data !== undefined && (
            <SectionBoundary what="the diff">
              <DiffOrNothing
                diff={diff.data}
                id={`lands:${plan}:${task ?? ''}`}
                item={item.id}
                onOpened={() => markDiffOpened(repo, plan, item.id)}
                className="min-h-0 flex-1"
              />
            </SectionBoundary>
          )}
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
      <ul className="flex flex-col gap-1">
        {open.map((one, at) => (
          <li key={at} className="flex gap-2">
            <GateMark outcome={one.word === 'FAIL' ? 'failed' : 'inconclusive'} isIconOnly />
            <span className="min-w-0">
              <PlainText text={one.criterion} /> <PlainText text={one.why} className="text-muted" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
