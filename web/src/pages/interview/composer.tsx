/** The box at the end of a conversation. Enter makes a line, Ctrl Enter sends; a dropped spec is put into it. */
import { useState, useRef, type DragEvent, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { readDropped } from '../start/request-draft.ts'
import { Upload } from 'lucide-react'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import { ApiError } from '../../api/client.ts'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { ProblemList } from '../start/failure.tsx'
import { useInterviewChange } from './use-interview-page.ts'

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

/** A spec by drop or by choice: it is checked and previewed without an interview. */
export function SpecDrop({
  repo,
  onSession,
}: {
  readonly repo: string
  readonly onSession: (status: PmStatus) => void
}) {
  const upload = useInterviewChange('POST /api/pm/upload', repo, onSession)
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const canAct = useCanAct()
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined || !canAct) return
    const read = await readDropped(file)
    setRefused(read.ok ? null : read.why)
    if (read.ok) upload.mutate({ markdown: read.file.text })
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
      className={cx(
        'flex w-full flex-col gap-2 rounded-md border border-dashed border-line-strong p-4',
        isOver && 'border-accent bg-selected',
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Upload size={16} className="text-muted" aria-hidden="true" />
        <span className="flex-1">Drop a spec here to preview it, a changed one too</span>
        <input
          ref={chooser}
          type="file"
          accept=".md,.markdown,.txt"
          hidden
          aria-label="Spec to upload"
          onChange={(event) => {
            void take(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <Button
          size="sm"
          isBusy={upload.isPending}
          disabled={!canAct}
          onClick={() => chooser.current?.click()}
        >
          Choose a file
        </Button>
      </div>
      {refused !== null && (
        <p role="alert" className="text-bad">
          {visibleText(refused)}
        </p>
      )}
      {upload.isError && (
        <div role="alert" className="flex flex-col gap-2">
          <p className="text-bad">
            <PlainText text={upload.error.message} />
          </p>
          {upload.error instanceof ApiError && (
            <>
              <PlainText as="block" text={upload.error.remedy} />
              {upload.error.problems.length > 0 && <ProblemList problems={upload.error.problems} />}
            </>
          )}
        </div>
      )}
    </div>
  )
}
