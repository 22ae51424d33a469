import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { bootId } from '../system/boot-id.ts'
import { orElse } from '../or-else.ts'

/** Every process of the machine, as the system lists them. */
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
  return process.platform === 'linux' ? rowsFromProc() : rowsFromPs('-ax')
}

function rowsFromProc(): readonly ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (rowFromProc(Number(name)) ?? []) : []))
}

/** Null if it has ended, be it between the listing and the reading. Linux only. */
export const rowFromProc = (pid: number): ProcessRow | null =>
  orElse(() => parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')), null)

const rowOf = (pid: number): ProcessRow | null =>
  process.platform === 'linux' ? rowFromProc(pid) : (rowsFromPs('-p', String(pid))[0] ?? null)

/** Whether it was stopped by a signal. False if it has ended. */
export function isHalted(pid: number): boolean {
  return rowOf(pid)?.isHalted ?? false
}

/** Whether the system lists the children of a process; some are built without. */
export const listsChildren = (): boolean => existsSync(`/proc/${process.pid}/task/${process.pid}/children`)

/** The children of a process, of whichever of its threads. Only where they are listed. */
export function childrenFromProc(pid: number): readonly number[] {
  // It may have ended, and has no children any more; so may one of its threads.
  const threads = orElse(() => readdirSync(`/proc/${pid}/task`), [])
  return threads.flatMap((thread) => {
    const text = orElse(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'), '')
    return text.split(' ').filter(Boolean).map(Number)
  })
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

/** What `ps` prints; null where it finds no such process. */
export const ps = (...args: readonly string[]): string | null =>
  orElse(() => execFileSync('ps', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim(), null)

function rowsFromPs(...which: readonly string[]): readonly ProcessRow[] {
  const text = ps(...which, '-o', 'pid=,ppid=,pgid=,stat=,time=,lstart=') ?? ''
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

/** The identity of a process: its pid with boot id and start time, since pids are reused. */
export interface ProcessIdentity {
  /** The boot it belongs to: after a restart of the machine every identity is dead. */
  readonly boot: string
  readonly pid: number
  /** When it started, in whatever unit the system counts: compared, never computed with. */
  readonly start: string
}

/** Null if no such process lives. A zombie is dead. */
export function identify(pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  const row = rowOf(pid)
  return row === null || row.isZombie ? null : { boot: ownBoot(), pid, start: row.start }
}

export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.boot !== ownBoot()) return false
  return identify(identity.pid)?.start === identity.start
}

let knownBoot: string | null = null

/** Asked for with every look at a process, so it is read once. */
const ownBoot = (): string => (knownBoot ??= bootId())

/** Its title where it has given itself one, else its command line; null if there is no such process, or it may not be inspected. */
export function commandLineOf(pid: number): string | null {
  if (process.platform !== 'linux') return ps('-ww', '-o', 'command=', '-p', String(pid))
  return orElse(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(), null)
}

/** The words of its command line; none if it may not be inspected. */
export function wordsOf(pid: number): readonly string[] {
  const line = orElse(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '')
  return line.split('\0').filter((word) => word !== '')
}
