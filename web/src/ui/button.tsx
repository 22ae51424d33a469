import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

/** `primary` once a screen; `danger` stays quiet until it is confirmed; `destructive` is that confirmation. */
export type ButtonKind = 'primary' | 'default' | 'quiet' | 'danger' | 'destructive'

const KIND: Readonly<Record<ButtonKind, string>> = {
  primary:
    'bg-accent text-on-accent border-transparent hover:bg-[color-mix(in_srgb,var(--accent)_88%,var(--text))]',
  default: 'bg-bg text-text border-field hover:bg-hover',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-text',
  destructive: 'bg-bad text-bg border-transparent hover:bg-[color-mix(in_srgb,var(--bad)_88%,var(--text))]',
  danger: 'bg-bg text-bad border-field hover:bg-hover hover:border-bad',
}

const SIZE = {
  sm: 'h-7 px-2 text-xs gap-1 max-sm:h-10 max-sm:px-3',
  md: 'h-8 px-3 text-sm gap-1.5 max-sm:h-11 max-sm:px-4',
}

export interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind
  readonly size?: keyof typeof SIZE
  /** Shown beside the label. */
  readonly shortcut?: string
  /** What it was pressed for is under way: it keeps the focus, and a further press does nothing. */
  readonly isBusy?: boolean
}

export const buttonClass = (kind: ButtonKind = 'default', size: keyof typeof SIZE = 'md'): string =>
  cx(
    'inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap select-none transition-colors',
    'disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    KIND[kind],
    SIZE[size],
  )

export function Button({
  kind = 'default',
  size = 'md',
  shortcut,
  isBusy = false,
  disabled,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true && !isBusy}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
      className={cx(buttonClass(kind, size), className)}
    >
      {children}
      {shortcut !== undefined && <Kbd tone={kind === 'primary' ? 'inverse' : 'plain'}>{shortcut}</Kbd>}
    </button>
  )
}

/** A square button with an icon; `label` is its name. */
export function IconButton({
  label,
  className,
  children,
  ...rest
}: ComponentProps<'button'> & { readonly label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text disabled:opacity-50 max-sm:size-11',
        className,
      )}
    >
      {children}
    </button>
  )
}

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
