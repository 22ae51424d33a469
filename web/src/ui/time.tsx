import { useSyncExternalStore } from 'react'
import { formatDuration } from '../../../src/lib/text/format-time.ts'
import { formatAge, formatMoment } from './format.ts'

const TICK_MS = 1000
let now = Date.now()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The present, once a second, from one clock for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(watchClock, () => now)
}

function watchClock(changed: () => void): () => void {
  if (watchers.size === 0) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const watcher of watchers) watcher()
    }, TICK_MS)
  }
  watchers.add(changed)
  return () => {
    watchers.delete(changed)
    if (watchers.size === 0) clearInterval(timer)
  }
}

/** A moment: how long ago, with the whole of it on hover. `as="since"` shows the span alone. Drawn again only when its text changes. */
export function Time({
  at,
  as = 'age',
  className,
}: {
  readonly at: string | number
  readonly as?: 'age' | 'since'
  readonly className?: string
}) {
  const moment = typeof at === 'number' ? at : Date.parse(at)
  const text = useSyncExternalStore(watchClock, () =>
    as === 'age' ? formatAge(moment, now) : formatDuration(now - moment),
  )
  if (Number.isNaN(moment)) return null
  return (
    <time dateTime={new Date(moment).toISOString()} title={formatMoment(moment)} className={className}>
      {text}
    </time>
  )
}
