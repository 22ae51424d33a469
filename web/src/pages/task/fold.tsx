import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

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
