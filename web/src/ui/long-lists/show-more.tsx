import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { formatCount } from '../format.ts'
import type { Steps } from './use-steps.ts'

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
