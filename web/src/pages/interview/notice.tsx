import { CircleAlert, CircleCheck, Clock, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { TONE } from '../../ui/badge.tsx'

const ICONS = { ok: CircleCheck, warn: CircleAlert, bad: CircleAlert, run: Clock, muted: Info } as const

/** What is going on, and what can be done about it. */
export function Notice({
  tone,
  title,
  children,
}: {
  readonly tone: keyof typeof ICONS
  readonly title: string
  readonly children?: ReactNode
}) {
  const Icon = ICONS[tone]
  return (
    <div role="status" className="flex items-start gap-3 rounded-lg border p-4">
      <Icon size={16} className={`mt-0.5 shrink-0 ${TONE[tone]}`} aria-hidden="true" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p className="font-medium">{title}</p>
        {children !== undefined && (
          <div className="flex flex-col items-start gap-2 text-muted">{children}</div>
        )}
      </div>
    </div>
  )
}
