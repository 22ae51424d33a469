import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { formatCount } from './format.ts'
import { useState } from 'react'

/** The next step of a list, and how far it is drawn; nothing where all of it is. */
export function ShowMore({
  steps: { shown, more, showMore },
  total,
  what,
  which = 'more',
  className,
}: {
  readonly steps: Steps
  readonly total: number
  /** Names them, and their order where it matters. */
  readonly what: string
  readonly which?: 'more' | 'earlier'
  readonly className?: string
}) {
  if (more === 0) return null
  return (
    <p className={cx('flex flex-wrap items-center gap-x-3 gap-y-1 text-muted', className)}>
      <Button onClick={showMore}>
        Show {formatCount(more)} {which}
      </Button>
      <span>
        {formatCount(shown)} of {formatCount(total)} {what}
      </span>
    </p>
  )
}

/** Long lists are drawn in steps: a thousand rows at once make every change of the page slow. */
export interface Steps {
  /** How many rows are drawn. */
  readonly shown: number
  /** How many the next step adds; 0 where all are drawn. */
  readonly more: number
  readonly showMore: () => void
}

/** `least` rows are drawn in any case, such as up to the one that is selected. */
export function useSteps(total: number, step: number, least = 0): Steps {
  const [limit, setLimit] = useState(step)
  const shown = Math.min(total, Math.max(limit, Math.ceil(least / step) * step))
  return { shown, more: Math.min(step, total - shown), showMore: () => setLimit(shown + step) }
}
