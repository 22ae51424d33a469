/** Home: what needs the person, the longest-blocking item opened. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Hourglass, OctagonAlert } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { SnapshotAnswer } from '../../../../src/protocol/machine-answer.ts'
import { useSnapshot } from '../../api/queries.ts'
import { useKeys } from '../../shell/commands/keys.ts'
import { keyOfItem, nameOfNeed, needsOf, type Need } from '../../shell/needs-you.ts'
import { NotifyToggle } from '../../shell/notices/notices.tsx'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { counted } from '../../../../src/lib/text/counted.ts'
import { ShowMore, useSteps } from '../../ui/show-more.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Loaded } from '../../ui/states.tsx'
import { AnsweredElsewhere, useElsewhere } from './use-elsewhere.tsx'
import { AtWork, Nothing } from './at-work.tsx'
import { ItemCard } from './item-card.tsx'
import { GoneRow, InterviewRow, ItemRow } from './item-row.tsx'
import { useStillOrder } from './use-still-order.ts'

export function NeedsYouPage() {
  const snapshot = useSnapshot()
  const { data } = snapshot
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
      <Loaded
        of={snapshot}
        what="what needs you"
        skeleton={
          <div className="flex flex-col gap-4">
            <Skeleton className="h-72" />
            <Skeleton rows={3} className="h-11" />
          </div>
        }
      >
        {(shown) => <Needs snapshot={shown} />}
      </Loaded>
    </Page>
  )
}

/** Rows are drawn by as many; more of them are asked for, or reached by keys. */
const ROWS = 50

function Needs({ snapshot }: { readonly snapshot: SnapshotAnswer }) {
  const needs = needsOf(snapshot)
  const { item = '', plan, repo }: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const opening = useOpened(needs, keyOfItem(needs, { item, plan, repo }))
  const { elsewhere, on, wasOwn, dismiss, watch } = useElsewhere(needs, opening.open)
  const { opened, followsAnswer, open } = opening.shown(wasOwn)
  useEffect(() => watch(opened), [opened, watch])
  const { rows, later, sort, setPointer } = useStillOrder(needs, opened, wasOwn)
  useMoves(
    rows.flatMap(({ need, isGone }) => (isGone ? [] : [need])),
    opened,
    open,
  )
  const hasPlans = new Set(snapshot.inbox.map(({ plan, repo }) => `${repo}\n${plan}`)).size > 1
  const steps = useSteps(rows.length, ROWS, 2 + rows.findIndex(({ need }) => need.key === opened))
  return (
    <div
      className={cx(
        'grid items-start gap-6',
        snapshot.plans.length > 0 && 'xl:grid-cols-[minmax(0,1fr)_300px]',
      )}
    >
      <div className="flex min-w-0 flex-col gap-4">
        {elsewhere.map((one) => (
          <AnsweredElsewhere key={one.key} answered={one} onDismiss={() => dismiss(one.key)} />
        ))}
        {needs.length === 0 ? (
          <Nothing snapshot={snapshot} />
        ) : (
          <>
            <MoreUrgent count={later} onSort={sort} />
            <ol
              aria-label="What needs you"
              onPointerEnter={() => setPointer(true)}
              onPointerLeave={() => setPointer(false)}
              className="divide-y rounded-md border"
            >
              {rows.slice(0, steps.shown).map(({ need, isGone }) => (
                <li key={need.key} data-need={isGone ? undefined : need.key}>
                  {isGone ? (
                    <GoneRow name={nameOfNeed(need)} />
                  ) : need.kind === 'interview' ? (
                    <InterviewRow interview={need.interview} />
                  ) : need.key === opened ? (
                    <ItemCard
                      item={need.item}
                      itemKey={need.key}
                      onClose={() => open(null)}
                      on={on}
                      followsAnswer={followsAnswer}
                    />
                  ) : (
                    <ItemRow item={need.item} itemKey={need.key} hasPlan={hasPlans} onOpen={open} />
                  )}
                </li>
              ))}
            </ol>
            <ShowMore steps={steps} total={rows.length} what="items, the longest-blocking first" />
          </>
        )}
        {/* Below the list, so that one that comes does not move it. */}
        <Notices snapshot={snapshot} />
      </div>
      {snapshot.plans.length > 0 && (
        <aside aria-label="At work">
          <AtWork workers={snapshot.workers} />
        </aside>
      )}
    </div>
  )
}

/** It takes no room of its own, so that nothing moves when it comes. */
function MoreUrgent({ count, onSort }: { readonly count: number; readonly onSort: () => void }) {
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-14 z-10 -mb-4 flex h-0 items-center justify-center"
    >
      {count > 0 && (
        <Button size="sm" className="pointer-events-auto mb-9 shadow-float" onClick={onSort}>
          {counted(count, 'more urgent item')}
        </Button>
      )}
    </div>
  )
}

interface Opened {
  readonly opened: string | null
  /** It opened by itself in the place of one that this person answered. */
  readonly followsAnswer: boolean
  readonly open: (key: string | null) => void
}

/**
 * The one that the address asks for, else the first, is open until the person opens another or closes it. One that this person
 * answered makes room for the first again; in the place of one that went by itself nothing opens, since a click may be on its way.
 */
function useOpened(needs: readonly Need[], asked: string | null) {
  const [chosen, choose] = useState<string | null | undefined>(undefined)
  /** What stands open by itself stays open while it is there, whatever comes before it. */
  const steady = useRef<{ readonly key: string | null; readonly followsAnswer: boolean } | null>(null)
  // The link of a notice opens its item also where another one is open.
  useEffect(() => {
    if (asked === null) return
    choose(asked)
    bringIntoView(asked)
  }, [asked])
  const open = useOpenAnother(asked !== null, choose)
  useEffect(() => {
    if (needs.length > 0) return
    choose(undefined)
    steady.current = null
  }, [needs.length])
  const shown = (wasOwn: (key: string) => boolean): Opened => {
    const closed = { opened: null, followsAnswer: false, open }
    if (chosen === null) return closed
    const isThere = (key: string | null): boolean => needs.some((need) => need.key === key)
    if (chosen !== undefined && isThere(chosen)) return { opened: chosen, followsAnswer: false, open }
    if (steady.current === null || !isThere(steady.current.key)) {
      const last = chosen ?? steady.current?.key ?? null
      if (last !== null && !wasOwn(last)) return closed
      const first = asked ?? needs.find(({ kind }) => kind === 'item')?.key ?? null
      steady.current = { key: first, followsAnswer: last !== null }
    }
    const { key: opened, followsAnswer } = steady.current
    return { opened, followsAnswer, open }
  }
  return { open, shown }
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

/** What is wrong with the daemon or held back, as the daemon says it. */
function Notices({
  snapshot: { pulse, held_back: held, unreadable },
}: {
  readonly snapshot: SnapshotAnswer
}) {
  const bad = [pulse.damage, ...unreadable.map(({ plan, why }) => `Plan ${plan} cannot be read: ${why}`)]
  const slow = [pulse.overloaded, held?.text ?? null]
  return [...bad, ...slow].map((text, place) => {
    if (text === null) return null
    const [Icon, tone] = place < bad.length ? [OctagonAlert, 'text-bad'] : [Hourglass, 'text-warn']
    return (
      <div key={place} className="flex items-start gap-2 rounded-md border bg-sub px-3 py-2">
        <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${tone}`} />
        <PlainText text={text} />
      </div>
    )
  })
}
