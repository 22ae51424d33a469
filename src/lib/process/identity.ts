/** The identity of a process: its pid with boot id and start time, since pids are reused. */
import { execFileSync } from 'node:child_process'
import { rowFromProc } from './process-rows.ts'
import { bootId } from '../system/boot-id.ts'

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
  const start = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid)
  return start === null ? null : { boot: ownBoot(), pid, start }
}

export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.boot !== ownBoot()) return false
  return identify(identity.pid)?.start === identity.start
}

let knownBoot: string | null = null

/** Asked for with every look at a process, so it is read once. */
const ownBoot = (): string => (knownBoot ??= bootId())

function startOnLinux(pid: number): string | null {
  const row = rowFromProc(pid)
  return row === null || row.isZombie ? null : row.start
}

function startByPs(pid: number): string | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const [state = '', ...start] = line.split(/\s+/)
    return state === '' || state.startsWith('Z') ? null : start.join(' ')
  } catch {
    // ps fails when there is no such process.
    return null
  }
}
