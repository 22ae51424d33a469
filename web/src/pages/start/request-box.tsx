/** One box that takes anything: typed, pasted or dropped. */
import { FileText, Paperclip, X } from 'lucide-react'
import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useDraft } from '../../ui/draft.ts'
import { formatCount } from '../../ui/format.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { readDropped, type Attachment } from './request-draft.ts'
import { TEXT_DRAFT } from './use-start-draft.ts'
import { folderName } from '../../shell/progress.ts'
import { Field, Input, Select } from '../../ui/field.tsx'

const EXAMPLES = [
  'Fix the typo in the README',
  'Add a dark mode toggle to the settings page',
  'Let users upload a picture and see it in their profile',
]

export function RequestBox({
  isEmpty,
  files,
  onFiles,
  onSubmit,
}: {
  readonly isEmpty: boolean
  readonly files: readonly Attachment[]
  readonly onFiles: (files: readonly Attachment[]) => void
  readonly onSubmit: () => void
}) {
  const [text, setText] = useDraft(TEXT_DRAFT)
  const [isOver, setOver] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const chooser = useRef<HTMLInputElement>(null)
  const add = async (dropped: readonly File[]): Promise<void> => {
    const read = await Promise.all(dropped.map(readDropped))
    setRefused(read.flatMap((one) => (one.ok ? [] : [one.why])))
    const added = read.flatMap((one) => (one.ok ? [one.file] : []))
    const names = new Set(added.map(({ name }) => name))
    if (added.length > 0) onFiles([...files.filter(({ name }) => !names.has(name)), ...added])
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void add([...event.dataTransfer.files])
  }
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    void add(pasted)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={cx(
        'flex flex-col rounded-lg border border-field bg-bg transition-colors focus-within:border-accent',
        isOver && 'border-accent bg-selected',
      )}
    >
      <textarea
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit()
        }}
        aria-label="What should be done?"
        placeholder="A sentence, a bug report, an issue, a spec or a plan. Drop or paste files here."
        rows={5}
        className="field-sizing-content max-h-[45vh] min-h-32 resize-none rounded-lg bg-transparent p-4 text-base leading-6 outline-none placeholder:text-muted max-sm:text-lg"
      />
      {files.length > 0 && (
        <ul aria-label="Files" className="flex flex-wrap gap-2 px-4 pb-3">
          {files.map((file) => (
            <li
              key={file.name}
              className="flex items-center gap-1.5 rounded-md border py-0.5 pr-0.5 pl-2 text-xs"
            >
              <FileText size={14} className="text-muted" aria-hidden="true" />
              <span className="max-w-60 truncate">{visibleText(file.name)}</span>
              <span className="text-muted">{formatCount(file.text.length)} characters</span>
              <button
                type="button"
                aria-label={`Remove ${visibleText(file.name)}`}
                onClick={() => onFiles(files.filter((one) => one !== file))}
                className="inline-flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-text"
              >
                <X size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <ul role="alert" className="flex flex-col gap-1 px-4 pb-3 text-xs text-bad">
          {refused.map((why) => (
            <li key={why}>{visibleText(why)}</li>
          ))}
        </ul>
      )}
      <div className="flex items-center gap-2 border-t px-2 py-1.5 text-xs text-muted">
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files to add"
          onChange={(event) => {
            void add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <Button kind="quiet" size="sm" onClick={() => chooser.current?.click()}>
          <Paperclip size={14} aria-hidden="true" />
          Add files
        </Button>
        <span className="ml-auto pr-2 max-sm:hidden">Your text is kept while you type</span>
      </div>
      {isEmpty && (
        <div className="flex flex-col items-start border-t px-4 py-2 text-xs text-muted">
          <span className="py-1 font-medium">For example</span>
          {EXAMPLES.map((example) => (
            <Button
              key={example}
              kind="quiet"
              size="sm"
              className="-ml-2 max-w-full shrink! max-sm:h-auto max-sm:min-h-11 max-sm:text-left max-sm:whitespace-normal"
              onClick={() => setText(example)}
            >
              {example}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

const OTHER = ''

/** A repository that Bosun knows, or the path of another. */
export function RepositoryField({
  known,
  value,
  onChange,
}: {
  readonly known: readonly string[]
  readonly value: string
  readonly onChange: (repo: string) => void
}) {
  const [isTyped, setTyped] = useState(false)
  const isOther = isTyped || known.length === 0 || (value !== '' && !known.includes(value))
  return (
    <div className="flex min-w-0 flex-1 flex-wrap gap-3">
      {known.length > 0 && (
        <div className="min-w-52 flex-1">
          <Field label="Repository">
            <Select
              value={isOther ? OTHER : value}
              onChange={(event) => {
                setTyped(event.target.value === OTHER)
                onChange(event.target.value)
              }}
            >
              {known.map((path) => (
                <option key={path} value={path}>
                  {visibleText(folderName(path))} · {visibleText(path)}
                </option>
              ))}
              <option value={OTHER}>Another folder…</option>
            </Select>
          </Field>
        </div>
      )}
      {isOther && (
        <div className="min-w-52 flex-1">
          <Field
            label={known.length > 0 ? 'Path of the folder' : 'Folder of the repository'}
            hint="Its whole path, for example /home/ann/shop"
            {...(value !== '' && !value.startsWith('/')
              ? { error: 'Write the whole path, for example /home/ann/shop' }
              : {})}
          >
            <Input
              value={value}
              onChange={(event) => onChange(event.target.value)}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-mono"
            />
          </Field>
        </div>
      )}
    </div>
  )
}
