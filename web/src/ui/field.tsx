import { ChevronDown } from 'lucide-react'
import { useId, type ComponentProps, type ReactElement, cloneElement } from 'react'
import { cx } from './cx.ts'
import { useDraft } from './draft.ts'

interface Named {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

/** A label over one control, with a hint or what is wrong under it. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly children: ReactElement<Named>
}) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-muted">
        {label}
      </label>
      {cloneElement(children, {
        id,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} className={cx('text-xs', error === undefined ? 'text-muted' : 'text-bad')}>
          {note}
        </p>
      )}
    </div>
  )
}

const CONTROL =
  'w-full rounded-md border border-field bg-bg px-2.5 text-sm text-text placeholder:text-muted focus-visible:outline-offset-0 aria-invalid:border-bad disabled:opacity-60'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={cx(CONTROL, 'h-8 max-sm:h-11 max-sm:text-lg', className)} />
}

/** The arrow is the page's own, so that it looks alike in every browser. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cx('relative inline-flex w-full min-w-0', className)}>
      <select {...rest} className={cx(CONTROL, 'h-8 appearance-none truncate pr-7 max-sm:h-11')} />
      <ChevronDown
        size={14}
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-muted"
      />
    </span>
  )
}

/** One of several, by its name; the first choice is all of them. */
export function Filter({
  label,
  all,
  options,
  value,
  onChange,
}: {
  readonly label: string
  /** The words of no filter: "All plans". */
  readonly all: string
  readonly options: readonly { readonly value: string; readonly name: string }[]
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="w-auto! max-w-52 max-sm:max-w-none max-sm:min-w-36 max-sm:flex-1"
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </Select>
  )
}

/** Of a text of several lines. */
export const TEXT_CONTROL = `${CONTROL} field-sizing-content max-h-80 min-h-16 resize-y py-1.5 max-sm:text-lg`

export interface TextAreaProps extends Omit<
  ComponentProps<'textarea'>,
  'value' | 'onChange' | 'defaultValue'
> {
  /** What the draft belongs to, such as `answer:E-3`: it is kept under this name until it is cleared. */
  readonly draft: string
}

/** A text that is kept as it is typed: through reloads, restarts of the daemon and other pages. */
export function TextArea({ draft, className, ...rest }: TextAreaProps) {
  const [text, setText] = useDraft(draft)
  return (
    <textarea
      rows={3}
      {...rest}
      value={text}
      onChange={(event) => setText(event.target.value)}
      className={cx(TEXT_CONTROL, className)}
    />
  )
}
