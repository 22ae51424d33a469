import { Tabs as Radix } from 'radix-ui'
import type { KeyboardEvent, ReactNode } from 'react'

export interface TabItem<K extends string = string> {
  readonly key: K
  readonly label: ReactNode
  readonly content?: ReactNode
}

/** Tabs under one hairline. Without `content` it only chooses, and the page shows what was chosen. */
export function Tabs<K extends string>({
  label,
  items,
  value,
  onChange,
}: {
  readonly label: string
  readonly items: readonly TabItem<K>[]
  readonly value: K
  readonly onChange: (key: K) => void
}) {
  return (
    <Radix.Root value={value} onValueChange={(key) => onChange(key as K)} className="flex min-h-0 flex-col">
      <Radix.List
        aria-label={label}
        className="flex gap-4 overflow-x-auto shadow-[inset_0_-1px_0_var(--line)]"
      >
        {items.map(({ key, label: name }) => (
          <Radix.Trigger
            key={key}
            value={key}
            className="inline-flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent text-sm text-muted transition-colors hover:text-text data-[state=active]:border-text data-[state=active]:font-medium data-[state=active]:text-text max-sm:h-11"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {items.map(({ key, content }) =>
        content === undefined ? (
          <Radix.Content key={key} value={key} className="sr-only" tabIndex={-1} />
        ) : (
          <Radix.Content key={key} value={key} className="min-h-0 pt-4">
            {content}
          </Radix.Content>
        ),
      )}
    </Radix.Root>
  )
}

/** A few choices of which one holds, as one control. */
export function Segments<K extends string>({
  label,
  items,
  value,
  onChange,
}: {
  readonly label: string
  readonly items: readonly { readonly key: K; readonly label: ReactNode }[]
  readonly value: K
  readonly onChange: (key: K) => void
}) {
  return (
    <div
      role="radiogroup"
      aria-label={label}
      onKeyDown={moveRadio}
      className="inline-flex h-8 rounded-md border bg-sub p-0.5 max-sm:h-11"
    >
      {items.map(({ key, label: name }) => (
        <button
          key={key}
          type="button"
          role="radio"
          aria-checked={key === value}
          tabIndex={key === value ? 0 : -1}
          onClick={() => onChange(key)}
          className="rounded-sm px-2.5 text-xs whitespace-nowrap text-muted transition-colors hover:text-text aria-checked:bg-bg aria-checked:font-medium aria-checked:text-text aria-checked:shadow-[0_0_0_1px_var(--line)]"
        >
          {name}
        </button>
      ))}
    </div>
  )
}

const STEP: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Arrow keys choose the next radio of a group, round and round, as a browser's own do. */
export function moveRadio(event: KeyboardEvent<HTMLElement>): void {
  const step = STEP[event.key]
  if (step === undefined) return
  const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]:not(:disabled)')]
  const at = radios.findIndex((radio) => radio === document.activeElement)
  const next = radios.at((at + step) % radios.length)
  if (at === -1 || next === undefined) return
  event.preventDefault()
  next.focus()
  next.click()
}
