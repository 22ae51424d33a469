/** Says that what is shown is older than it should be. It stands in the room above the heading: nothing moves for it. */
import { useUnrefreshed, type Unrefreshed } from '../live/use-unrefreshed.ts'
import { formatClock } from '../ui/format.ts'
import { useNow } from '../ui/time.tsx'

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
