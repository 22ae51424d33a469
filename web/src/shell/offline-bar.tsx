/** Says on every page that what is shown is not live, since when, and that the page retries. */
import { CloudOff, History } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useSnapshot } from '../api/queries.ts'
import { retryNow, useLive } from '../live/live.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { formatClock } from '../ui/format.ts'
import { Time, useNow } from '../ui/time.tsx'
import { isManagerOffline } from './daemon-state.ts'
import { useUnrefreshed, type Unrefreshed } from '../live/use-unrefreshed.ts'
import { TONE, type Tone } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'

/** After that it may need a person to start it again. */
const PATIENCE_MS = 20_000

export function OfflineBar() {
  const { state, since } = useLive()
  const { data } = useSnapshot()
  const now = useNow()
  const restartedAt = useRestart(data?.daemon.started_at)
  const isUpdated = useUpdate(data?.daemon.build)
  if (state === 'offline')
    return (
      <Bar
        icon={<CloudOff size={14} aria-hidden="true" />}
        action={
          <Button size="sm" onClick={retryNow}>
            Retry now
          </Button>
        }
      >
        Not live since {formatClock(since, now)} · showing last known · retrying
        {now - since > PATIENCE_MS && (
          <span className="text-muted">
            {' '}
            · to start it again: <CopyText text="bosun resume" label="the command" />
          </span>
        )}
      </Bar>
    )
  if (data !== undefined && isManagerOffline(data.pulse, data.daemon, now))
    return (
      <Bar icon={<CloudOff size={14} aria-hidden="true" />}>
        PM offline: no loop completed <Time at={data.pulse.last_loop ?? data.daemon.started_at} />. Run bosun
        doctor.
      </Bar>
    )
  if (isUpdated)
    return (
      <Bar
        icon={<History size={14} aria-hidden="true" />}
        action={
          <Button size="sm" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        Bosun was updated. Reload to use its new page; what you typed is kept.
      </Bar>
    )
  if (restartedAt !== null)
    return (
      <Bar icon={<History size={14} aria-hidden="true" />}>
        PM restarted <Time at={restartedAt} />. Workers went on; nothing was lost.
      </Bar>
    )
  return null
}

/** Whether the daemon is of another build than the one that this page came from. */
function useUpdate(build: string | undefined): boolean {
  const [first, setFirst] = useState(build)
  if (first === undefined && build !== undefined) setFirst(build)
  return first !== undefined && build !== undefined && build !== first
}

const SHOWN_MS = 60_000

/** When another daemon than the first one seen was started, for a minute. */
function useRestart(startedAt: string | undefined): string | null {
  const seen = useRef<string | null>(null)
  const [restarted, setRestarted] = useState<string | null>(null)
  useEffect(() => {
    if (startedAt === undefined) return
    if (seen.current !== null && seen.current !== startedAt) setRestarted(startedAt)
    seen.current = startedAt
  }, [startedAt])
  useEffect(() => {
    if (restarted === null) return
    const timer = setTimeout(() => setRestarted(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [restarted])
  return restarted
}

function Bar({
  icon,
  action,
  children,
}: {
  readonly icon: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div role="status" className="flex min-h-9 items-center gap-2 border-b bg-sub px-4 py-1 text-sm lg:px-6">
      <span className="text-warn">{icon}</span>
      <span className="min-w-0 flex-1">{children}</span>
      {action}
    </div>
  )
}

/** Whether what is shown is true now. */
export function LiveMark() {
  const { state } = useLive()
  const { data } = useSnapshot()
  const now = useNow()
  const old = useUnrefreshed()
  const [tone, word]: readonly [Tone, string] =
    state === 'live'
      ? data !== undefined && isManagerOffline(data.pulse, data.daemon, now)
        ? ['bad', 'PM offline']
        : old === null
          ? ['ok', 'live']
          : ['warn', 'not refreshed']
      : state === 'connecting'
        ? ['muted', 'connecting']
        : ['warn', 'not live']
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-xs text-muted">
      <span aria-hidden="true" className={cx('size-1.5 rounded-full bg-current', TONE[tone])} />
      {word}
    </span>
  )
}

/** Says that what is shown is older than it should be. It stands in the room above the heading: nothing moves for it. */
export function RefreshLine() {
  const found = useUnrefreshed()
  return (
    <div role="status" className="absolute top-0 left-4 z-10 lg:left-6">
      {found !== null && <Line {...found} />}
    </div>
  )
}

function Line({ asOf, isRetrying, retry }: Unrefreshed) {
  const now = useNow()
  return (
    <p className="flex h-6 items-center gap-1 text-xs whitespace-nowrap text-warn">
      Could not refresh; shown as of {formatClock(asOf, now)}
      <button
        type="button"
        aria-disabled={isRetrying || undefined}
        onClick={() => !isRetrying && retry()}
        className="h-6 rounded-sm px-1 text-accent underline underline-offset-2 aria-disabled:text-muted aria-disabled:no-underline"
      >
        {isRetrying ? 'Retrying' : 'Retry'}
      </button>
    </p>
  )
}
