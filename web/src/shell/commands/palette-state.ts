/** Which of the palette and the list of keys is open, for whatever opens them. */
import { useSyncExternalStore } from 'react'

export type Overlay = 'palette' | 'keys'

let shown: Overlay | null = null
const watchers = new Set<() => void>()

/** Null closes it. */
export function showOverlay(overlay: Overlay | null): void {
  shown = overlay
  for (const watcher of watchers) watcher()
}

export const openPalette = (): void => showOverlay('palette')

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(
    (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    () => shown,
  )
}
