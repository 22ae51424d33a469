/** Texts that a person has begun to write. Kept in this browser until they are sent. */
import { useSyncExternalStore } from 'react'

const PREFIX = 'bosun.draft.'
const watchers = new Set<() => void>()

addEventListener('storage', ({ key }) => {
  if (key?.startsWith(PREFIX) === true) for (const watcher of watchers) watcher()
})

/** What the browser has no room for, such as a log of several megabytes: it stays until the tab is closed. */
const unstored = new Map<string, string>()

export const readDraft = (name: string): string =>
  unstored.get(name) ?? localStorage.getItem(PREFIX + name) ?? ''

/** An empty text removes it. */
export function writeDraft(name: string, text: string): void {
  unstored.delete(name)
  try {
    if (text === '') localStorage.removeItem(PREFIX + name)
    else localStorage.setItem(PREFIX + name, text)
  } catch {
    unstored.set(name, text)
  }
  for (const watcher of watchers) watcher()
}

export const clearDraft = (name: string): void => writeDraft(name, '')

export function useDraft(name: string): readonly [string, (text: string) => void] {
  const text = useSyncExternalStore(
    (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    () => readDraft(name),
  )
  return [text, (next) => writeDraft(name, next)]
}
