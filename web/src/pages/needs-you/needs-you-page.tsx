/** Home: what needs the person, the longest-blocking item opened. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Hourglass, OctagonAlert } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { SnapshotAnswer } from '../../../../src/protocol/snapshot.ts'
import { useSnapshot } from '../../api/queries.ts'
import { useKeys } from '../../shell/commands/keys.ts'
import { keyOfItem, needsOf, type Need } from '../../shell/needs-you.ts'
import { NotifyToggle } from '../../shell/notices/notify-toggle.tsx'
import { Page } from '../../shell/page.tsx'
import { cx } from '../../ui/cx.ts'
import { ShowMore } from '../../ui/long-lists/show-more.tsx'
import { useSteps } from '../../ui/long-lists/use-steps.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { AnsweredElsewhere } from './answered-elsewhere.tsx'
import { AtWork } from './at-work.tsx'
import { ItemCard } from './item-card.tsx'
import { InterviewRow, ItemRow } from './item-row.tsx'
import { Nothing } from './nothing.tsx'
import { useElsewhere } from './use-elsewhere.ts'

export function NeedsYouPage() {
  const { data, error, refetch } = useSnapshot()
  const count = data === undefined ? null : needsOf(data).length
  return (
    <Page
      title="Needs you"
      heading={
        <>Needs you {count !== 0 && <span className="ml-1 font-normal text-muted">{count ?? '?'}</span>}</>
      }
      width="wide"
      actions={<NotifyToggle className="max-sm:hidden" />}
    >
      {data === undefined && error !== null && (
        <ErrorState what="what needs you" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && (
        <div className="flex flex-col gap-4">
          <Skeleton className="h-72" />
          <Skeleton rows={3} className="h-11" />
        </div>
      )}
      {data !== undefined && <Needs snapshot={data} />}
    </Page>
  )
}

/** Rows are drawn by as many; more of them are asked for, or reached by keys. */
const ROWS = 50

function Needs({ snapshot }: { readonly snapshot: SnapshotAnswer }) {
  const needs = needsOf(snapshot)
  const { item = '', plan, repo }: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const [opened, open] = useOpened(needs, keyOfItem(needs, { item, plan, repo }))
  const { elsewhere, on, dismiss, watch } = useElsewhere(needs, open)
  useEffect(() => watch(opened), [opened, watch])
  useMoves(needs, opened, open)
  const hasPlans = new Set(snapshot.inbox.map(({ plan, repo }) => `${repo}\n${plan}`)).size > 1
  const steps = useSteps(needs.length, ROWS, 2 + needs.findIndex(({ key }) => key === opened))
  return (
    <div
      className={cx(
        'grid items-start gap-6',
        snapshot.plans.length > 0 && 'xl:grid-cols-[minmax(0,1fr)_300px]',
      )}
    >
      <div className="flex min-w-0 flex-col gap-4">
        <Notices snapshot={snapshot} />
        {elsewhere.map((one) => (
          <AnsweredElsewhere key={one.key} answered={one} onDismiss={() => dismiss(one.key)} />
        ))}
        {needs.length === 0 ? (
          <Nothing snapshot={snapshot} />
        ) : (
          <>
            <ol aria-label="What needs you" className="divide-y rounded-md border">
              {needs.slice(0, steps.shown).map((need) => (
                <li key={need.key} data-need={need.key}>
                  {need.kind === 'interview' ? (
                    <InterviewRow interview={need.interview} />
                  ) : need.key === opened ? (
                    <ItemCard item={need.item} itemKey={need.key} onClose={() => open(null)} on={on} />
                  ) : (
                    <ItemRow item={need.item} itemKey={need.key} hasPlan={hasPlans} onOpen={open} />
                  )}
                </li>
              ))}
            </ol>
            <ShowMore steps={steps} total={needs.length} what="items, the longest-blocking first" />
          </>
        )}
      </div>
      {snapshot.plans.length > 0 && (
        <aside aria-label="At work">
          <AtWork workers={snapshot.workers} />
        </aside>
      )}
    </div>
  )
}

/**
 * The one that the address asks for, else the first, is open until the person opens another or closes it; one that is gone
 * makes room for the first again.
 */
function useOpened(
  needs: readonly Need[],
  asked: string | null,
): readonly [string | null, (key: string | null) => void] {
  const [chosen, choose] = useState<string | null | undefined>(undefined)
  const isThere = needs.some(({ key }) => key === chosen)
  const steady = useRef<string | null>(null)
  // The link of a notice opens its item also where another one is open.
  useEffect(() => {
    if (asked === null) return
    choose(asked)
    bringIntoView(asked)
  }, [asked])
  const open = useOpenAnother(asked !== null, choose)
  if (chosen === null) return [null, open]
  if (isThere && typeof chosen === 'string') return [chosen, open]
  // What stands open by itself stays open while it is there, whatever comes before it.
  const first = asked ?? needs.find(({ kind }) => kind === 'item')?.key ?? null
  if (steady.current === null || !needs.some(({ key }) => key === steady.current)) steady.current = first
  return [steady.current, open]
}

/** The address names an item only until the person opens or closes one, so that its link opens it once more. */
function useOpenAnother(
  isAsked: boolean,
  choose: (key: string | null) => void,
): (key: string | null) => void {
  const navigate = useNavigate()
  const latest = useRef(isAsked)
  useEffect(() => {
    latest.current = isAsked
  }, [isAsked])
  return useCallback(
    (key) => {
      choose(key)
      if (latest.current) void navigate({ to: '/', search: {}, replace: true, resetScroll: false })
    },
    [choose, navigate],
  )
}

/** Once it is drawn. */
const bringIntoView = (key: string): void =>
  void requestAnimationFrame(() => {
    rowOf(key)?.scrollIntoView({ block: 'nearest' })
  })

/** j and k move, Enter opens, Escape closes. Nothing of it decides. An interview does not open here: its link gets the focus. */
function useMoves(needs: readonly Need[], opened: string | null, open: (key: string | null) => void): void {
  const go = (step: number): void => {
    const interview = focusedInterview(needs)
    const at = interview === -1 ? needs.findIndex(({ key }) => key === opened) : interview
    const next = needs[Math.max(0, Math.min(needs.length - 1, at + step))]
    if (next === undefined) return
    if (next.kind === 'interview') return linkOf(next.key)?.focus()
    if (interview !== -1) linkOf(needs[interview]?.key ?? '')?.blur()
    open(next.key)
    bringIntoView(next.key)
  }
  useKeys('Needs you', [
    { keys: 'j', label: 'Next item', run: () => go(1) },
    { keys: 'k', label: 'Previous item', run: () => go(-1) },
    { keys: 'Escape', label: 'Close the item', run: () => open(null) },
  ])
}

const rowOf = (key: string): Element | null => document.querySelector(`[data-need="${CSS.escape(key)}"]`)
const linkOf = (key: string): HTMLElement | null => rowOf(key)?.querySelector('a') ?? null

/** Its place in the list; -1 where none has the focus. */
const focusedInterview = (needs: readonly Need[]): number =>
  needs.findIndex(
    ({ kind, key }) => kind === 'interview' && rowOf(key)?.contains(document.activeElement) === true,
  )

function Notices({ snapshot }: { readonly snapshot: SnapshotAnswer }) {
  return (
    <>
      {snapshot.pulse.damage !== null && (
        <Notice
          icon={<OctagonAlert size={16} aria-hidden="true" className="text-bad" />}
          text={snapshot.pulse.damage}
        />
      )}
      {snapshot.pulse.overloaded !== null && (
        <Notice
          icon={<Hourglass size={16} aria-hidden="true" className="text-warn" />}
          text={snapshot.pulse.overloaded}
        />
      )}
      {snapshot.held_back !== null && (
        <Notice
          icon={<Hourglass size={16} aria-hidden="true" className="text-warn" />}
          text={snapshot.held_back.text}
        />
      )}
      {snapshot.unreadable.map(({ plan, why }) => (
        <Notice
          key={plan}
          icon={<OctagonAlert size={16} aria-hidden="true" className="text-bad" />}
          text={`Plan ${plan} cannot be read: ${why}`}
        />
      ))}
    </>
  )
}

function Notice({ icon, text }: { readonly icon: React.ReactNode; readonly text: string }) {
  return (
    <div className="flex items-start gap-2 rounded-md border bg-sub px-3 py-2">
      <span className="mt-0.5 shrink-0">{icon}</span>
      <PlainText text={text} />
    </div>
  )
}
