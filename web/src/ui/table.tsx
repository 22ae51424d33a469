import type { ReactNode } from 'react'
import { cx } from './cx.ts'

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
