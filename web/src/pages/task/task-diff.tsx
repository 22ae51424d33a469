/** What a task changes, with an explicit state for each way in which there is nothing to show. */
import { lazy, Suspense, useEffect, useRef } from 'react'
import type { DiffAnswer } from '../../../../src/protocol/task-answer.ts'
import type { useTaskDiff } from '../../api/queries.ts'
import { importPart } from '../../live/import-part.ts'
import { SectionBoundary } from '../../shell/page-states.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'

const importDiffView = () => importPart(() => import('../diff/diff-view.tsx'))
const DiffView = lazy(async () => ({ default: (await importDiffView()).DiffView }))

/** Ahead of time. What fails here fails again, and shows, when it is needed. */
export function loadDiffView(): void {
  importDiffView().catch(() => undefined)
}

export type DiffQuery = ReturnType<typeof useTaskDiff>

export const DIFF_OF: Readonly<Record<DiffAnswer['of'], string>> = {
  landed: 'What landed',
  proposed: 'What would land',
  so_far: 'Written so far; it is not proven',
  nothing: 'Diff',
}

export function TaskDiff({
  diff,
  id,
  item,
  onOpened,
}: {
  readonly diff: DiffQuery
  readonly id: string
  /** The open item about it: each is reported once. */
  readonly item: string | null
  readonly onOpened: () => void
}) {
  return (
    <section
      aria-label="Diff"
      className="flex min-w-0 flex-col rounded-md border lg:sticky lg:top-16 lg:h-[calc(100dvh-80px)]"
    >
      <h2 className="flex min-h-9 items-center border-b bg-sub px-3 text-sm font-semibold">
        {diff.data === undefined ? 'Diff' : DIFF_OF[diff.data.of]}
      </h2>
      <Loaded
        of={diff}
        what="the diff"
        skeleton={
          <div className="p-3">
            <Skeleton className="h-[50vh]" />
          </div>
        }
        className="m-3"
      >
        {(data) => (
          <SectionBoundary what="the diff">
            <DiffOrNothing diff={data} id={id} item={item} onOpened={onOpened} />
          </SectionBoundary>
        )}
      </Loaded>
    </section>
  )
}

export function DiffOrNothing({
  diff,
  id,
  item = null,
  onOpened,
  className = 'h-[80dvh] min-h-0 lg:h-auto lg:flex-1',
}: {
  readonly diff: DiffAnswer
  readonly id: string
  readonly item?: string | null
  readonly onOpened?: () => void
  /** Of its box. */
  readonly className?: string
}) {
  if (diff.of === 'nothing' || (diff.patch.trim() === '' && diff.files.length === 0)) {
    return (
      <EmptyState title="No changes yet">
        {diff.of === 'nothing'
          ? 'Nothing has been written for it. The diff appears with the first change.'
          : 'It changed no files.'}
      </EmptyState>
    )
  }
  return (
    <Seen item={item} onSeen={onOpened} className={className}>
      <Suspense
        fallback={
          <div className="p-3">
            <Skeleton className="h-[50vh]" />
          </div>
        }
      >
        <DiffView diff={diff} id={id} />
      </Suspense>
    </Seen>
  )
}

/** Reports once for each item that it was within the window: a diff below the fold has not been looked at. */
function Seen({
  item,
  onSeen,
  className,
  children,
}: {
  readonly item: string | null
  readonly onSeen: (() => void) | undefined
  readonly className: string
  readonly children: React.ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = box
    if (current === null || onSeen === undefined) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        onSeen()
      },
      { threshold: 0.2 },
    )
    observer.observe(current)
    return () => observer.disconnect()
    // Only the first report for an item counts.
  }, [item])
  return (
    <div ref={box} className={className}>
      {children}
    </div>
  )
}
