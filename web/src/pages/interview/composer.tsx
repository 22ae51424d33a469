/** The box at the end of a conversation. Enter makes a line, Ctrl Enter sends; a dropped spec is put into it. */
import { useState, type DragEvent, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { readDropped } from '../start/request-draft.ts'

export function Composer({
  text,
  onText,
  onSubmit,
  placeholder,
  label = 'Your message',
  children,
}: {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onSubmit: () => void
  readonly placeholder: string
  readonly label?: string
  /** Its buttons. */
  readonly children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const onDrop = async (event: DragEvent): Promise<void> => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file === undefined) return
    const read = await readDropped(file)
    setRefused(read.ok ? null : read.why)
    if (read.ok) onText(text.trim() === '' ? read.file.text : `${text.trimEnd()}\n\n${read.file.text}`)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void onDrop(event)}
      className={cx(
        'flex flex-col rounded-lg border border-field bg-bg transition-colors focus-within:border-accent',
        isOver && 'border-accent bg-selected',
      )}
    >
      <textarea
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit()
        }}
        aria-label={label}
        placeholder={placeholder}
        rows={2}
        className="field-sizing-content max-h-60 min-h-12 resize-none rounded-lg bg-transparent px-3 pt-2.5 text-sm outline-none placeholder:text-muted max-sm:text-lg"
      />
      {refused !== null && (
        <p role="alert" className="px-3 text-xs text-bad">
          {visibleText(refused)}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 p-2">{children}</div>
    </div>
  )
}
