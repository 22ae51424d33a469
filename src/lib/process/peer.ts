/** Who is at the other end of a connection from this machine, and whether Bosun started it for a worker or a check. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { orElse } from '../or-else.ts'
import { commandLineOf } from './processes.ts'
import { ancestorsOf, markOf } from './process-tree.ts'

/** The process that opened a connection to a port of this machine; null where that cannot be told. */
export function peerPid(connection: { readonly from: number; readonly to: number }): number | null {
  const inode = inodeOf(connection)
  return inode === null ? null : holderOf(`socket:[${inode}]`)
}

/** The system's table of connections names each end by address and port in hexadecimal digits. */
function inodeOf({ from, to }: { readonly from: number; readonly to: number }): string | null {
  const end = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = orElse(() => readFileSync('/proc/net/tcp', 'latin1').split('\n'), [])
  const row = rows
    .map((line) => line.trim().split(/\s+/))
    .find(([, local = '', remote = '']) => local.endsWith(end(from)) && remote.endsWith(end(to)))
  return row?.[9] ?? null
}

function holderOf(link: string): number | null {
  const pids = orElse(() => readdirSync('/proc'), []).filter((name) => /^\d+$/.test(name))
  const holds = (pid: string): boolean =>
    orElse(() => readdirSync(`/proc/${pid}/fd`), []).some(
      (fd) => orElse(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '') === link,
    )
  const found = pids.find(holds)
  return found === undefined ? null : Number(found)
}

/**
 * Whether a process runs below a supervisor, or within a command that is contained. What also holds this process does not
 * count: Bosun itself may run below another Bosun.
 */
export function isBelowWorker(pid: number): boolean {
  const around = new Set([process.pid, ...ancestorsOf(process.pid)])
  const own = markOf(process.pid)
  return [pid, ...ancestorsOf(pid)]
    .filter((one) => !around.has(one))
    .some((one) => {
      const mark = markOf(one)
      return (mark !== null && mark !== own) || commandLineOf(one)?.startsWith('bosun supervise') === true
    })
}
