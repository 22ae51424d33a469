import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Tone = 'muted' | 'accent' | 'ok' | 'run' | 'warn' | 'bad' | 'unknown'

export const TONE: Readonly<Record<Tone, string>> = {
  muted: 'text-muted',
  accent: 'text-accent',
  ok: 'text-ok',
  run: 'text-run',
  warn: 'text-warn',
  bad: 'text-bad',
  unknown: 'text-unknown',
}

/** A word in a hairline box. The tone colours its icon, never its ground. */
export function Badge({
  children,
  icon,
  tone = 'muted',
  title,
}: {
  readonly children: ReactNode
  readonly icon?: ReactNode
  readonly tone?: Tone
  readonly title?: string
}) {
  return (
    <span
      title={title}
      className="inline-flex h-5 shrink-0 items-center gap-1 rounded-sm border px-1.5 text-xs whitespace-nowrap text-muted"
    >
      {icon !== undefined && <span className={cx('inline-flex', TONE[tone])}>{icon}</span>}
      {children}
    </span>
  )
}

/** A count in the navigation; `null` where it is not known. */
export function Count({ value, tone = 'muted' }: { readonly value: number | null; readonly tone?: Tone }) {
  return (
    <span className={cx('min-w-5 text-right text-xs font-medium tabular-nums', TONE[tone])}>
      {value ?? '?'}
    </span>
  )
}
