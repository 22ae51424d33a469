import { useSyncExternalStore } from 'react'

const NARROW = matchMedia('(max-width: 639px)')

/** Whether there is room for one column only. */
export function usePhone(): boolean {
  return useSyncExternalStore(
    (changed) => {
      NARROW.addEventListener('change', changed)
      return () => NARROW.removeEventListener('change', changed)
    },
    () => NARROW.matches,
  )
}
