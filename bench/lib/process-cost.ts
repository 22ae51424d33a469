/** What one process costs, without those it started, as the system counts it. */
import { readFileSync } from 'node:fs'

const MS_PER_TICK = 10

/** Processor time it has used so far. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Its name, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

/** Its unshared memory, with the pages of Node's own program that no other process happens to have read. */
export const privateKib = (pid: number): number => rollupKib(pid, ['Private_Clean', 'Private_Dirty'])

/** The memory it has written, which it shares with no process and which the system cannot drop. */
export const writtenKib = (pid: number): number => rollupKib(pid, ['Private_Dirty'])

function rollupKib(pid: number, names: readonly string[]): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const values = [...rollup.matchAll(/^(\w+):\s+(\d+) kB$/gm)].filter(([, name = '']) => names.includes(name))
  return values.reduce((sum, [, , value]) => sum + Number(value), 0)
}

/** Proportional (shared pages divided among those that share them), unshared and resident memory, in megabytes. */
export function memoryMb(pid: number): {
  readonly pss: number
  readonly private: number
  readonly rss: number
} {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mb = (name: string): number =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]) * 1024) / 1e6
  return { pss: mb('Pss'), private: (privateKib(pid) * 1024) / 1e6, rss: mb('Rss') }
}
