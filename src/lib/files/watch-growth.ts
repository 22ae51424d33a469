import { watch, type FSWatcher } from 'node:fs'

/**
 * Calls back when a file may have grown: at once on a file event, and every `pollMs` in any case, since events can be
 * lost. A file that does not exist yet is only polled.
 */
export function watchGrowth(path: string, pollMs: number, onChange: () => void): () => void {
  const timer = setInterval(onChange, pollMs)
  const watched = heedGrowth(path, onChange)
  return () => {
    clearInterval(timer)
    watched.close()
  }
}

/** Calls back on file events only; `isHeeding` is whether they are being received. */
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
