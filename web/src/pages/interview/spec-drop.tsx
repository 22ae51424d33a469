/** A spec by drop or by choice: it is checked and previewed without an interview. */
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import { ApiError } from '../../api/client.ts'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ProblemList } from '../start/problem-list.tsx'
import { readDropped } from '../start/request-draft.ts'
import { useInterviewChange } from './use-interview-page.ts'

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
