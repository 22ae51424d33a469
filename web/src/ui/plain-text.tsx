import { cx } from './cx.ts'
import { visibleText } from './visible-text.ts'

/** Text of a worker, a model or a repository: shown as it is, never as markup, with what hides in it made visible. */
export function PlainText({
  text,
  as = 'inline',
  className,
}: {
  readonly text: string
  /** `block` keeps line ends; `mono` too, as code. */
  readonly as?: 'inline' | 'block' | 'mono'
  readonly className?: string
}) {
  const shown = visibleText(text)
  if (as === 'inline') return <bdi className={cx('wrap-anywhere', className)}>{shown}</bdi>
  if (as === 'block')
    return (
      <p dir="auto" className={cx('wrap-anywhere whitespace-pre-wrap', className)}>
        {shown}
      </p>
    )
  return (
    <pre
      tabIndex={0}
      className={cx(
        'overflow-x-auto rounded-md border bg-sub p-3 font-mono text-mono whitespace-pre-wrap wrap-anywhere',
        className,
      )}
    >
      {shown}
    </pre>
  )
}
