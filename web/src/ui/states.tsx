import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, isWorthRetrying, isMissing } from '../api/client.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { sentence } from './format.ts'
import { visibleText } from './visible-text.ts'

/** One sentence and one action. */
export function EmptyState({
  title,
  children,
  action,
  icon,
  className,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  readonly icon?: ReactNode
  readonly className?: string
}) {
  return (
    <div className={cx('flex flex-col items-center gap-2 px-6 py-16 text-center', className)}>
      {icon !== undefined && <div className="mb-1 text-muted">{icon}</div>}
      <p className="text-base font-medium">{title}</p>
      {children !== undefined && <div className="max-w-md text-sm text-muted">{children}</div>}
      {action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

/** What failed, what to do, and Retry in place where that may help. */
export function ErrorState({
  what,
  verb = 'load',
  error,
  onRetry,
  className,
}: {
  /** What could not be loaded, as a noun: "the plan". */
  readonly what: string
  /** Where something else than loading failed. */
  readonly verb?: string
  readonly error: unknown
  readonly onRetry?: () => void
  readonly className?: string | undefined
}) {
  const message = error instanceof Error ? error.message : String(error)
  const remedy = error instanceof ApiError ? error.remedy : ''
  return (
    <div role="alert" className={cx('flex items-start gap-3 rounded-md border p-4', className)}>
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="font-medium">
          Could not {verb} {what}
        </p>
        <p className="text-muted wrap-anywhere">{visibleText(sentence(message))}</p>
        {remedy !== '' && <p className="text-muted wrap-anywhere">{visibleText(remedy)}</p>}
      </div>
      {onRetry !== undefined && isWorthRetrying(error) && <Button onClick={onRetry}>Retry</Button>}
    </div>
  )
}

interface Asked<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly isLoadingError: boolean
  readonly refetch: () => unknown
}

/** What was asked for, once it is there: before that its skeleton, or what failed. What was read once stays. */
export function Loaded<T>({
  of: { data, error, isLoadingError, refetch },
  what,
  skeleton,
  missing,
  className,
  children,
}: {
  readonly of: Asked<T>
  readonly what: string
  readonly skeleton: ReactNode
  /** In its place where it does not exist. */
  readonly missing?: ReactNode
  /** Of what failed. */
  readonly className?: string | undefined
  readonly children: (data: T) => ReactNode
}) {
  if (data !== undefined) return children(data)
  if (!isLoadingError) return skeleton
  if (missing !== undefined && isMissing(error)) return missing
  return <ErrorState what={what} error={error} onRetry={() => void refetch()} className={className} />
}
