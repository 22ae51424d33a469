/** Every process of the machine, as the system lists them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly isZombie: boolean
  /** Stopped by a signal: it does nothing until another one lets it go on. */
  readonly isHalted: boolean
  readonly start: string
  /** Of itself and of the children it has waited for. */
  readonly cpuMs: number
}

/** Linux counts processor time in hundredths of a second for everyone who asks. */
const MS_PER_TICK = 10

export function processRows(): readonly ProcessRow[] {
  return process.platform === 'linux' ? rowsFromProc() : rowsFromPs()
}

function rowsFromProc(): readonly ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (rowFromProc(Number(name)) ?? []) : []))
}

/** Null if it has ended. Linux only. */
export function rowFromProc(pid: number): ProcessRow | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // It ended between the listing and the reading.
    return null
  }
}

/** Whether it was stopped by a signal. False if it has ended. */
export function isHalted(pid: number): boolean {
  if (process.platform === 'linux') return rowFromProc(pid)?.isHalted ?? false
  return processRows().find((row) => row.pid === pid)?.isHalted ?? false
}

/** Whether the system lists the children of a process; some are built without. */
export const listsChildren = (): boolean => existsSync(`/proc/${process.pid}/task/${process.pid}/children`)

/** The children of a process, of whichever of its threads. Only where they are listed. */
export function childrenFromProc(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) => {
    try {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
      return text.split(' ').filter(Boolean).map(Number)
    } catch {
      // That thread has ended.
      return []
    }
  })
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    // It has ended, and has no children any more.
    return []
  }
}

/** The name in brackets may hold anything, brackets and newlines too; the fields begin after the last bracket. */
export function parseStat(text: string): ProcessRow | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (field: number): number => Number(fields[field - 3])
  const start = fields[22 - 3]
  if (start === undefined) return null
  return {
    pid: Number.parseInt(text, 10),
    parent: at(4),
    group: at(5),
    session: at(6),
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
    isHalted: fields[0] === 'T',
    start,
    cpuMs: (at(14) + at(15) + at(16) + at(17)) * MS_PER_TICK,
  }
}

function rowsFromPs(): readonly ProcessRow[] {
  const columns = 'pid=,ppid=,pgid=,stat=,time=,lstart='
  const text = execFileSync('ps', ['-axo', columns], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state = '', time = '', ...start] = line.trim().split(/\s+/)
    if (pid === undefined || start.length === 0) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        // Not listed there; a process of its own session has at least a group of its own.
        session: Number(group),
        isZombie: state.startsWith('Z'),
        isHalted: state.startsWith('T'),
        start: start.join(' '),
        cpuMs: cpuOf(time),
      },
    ]
  })
}

/** `1:02.50` or `1-02:03:04`. */
function cpuOf(time: string): number {
  const [rest = '', days = '0'] = time.split('-').reverse()
  const seconds = rest.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1000
}
