import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** A key, as printed on the keyboard. Hidden where there is no keyboard to speak of. */
export function Kbd({
  children,
  tone = 'plain',
}: {
  readonly children: ReactNode
  readonly tone?: 'plain' | 'inverse'
}) {
  return (
    <kbd
      className={cx(
        'inline-flex h-4 min-w-4 items-center justify-center rounded-sm border px-1 font-sans text-[11px] leading-none max-sm:hidden',
        tone === 'plain' ? 'border-line bg-sub text-muted' : 'border-current/40 text-current',
      )}
    >
      {children}
    </kbd>
  )
}
