import { Dialog as Radix } from 'radix-ui'
import { X } from 'lucide-react'
import { useRef, useState, type FormEvent, type ReactNode, type KeyboardEvent } from 'react'
import { Button, IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { Field, Input } from './field.tsx'

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  readonly width?: 'sm' | 'md' | 'lg'
}

const WIDTH = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl' }

export function Dialog({ isOpen, onClose, title, description, children, width = 'sm' }: DialogProps) {
  const focus = useDialogFocus()
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Radix.Content
          {...focus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={cx(
            'fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col gap-4 overflow-y-auto rounded-lg bg-bg p-5 shadow-float outline-none',
            WIDTH[width],
          )}
        >
          <div className="flex items-start gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="text-sm text-muted">{description}</div>
                </Radix.Description>
              )}
            </div>
            <IconButton label="Close" className="-mt-1 -mr-2" onClick={onClose}>
              <X size={16} />
            </IconButton>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export interface ConfirmDialogProps extends Omit<DialogProps, 'width'> {
  /** What the button does, as a verb: "Kill w-3". */
  readonly action: string
  readonly kind?: 'primary' | 'danger'
  /** Where it is given, the person types this word first; the case of letters does not matter. */
  readonly typed?: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
}

/** Asks before something that cannot be undone. It closes when the caller says so, which is when it is done. */
export function ConfirmDialog({
  action,
  kind = 'danger',
  typed,
  isBusy = false,
  onConfirm,
  children,
  ...rest
}: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const isReady = typed === undefined || text.trim().toLowerCase() === typed.toLowerCase()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady) onConfirm()
  }
  return (
    <Dialog {...rest}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {children}
        {typed !== undefined && (
          <Field label={`Type ${typed} to confirm`}>
            <Input
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        )}
        <div className="flex justify-end gap-2 max-sm:flex-col-reverse">
          <Button onClick={rest.onClose}>Cancel</Button>
          <Button
            type="submit"
            kind={kind === 'danger' ? 'destructive' : 'primary'}
            disabled={!isReady}
            isBusy={isBusy}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/**
 * The focus of a dialog: at first on what is to be typed, else on the first button of its form, which cancels; at the end on
 * what had it before. Radix gives it back to a trigger, which these dialogs lack.
 */
export function useDialogFocus() {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event): void => {
      before.current = document.activeElement
      const first = event.target instanceof Element ? firstOf(event.target) : null
      if (first === null) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus: (event: Event): void => {
      event.preventDefault()
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
    },
  }
}

const firstOf = (dialog: Element): HTMLElement | null =>
  dialog.querySelector<HTMLElement>('textarea') ??
  dialog.querySelector<HTMLElement>('input') ??
  dialog.querySelector<HTMLElement>('form button')

/** Enter presses a focused button and sends a form; a decision takes the pointer or the space bar. A text keeps its line ends. */
export function withoutEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}
