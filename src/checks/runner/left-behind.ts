/** What a set-up leaves in a checkout: the difference between two looks at it. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every file and folder by its path, with what shows that it was changed; folders have an empty mark. */
export type Sight = ReadonlyMap<string, string>

export interface LeftBehind {
  /** New files, and new folders as a whole. */
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

const FOLDER = ''

export function look(root: string): Sight {
  const seen = new Map<string, string>()
  walk(root, (path, mark) => {
    seen.set(path, mark)
    return true
  })
  return seen
}

export function leftSince(before: Sight, root: string): LeftBehind {
  const added: string[] = []
  const changed: string[] = []
  const there = new Set<string>()
  walk(root, (path, mark) => {
    there.add(path)
    const was = before.get(path)
    if (was === undefined) added.push(path)
    else if (was !== mark) changed.push(path)
    return was === FOLDER
  })
  return { added, changed, removed: [...before.keys()].filter((path) => !there.has(path)) }
}

/** Enters a folder if `see` answers with true. */
function walk(root: string, see: (path: string, mark: string) => boolean): void {
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (folder === '' && entry.name === '.git') continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const mark = entry.isDirectory() ? FOLDER : markOf(join(root, path))
      if (see(path, mark) && entry.isDirectory()) folders.push(path)
    }
  }
}

function markOf(path: string): string {
  const { ino, size, ctimeNs } = lstatSync(path, { bigint: true })
  return `${ino} ${size} ${ctimeNs}`
}
