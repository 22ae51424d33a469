/** What a process says of itself: its title where it has given itself one, else its command line. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Null if there is no such process, or it may not be inspected. */
export function commandLineOf(pid: number): string | null {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    // It has ended, or may not be inspected.
    return null
  }
}
