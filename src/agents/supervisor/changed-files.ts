import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Large, and not what a worker was sent to change. */
const PASSED_OVER = new Set(['.git', 'node_modules', 'target', 'dist', 'build', '.venv', '.next'])
const MAX_ENTRIES = 4000

/**
 * Whether something in the folder changed after that moment. Looks at a bounded number of entries, so that in a
 * very large tree the answer may be no although something did: it is one sign of life among several.
 */
export function hasChangedSince(folder: string, sinceMs: number): boolean {
  const folders = [folder]
  let entries = 0
  for (const next of folders) {
    for (const entry of entriesOf(next)) {
      if (++entries > MAX_ENTRIES) return false
      const path = join(next, entry.name)
      if (changedAt(path) > sinceMs) return true
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) folders.push(path)
    }
  }
  return false
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The worker may remove what it likes, its workspace too.
    return []
  }
}

/** The time of a file's last change can be set to anything; that of its entry cannot. */
function changedAt(path: string): number {
  try {
    return lstatSync(path).ctimeMs
  } catch {
    // Gone since it was listed.
    return 0
  }
}
