/** Whether what is shown is true now. */
import { useSnapshot } from '../api/queries.ts'
import { useLive } from '../live/live.ts'
import { useUnrefreshed } from '../live/use-unrefreshed.ts'
import { TONE, type Tone } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'
import { useNow } from '../ui/time.tsx'
import { isManagerOffline } from './daemon-state.ts'

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
