/**
 * The keyboard map. Single keys are off while a person types, with a modifier, and in dialogs that are open; a person can
 * turn them off altogether. Whatever is bound stands in the help under `?`.
 */
import { useEffect, useRef } from 'react'

export interface KeyBinding {
  /** `j`, `g i` for one after the other, `Ctrl+K` with the modifier of the platform. */
  readonly keys: string
  readonly label: string
  readonly run: () => void
  /** False where the key belongs to what has the focus, such as Enter to a link. */
  readonly isFor?: (target: EventTarget | null) => boolean
  /** Another key for what stands in the help already. */
  readonly isHidden?: boolean
}

interface KeyGroup {
  readonly name: string
  readonly bindings: () => readonly KeyBinding[]
}

const groups: KeyGroup[] = []
const SEQUENCE_MS = 1200
const OFF = 'bosun.keys'
let pending: { readonly key: string; readonly at: number } | null = null

export const areKeysOn = (): boolean => localStorage.getItem(OFF) !== 'off'
export const turnKeys = (state: 'on' | 'off'): void => localStorage.setItem(OFF, state)

/** What is bound now, for the help. Later groups come first. */
export const boundKeys = (): readonly { readonly name: string; readonly bindings: readonly KeyBinding[] }[] =>
  groups
    .toReversed()
    .map(({ name, bindings }) => ({ name, bindings: bindings().filter(({ isHidden }) => isHidden !== true) }))
    .filter(({ bindings }) => bindings.length > 0)

/** Binds keys while the component is shown. */
export function useKeys(name: string, bindings: readonly KeyBinding[]): void {
  const current = useRef(bindings)
  useEffect(() => {
    current.current = bindings
  })
  useEffect(() => {
    const group: KeyGroup = { name, bindings: () => current.current }
    groups.push(group)
    return () => {
      groups.splice(groups.indexOf(group), 1)
    }
  }, [name])
}

/** Of an event, as bindings write it; null for a key that is none of ours. */
export function keyOfEvent(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): string | null {
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey)
    return event.key === 'Enter' ? 'Ctrl+Enter' : `Ctrl+${event.key.toUpperCase()}`
  return event.key
}

/** Which binding a key completes, given the one before it. */
export function bindingFor(
  all: readonly KeyBinding[],
  key: string,
  before: string | null,
): { readonly binding: KeyBinding | undefined; readonly isPrefix: boolean } {
  const typed = before === null ? key : `${before} ${key}`
  return {
    binding:
      all.find(({ keys }) => keys === typed) ??
      (before === null ? undefined : all.find(({ keys }) => keys === key)),
    isPrefix: all.some(({ keys }) => keys.startsWith(`${key} `)),
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const key = keyOfEvent(event)
  if (key === null) return
  const isPlain = !key.startsWith('Ctrl+')
  if (isPlain && (isTyping(event.target) || !areKeysOn())) return
  if (isPlain && document.querySelector('[role=dialog]') !== null) return
  const all = groups
    .toReversed()
    .flatMap(({ bindings }) => bindings())
    .filter(({ isFor }) => isFor?.(event.target) !== false)
  const before = pending !== null && event.timeStamp - pending.at < SEQUENCE_MS ? pending.key : null
  pending = null
  const { binding, isPrefix } = bindingFor(all, key, before)
  if (binding !== undefined) {
    event.preventDefault()
    binding.run()
    return
  }
  if (isPrefix) pending = { key, at: event.timeStamp }
}

/** Once, when the page starts. */
export function listenForKeys(): () => void {
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
