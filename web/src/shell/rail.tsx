/** The rail at the left, from 1024 px. */
import { Link } from '@tanstack/react-router'
import {
  Circle,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  Ellipsis,
  OctagonAlert,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import type { PlanRow } from '../../../src/protocol/answers.ts'
import { useSnapshot } from '../api/queries.ts'
import { Count, TONE, type Tone } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'
import { isStalled } from '../ui/signs.ts'
import { visibleText } from '../ui/visible-text.ts'
import { MORE, NEEDS_YOU, START, WORKERS, type Destination } from './navigation.ts'
import { countNeeds } from './needs-you.ts'
import { listedPlans, progressOf } from './progress.ts'

const ITEM =
  'flex h-8 items-center gap-2 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text'
const ACTIVE = { className: 'bg-hover font-medium text-text' }

export function Rail() {
  const { data } = useSnapshot()
  const stalled = data?.workers.filter(({ health }) => isStalled(health)).length ?? 0
  return (
    <nav
      aria-label="Pages"
      className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r bg-sub px-2 py-3 lg:row-span-2 lg:flex"
    >
      <Link to="/" className="flex h-8 items-center gap-2 rounded-md px-2 text-base font-semibold">
        <Logo />
        Bosun
      </Link>
      <ul className="flex flex-col gap-px">
        <PageLink to={NEEDS_YOU} count={countNeeds(data)} tone="warn" />
        <PageLink to={START} />
      </ul>
      {(data?.plans.length ?? 0) > 0 && (
        <div className="flex flex-col gap-px">
          <h2 className="px-2 pb-1 text-xs font-medium text-muted">Plans</h2>
          <PlanItems plans={data?.plans ?? []} />
        </div>
      )}
      <ul className="flex flex-col gap-px">
        <PageLink
          to={WORKERS}
          count={data === undefined ? null : stalled > 0 ? stalled : data.workers.length}
          tone={stalled > 0 ? 'bad' : 'muted'}
          note={stalled > 0 ? `${stalled} stalled` : undefined}
        />
        {MORE.map((one) => (
          <PageLink key={one.to} to={one} />
        ))}
      </ul>
    </nav>
  )
}

interface Look {
  /** Of an item: in the rail, or in the sheet of a phone. */
  readonly look?: string
  readonly onGo?: (() => void) | undefined
}

/** The plans that are looked at, and those that ended long ago on demand. */
export function PlanItems({ plans, look = ITEM, onGo }: Look & { readonly plans: readonly PlanRow[] }) {
  const [isAll, setAll] = useState(false)
  const { listed, hidden } = listedPlans(plans, isAll)
  return (
    <ul className="flex flex-col gap-px">
      {listed.map((plan) => (
        <PlanItem key={`${plan.repo}\n${plan.id}`} plan={plan} look={look} onGo={onGo} />
      ))}
      {hidden > 0 && (
        <li>
          <button type="button" onClick={() => setAll(true)} className={cx(look, 'w-full')}>
            <Ellipsis size={14} aria-hidden="true" className="mx-px shrink-0" />
            {hidden} more that ended
          </button>
        </li>
      )}
    </ul>
  )
}

/** To a page, with a count or a note. */
export function PageLink({
  to: { to, label, icon: Icon },
  count,
  tone = 'muted',
  note,
  look = ITEM,
  onGo,
}: Look & {
  readonly to: Destination
  readonly count?: number | null
  readonly tone?: Tone
  readonly note?: string | undefined
}) {
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        activeProps={ACTIVE}
        className={look}
        onClick={onGo}
      >
        <Icon size={16} aria-hidden="true" className="shrink-0" />
        <span className="flex-1 truncate">{label}</span>
        {note !== undefined && <span className={cx('text-xs', TONE[tone])}>{note}</span>}
        {note === undefined && count !== undefined && count !== 0 && <Count value={count} tone={tone} />}
      </Link>
    </li>
  )
}

const PLAN_SIGN: Readonly<
  Record<PlanRow['state'], { readonly icon: LucideIcon; readonly tone: Tone; readonly label: string }>
> = {
  running: { icon: CircleDashed, tone: 'run', label: 'Running' },
  waiting: { icon: Circle, tone: 'muted', label: 'Waiting' },
  deadlocked: { icon: OctagonAlert, tone: 'bad', label: 'Stuck' },
  paused: { icon: CirclePause, tone: 'warn', label: 'Paused' },
  done: { icon: CircleCheck, tone: 'ok', label: 'Done' },
  damaged: { icon: OctagonAlert, tone: 'bad', label: 'Damaged' },
}

const UNFINISHED = { icon: CircleSlash, tone: 'muted', label: 'Ended, not all done' } as const

function PlanItem({
  plan,
  look,
  onGo,
}: {
  readonly plan: PlanRow
  readonly look: string
  readonly onGo: (() => void) | undefined
}) {
  const { done, total } = progressOf(plan)
  // Cancelled, or ended with tasks left out.
  const isUnfinished = plan.state === 'done' && done < total
  const { icon: Icon, tone, label } = isUnfinished ? UNFINISHED : PLAN_SIGN[plan.state]
  return (
    <li>
      <Link
        to="/p/$plan"
        params={{ plan: plan.id }}
        search={{ repo: plan.repo }}
        activeOptions={{ includeSearch: true }}
        activeProps={ACTIVE}
        className={look}
        onClick={onGo}
      >
        <Icon size={14} aria-label={label} className={cx('mx-px shrink-0', TONE[tone])} />
        <span className="flex-1 truncate" title={visibleText(`${plan.id} in ${plan.repo}`)}>
          {visibleText(plan.title ?? plan.id)}
        </span>
        <span className="shrink-0 text-xs text-muted">
          {done}/{total}
        </span>
      </Link>
    </li>
  )
}

function Logo() {
  return (
    <svg width="18" height="18" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path
        d="M16 6.500v19M10.500 11h11M7.500 18.500c.6 4.200 4.200 7 8.500 7s7.900-2.800 8.500-7"
        className="stroke-on-accent"
        fill="none"
        strokeWidth="2.600"
        strokeLinecap="round"
      />
    </svg>
  )
}
