import { formatMoment } from '../../../ui/format.ts'
import { useNow } from '../../../ui/time.tsx'

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const

/** In its largest unit: `4h`, where room is short. */
export function shortDuration(ms: number): string {
  const [size, name] = UNITS.find(([size]) => ms >= size) ?? UNITS[3]
  return `${Math.max(0, Math.floor(ms / size))}${name}`
}

/** How long ago, in its largest unit; the whole of it on hover. */
export function Age({ at, className }: { readonly at: string; readonly className?: string }) {
  const now = useNow()
  const moment = Date.parse(at)
  return (
    <time dateTime={at} title={`since ${formatMoment(moment)}`} className={className}>
      {shortDuration(now - moment)}
    </time>
  )
}
