import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { ChevronRight } from 'lucide-react'
import { PlainText } from './plain-text.tsx'

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

export interface TableColumn {
  readonly name: string
  /** What it counts, on hover. */
  readonly title?: string
  /** Figures stand at the right. */
  readonly isFigure?: boolean
}

/** Rows with a head in a frame; a narrow screen scrolls it sideways. */
export function Table({
  label,
  columns,
  minWidth,
  children,
}: {
  readonly label: string
  readonly columns: readonly TableColumn[]
  readonly minWidth: number
  readonly children: ReactNode
}) {
  return (
    <div className="overflow-x-auto rounded-md border" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full text-left" style={{ minWidth }}>
        <thead className="border-b bg-sub text-xs text-muted">
          <tr>
            {columns.map(({ name, title, isFigure }) => (
              <th
                key={name}
                scope="col"
                title={title}
                className={cx('px-3 py-2 font-medium whitespace-nowrap', isFigure === true && 'text-right')}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y [&>tr:hover]:bg-sub">{children}</tbody>
      </table>
    </div>
  )
}

/** A part of a page that opens on demand. */
export function Fold({
  title,
  note,
  isOpen = false,
  children,
}: {
  readonly title: ReactNode
  readonly note?: ReactNode
  readonly isOpen?: boolean
  readonly children: ReactNode
}) {
  return (
    <details open={isOpen} className="group/fold border-t py-2">
      <summary className="flex min-h-7 cursor-pointer list-none items-center gap-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="shrink-0 text-muted transition-transform group-open/fold:rotate-90"
        />
        <h2 className="text-sm font-semibold">{title}</h2>
        {note !== undefined && <span className="min-w-0 truncate text-xs text-muted">{note}</span>}
      </summary>
      <div className="pt-2 pb-2 pl-5.5">{children}</div>
    </details>
  )
}

/** One of the facts of a `dl` that is a grid of two columns. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

/** A fact of several lines; nothing where there are none. */
export function FactLines({
  name,
  lines,
  className,
}: {
  readonly name: string
  readonly lines: readonly string[]
  readonly className?: string
}) {
  if (lines.length === 0) return null
  return (
    <Fact name={name}>
      <ul className={className}>
        {lines.map((line, place) => (
          <li key={place}>
            <PlainText text={line} />
          </li>
        ))}
      </ul>
    </Fact>
  )
}
