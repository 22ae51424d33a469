import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

/** Hairline rows in a frame. */
export function List({ className, ...rest }: ComponentProps<'ul'>) {
  return <ul {...rest} className={cx('divide-y rounded-md border bg-bg', className)} />
}

const HEIGHT = { dense: 'min-h-8', default: 'min-h-10', touch: 'min-h-11' }

export interface RowProps extends ComponentProps<'li'> {
  readonly height?: keyof typeof HEIGHT
  readonly isSelected?: boolean
}

/** One row; on a touch screen it is at least 44 px high. */
export function Row({ height = 'default', isSelected = false, className, ...rest }: RowProps) {
  return (
    <li
      {...rest}
      data-selected={isSelected || undefined}
      className={cx(
        'flex items-center gap-3 px-3 py-1.5 first:rounded-t-md last:rounded-b-md max-sm:min-h-11',
        HEIGHT[height],
        isSelected ? 'bg-selected' : 'hover:bg-sub',
        className,
      )}
    />
  )
}

/** A heading over a part of a page, with what stands at its right. */
export function Section({
  title,
  count,
  actions,
  children,
  className,
}: {
  readonly title: ReactNode
  readonly count?: number | string | null | undefined
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}) {
  return (
    <section className={cx('flex flex-col gap-2', className)}>
      <div className="flex min-h-7 items-center gap-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        {count !== undefined && <span className="text-xs text-muted">{count ?? '?'}</span>}
        {actions !== undefined && <div className="ml-auto flex items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
