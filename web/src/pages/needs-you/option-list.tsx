/** The options of an item as buttons, and the form of the one that was chosen. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { usePersonName } from '../../api/person.ts'
import { useCanAct } from '../../live/live.ts'
import { useKeys } from '../../shell/commands/keys.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useDraft } from '../../ui/draft.ts'
import { Field, TextArea } from '../../ui/field.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { boxOf, missingFor, opensForm, shownOption, type Scope, type ShownOption } from './options.ts'
import { choiceOf, draftOf, type AnswerState } from './use-answer.ts'
import { WhatLands } from './evidence.tsx'
import { NameField } from '../../shell/name-field.tsx'

const SCOPES: readonly { readonly key: Scope; readonly label: string }[] = [
  { key: 'once', label: 'This once' },
  { key: 'task', label: 'This task' },
  { key: 'plan', label: 'The whole plan' },
]

export function OptionList({
  item,
  itemKey,
  answer,
  isDiffBeside = false,
  followsAnswer = false,
}: {
  readonly item: InboxEntry
  readonly itemKey: string
  readonly answer: AnswerState
  /** The page shows the diff itself. */
  readonly isDiffBeside?: boolean
  /** It opened by itself where another item was answered. */
  readonly followsAnswer?: boolean
}) {
  const options = item.options.map((option) => shownOption(item, option))
  const [chosen, choose] = useDraft(choiceOf(itemKey))
  const [text] = useDraft(draftOf(itemKey))
  const [scopes, setScopes] = useState<Readonly<Record<string, Scope>>>({})
  const isResting = useRest(followsAnswer)
  const canAct = useCanAct() && !answer.isSending && !answer.isAnswered && !isResting
  const open = options.find(({ key }) => key === chosen)
  const buttons = useRef(new Map<string, HTMLButtonElement | null>())
  const cancel = (key: string): void => {
    choose('')
    buttons.current.get(key)?.focus()
  }
  const send = (option: ShownOption): void =>
    answer.send({
      choice: option.key,
      title: option.title,
      text,
      ...(item.kind === 'permission' ? { scope: scopes[option.key] ?? 'once' } : {}),
    })
  const press = (option: ShownOption): void => {
    if (opensForm(option)) choose(option.key)
    else send(option)
  }
  useKeys(
    'This item',
    options.slice(0, 9).map((option, at) => ({
      keys: String(at + 1),
      label: `Choose “${option.title}”`,
      run: () => choose(option.key),
    })),
  )
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-2 max-sm:gap-4">
        {options.map((option, at) => (
          <li key={option.key} className="flex flex-col gap-3">
            <div
              className={cx(
                'grid gap-x-4 gap-y-1 sm:grid-cols-[minmax(132px,max-content)_1fr]',
                option.scopes.length === 0 ? 'items-center' : 'items-start',
              )}
            >
              <Button
                kind={
                  option.isRecommended && open === undefined
                    ? 'primary'
                    : option.isFinal
                      ? 'danger'
                      : 'default'
                }
                shortcut={String(at + 1)}
                disabled={!canAct}
                isBusy={answer.isSending && open === undefined && option.isRecommended}
                aria-expanded={opensForm(option) ? option.key === chosen : undefined}
                ref={(button) => void buttons.current.set(option.key, button)}
                onKeyDown={neverByEnter}
                onClick={() => press(option)}
                className="max-w-72 min-w-[132px] max-sm:w-full max-sm:max-w-none"
              >
                <span className="flex-1 truncate text-left max-sm:text-center">
                  {visibleText(option.title)}
                  {opensForm(option) ? '…' : ''}
                </span>
              </Button>
              <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted wrap-anywhere">
                <ScopeChoice
                  option={option}
                  value={scopes[option.key] ?? 'once'}
                  onChange={(scope) => setScopes({ ...scopes, [option.key]: scope })}
                />
                <p className="min-w-0">
                  {option.text !== null && <span className="text-text">{visibleText(option.text)}. </span>}
                  {option.consequence !== null && visibleText(option.consequence)}{' '}
                  {option.isRecommended && <Badge>Recommended</Badge>}
                </p>
              </div>
            </div>
            {option === open && (
              <OptionForm
                option={option}
                item={item}
                itemKey={itemKey}
                isDiffBeside={isDiffBeside}
                text={text}
                canAct={canAct}
                isSending={answer.isSending}
                onSend={() => send(option)}
                onCancel={() => cancel(option.key)}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The second click of two belongs to the item before. */
const REST_MS = 500

function useRest(isNeeded: boolean): boolean {
  const [isResting, setResting] = useState(isNeeded)
  useEffect(() => {
    const timer = setTimeout(() => setResting(false), REST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isResting
}

/** How far this option reaches, in its own row: what is chosen beside Allow says nothing about Deny. */
function ScopeChoice({
  option,
  value,
  onChange,
}: {
  readonly option: ShownOption
  readonly value: Scope
  readonly onChange: (scope: Scope) => void
}) {
  const items = SCOPES.filter(({ key }) => option.scopes.includes(key))
  if (items.length === 0) return null
  return <Segments label={`${option.title} for`} items={items} value={value} onChange={onChange} />
}

/** Space and a click do: Enter opens things, and a key that opens must not decide. */
function neverByEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}

function OptionForm({
  option,
  item,
  itemKey,
  isDiffBeside,
  text,
  canAct,
  isSending,
  onSend,
  onCancel,
}: {
  readonly option: ShownOption
  readonly item: InboxEntry
  readonly itemKey: string
  readonly isDiffBeside: boolean
  readonly text: string
  readonly canAct: boolean
  readonly isSending: boolean
  readonly onSend: () => void
  readonly onCancel: () => void
}) {
  const name = usePersonName()
  const [wasTried, setTried] = useState(false)
  const [isShown, setShown] = useState(!option.landsWork)
  const maySend = canAct && isShown
  const missing = missingFor(option, { text, name })
  const submit = (): void => {
    if (!maySend) return
    setTried(true)
    if (missing === null) onSend()
  }
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (option.landsWork) box.current?.focus({ preventScroll: true })
  }, [option.landsWork])
  useKeys('This item', [{ keys: 'Ctrl+Enter', label: `Send “${option.title}”`, run: submit }])
  return (
    <div
      ref={box}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // What was typed is kept. The next Escape closes the item.
        event.preventDefault()
        onCancel()
      }}
      className="flex flex-col gap-3 rounded-md border bg-sub p-3 outline-none"
    >
      {option.landsWork && <WhatLands item={item} isDiffBeside={isDiffBeside} onShown={setShown} />}
      <Field
        {...boxOf(option)}
        error={
          wasTried && missing === 'text'
            ? `${option.takes === 'reason' ? 'A reason' : 'A text'} is required.`
            : undefined
        }
      >
        <TextArea draft={draftOf(itemKey)} autoFocus={!option.landsWork} />
      </Field>
      {option.takes === 'reason' && (
        <NameField
          hint="It is recorded with the decision."
          error={wasTried && missing === 'name' ? 'This option is recorded in your name.' : undefined}
        />
      )}
      <div className="flex gap-2 max-sm:flex-col-reverse">
        <Button onClick={onCancel}>Not now</Button>
        <Button
          kind="primary"
          onKeyDown={neverByEnter}
          onClick={submit}
          disabled={!maySend}
          isBusy={isSending}
          shortcut="Ctrl ↵"
        >
          {visibleText(option.title)}
        </Button>
      </div>
    </div>
  )
}
