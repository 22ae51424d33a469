import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cx } from './cx.ts'
import { notifyFailed } from './toast.tsx'
import { visibleText } from './visible-text.ts'

/** A command, hash, path or id that copies itself when it is pressed. */
export function CopyText({
  text,
  shown = text,
  label,
  className,
}: {
  readonly text: string
  /** A short form of it. */
  readonly shown?: string
  /** What it is, for screen readers and on hover. */
  readonly label?: string
  readonly className?: string
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // Without permission nothing is copied.
      () => notifyFailed('Could not copy it', 'Your browser does not allow it. Select the text and copy it.'),
    )
  }
  return (
    <button
      type="button"
      onClick={copy}
      title={`Copy ${label ?? visibleText(text)}`}
      className={cx(
        'group inline-flex max-w-full min-w-0 items-center gap-1 min-h-6 rounded-sm px-1 py-0.5 font-mono text-mono text-muted transition-colors hover:bg-hover hover:text-text',
        className,
      )}
    >
      <span className="truncate">{visibleText(shown)}</span>
      {isCopied ? (
        <Check size={12} className="shrink-0 text-ok" aria-label="Copied" />
      ) : (
        <Copy size={12} className="shrink-0 opacity-40 group-hover:opacity-100" aria-hidden="true" />
      )}
    </button>
  )
}
