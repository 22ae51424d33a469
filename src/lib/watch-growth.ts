import { watch, type FSWatcher } from 'node:fs'

/**
 * Calls back when a file may have grown: at once where the system tells, and every `pollMs` in any case, since it
 * does not always tell. The file should be there already; if it is not, only looking from time to time is left.
 */
export function watchGrowth(path: string, pollMs: number, onChange: () => void): () => void {
  const timer = setInterval(onChange, pollMs)
  let watcher: FSWatcher | null = null
  try {
    watcher = watch(path, () => onChange())
    // The file may be removed, and the system may run out of watches.
    watcher.on('error', () => watcher?.close())
  } catch {
    // As above.
  }
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}
