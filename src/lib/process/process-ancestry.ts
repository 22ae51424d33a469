/** The owner and ancestors of a process, and whether Bosun started it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { commandLineOf } from './command-line.ts'
import { processRows } from './process-rows.ts'
import { markOf } from './process-tree.ts'

/** The id of the user it runs as; null if no such process lives. */
export function ownerOf(pid: number): number | null {
  try {
    const uid =
      process.platform === 'linux'
        ? /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        : execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return uid === undefined || uid === '' ? null : Number(uid)
  } catch {
    // It has ended, or was never there.
    return null
  }
}

/** Its parent, the parent of that, and so on. */
export function ancestorsOf(pid: number): ReadonlySet<number> {
  const parents = new Map(processRows().map((row) => [row.pid, row.parent]))
  const found = new Set<number>()
  for (let at = parents.get(pid); at !== undefined && at > 0 && !found.has(at); at = parents.get(at))
    found.add(at)
  return found
}

/** Whether it was started by Bosun for one of its workers, or holds one. */
export const isOfBosun = (pid: number): boolean =>
  commandLineOf(pid)?.startsWith('bosun supervise') === true || markOf(pid) !== null
