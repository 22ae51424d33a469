import { useEffect, useState } from 'react'
import { cx } from './cx.ts'

const WAIT_MS = 150

/** Grey bars in the size of what is to come, after a moment: what arrives at once never flickers. */
export function Skeleton({ className, rows = 1 }: { readonly className?: string; readonly rows?: number }) {
  const isShown = useMoment()
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-2">
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={cx('rounded-md', isShown ? 'bg-hover' : '', className ?? 'h-10')} />
      ))}
    </div>
  )
}

/** A heading that is not known yet, as high as one line of it. `name` is read aloud meanwhile. */
export function HeadingSkeleton({ name }: { readonly name: string }) {
  const isShown = useMoment()
  return (
    <span className="flex h-7 items-center" data-testid="heading-skeleton">
      <span className="sr-only">{name}</span>
      <span
        aria-hidden="true"
        className={cx('block h-5 w-64 max-w-full rounded-md', isShown && 'bg-hover')}
      />
    </span>
  )
}

function useMoment(): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  return isOver
}
