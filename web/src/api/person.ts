/** Who answers in this browser, and whether they looked at the diff. */
import { useSyncExternalStore } from 'react'

const NAME = 'bosun.name'
const DIFF = 'bosun.diff-opened.'
const watchers = new Set<() => void>()

/** Recorded with what they decide; it proves nothing. */
export const personName = (): string => localStorage.getItem(NAME) ?? ''

export function setPersonName(name: string): void {
  localStorage.setItem(NAME, name)
  for (const watcher of watchers) watcher()
}

export function usePersonName(): string {
  return useSyncExternalStore((changed) => {
    watchers.add(changed)
    return () => watchers.delete(changed)
  }, personName)
}

/** Another attempt is asked about by another item, and has another diff. An id may have its plan before it. */
const diffKey = (repo: string, plan: string, item: string): string =>
  `${DIFF}${repo}:${plan}:${item.slice(item.lastIndexOf(':') + 1)}`

/** The task's page calls it once the diff is on the screen. An approval of critical work records it. */
export const markDiffOpened = (repo: string, plan: string, item: string): void =>
  sessionStorage.setItem(diffKey(repo, plan, item), 'yes')

export const wasDiffOpened = (repo: string, plan: string, item: string): boolean =>
  sessionStorage.getItem(diffKey(repo, plan, item)) === 'yes'
