/** Links a task to the earlier tasks that write files it writes, reads or tests. */
import { folderOf, isFolderPath, normalPath } from '../../languages/paths.ts'
import type { Linkable } from './dependencies.ts'
import { put } from './leaf-tasks.ts'

export interface FileUse extends Pick<Linkable, 'writes' | 'reads' | 'creates'> {
  /** Paths its text mentions; they count where an earlier task creates them. */
  readonly mentions: readonly string[]
  /** False where the author states the dependencies; others may still follow this task. */
  readonly follows: boolean
}

/**
 * Per task, the places of the earlier tasks it follows. Of several earlier writers only the last is listed, since it
 * follows the others.
 */
export function fileLinks(tasks: readonly FileUse[]): readonly (readonly number[])[] {
  const folders = new Set(tasks.flatMap((task) => task.writes.filter(isFolderPath).map(normalPath)))
  const writers = new Map<string, Set<number>>()
  /** Writers of files inside a folder that some task writes as a whole. */
  const inside = new Map<string, Set<number>>()
  const creators = new Map<string, number>()
  return tasks.map((task, place) => {
    const links = new Set<number>()
    const follow = (from: Iterable<number> | undefined): void => {
      for (const writer of from ?? []) if (writer !== place) links.add(writer)
    }
    for (const path of new Set([...task.reads, ...task.writes].map(normalPath))) {
      follow(writers.get(path))
      follow(inside.get(path))
      for (const folder of parents(path, folders)) follow(writers.get(folder))
    }
    for (const path of new Set(task.mentions)) {
      const creator = creators.get(path)
      if (creator !== undefined && !task.writes.includes(path)) links.add(creator)
    }
    for (const path of task.creates.map(normalPath)) if (!creators.has(path)) creators.set(path, place)
    for (const path of new Set(task.writes.map(normalPath))) {
      if (task.follows) {
        writers.delete(path)
        inside.delete(path)
      }
      put(writers, path, place)
      for (const folder of parents(path, folders)) put(inside, folder, place)
    }
    return task.follows ? [...links].sort((a, b) => a - b) : []
  })
}

function parents(path: string, folders: ReadonlySet<string>): readonly string[] {
  const found: string[] = []
  if (folders.size === 0) return found
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    if (folders.has(folder)) found.push(folder)
  }
  return found
}
