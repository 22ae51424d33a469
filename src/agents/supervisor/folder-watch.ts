/** Watches for the loss of the worker's folder, without which Bosun can neither control nor follow the worker. */
import { lstatSync } from 'node:fs'

const LOOK_MS = 1000
/** In a row, since a folder may be moved away and back. */
const LOOKS = 3

/** Calls once. Returns a function that stops watching. */
export function watchFolder(path: string, onGone: () => void): () => void {
  let missed = 0
  const timer = setInterval(() => {
    missed = isGone(path) ? missed + 1 : 0
    if (missed < LOOKS) return
    clearInterval(timer)
    onGone()
  }, LOOK_MS)
  return () => clearInterval(timer)
}

function isGone(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    // Temporarily unreachable, not necessarily gone.
    return false
  }
}
