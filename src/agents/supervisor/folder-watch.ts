/** Looks whether the worker's folder is still there: without it nobody can ask for the worker, or ever hear of it. */
import { lstatSync } from 'node:fs'

const LOOK_MS = 1000
/** In a row: whoever puts a folder elsewhere and back is not taken at their word at once. */
const LOOKS = 3

/** Calls once, and looks no more. Ends when the returned function is called. */
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
    // Out of reach for now, which says nothing about whether it is there.
    return false
  }
}
