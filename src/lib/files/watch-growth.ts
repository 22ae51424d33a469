import { watch, type FSWatcher } from 'node:fs'

/**
 * Calls back when a file may have grown: at once where the system tells, and every `pollMs` in any case, since it
 * does not always tell. The file should be there already; if it is not, only looking from time to time is left.
 */
export function watchGrowth(path: string, pollMs: number, onChange: () => void): () => void {
  const timer = setInterval(onChange, pollMs)
  const watched = heedGrowth(path, onChange)
  return () => {
    clearInterval(timer)
    watched.close()
  }
}

/** Calls back when the system tells that a file may have grown; `isHeeding` says whether it would. */
export function heedGrowth(
  path: string,
  onChange: () => void,
): { isHeeding: () => boolean; close: () => void } {
  let watcher: FSWatcher | null = null
  const close = (): void => {
    watcher?.close()
    watcher = null
  }
  try {
    watcher = watch(path, () => onChange())
    // The file may be removed, and the system may run out of watches.
    watcher.on('error', close)
  } catch {
    // As above.
  }
  return { isHeeding: () => watcher !== null, close }
}
