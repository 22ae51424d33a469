/**
 * Ends a process that Bosun did not start, with everything below it. Nothing marks what belongs to it, so what was
 * once seen below it stays known by its identity, also after its parents are gone.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { identify, isAlive, type ProcessIdentity } from './identity.ts'
import { processRows } from './process-rows.ts'
import type { TreeEnd } from './process-tree.ts'
import { ownerOf } from './standing.ts'

const POLL_MS = 20
const MAX_KILL_MS = 5000

/**
 * Sends SIGTERM, waits for `graceMs`, kills what is left. Does nothing unless the leader is the same process,
 * nothing of another user, and never this process. Rejects where it is cut short by `signal`.
 */
export async function endFoundTree(
  leader: ProcessIdentity,
  graceMs: number,
  signal: AbortSignal,
): Promise<TreeEnd> {
  if (!isAlive(leader)) return { how: 'gone', survivors: [] }
  const uid = ownerOf(leader.pid)
  const known = new Map<number, string>([[leader.pid, leader.start]])
  const asked = new Set<number>()
  const began = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const members = membersNow(known, uid)
    if (members.length === 0) return { how: asked.size === 0 ? 'gone' : 'terminated', survivors: [] }
    if (performance.now() - began >= graceMs) break
    for (const pid of members.filter((one) => !asked.has(one))) {
      send(pid, known, 'SIGTERM')
      asked.add(pid)
    }
    await pause(POLL_MS)
  }
  const killing = performance.now()
  for (;;) {
    const members = membersNow(known, uid)
    if (members.length === 0) return { how: 'killed', survivors: [] }
    if (performance.now() - killing > MAX_KILL_MS) return { how: 'killed', survivors: members }
    for (const pid of members) send(pid, known, 'SIGKILL')
    await pause(POLL_MS)
  }
}

/** Those of the known that live, and what they have started since, which is known from now on. */
function membersNow(known: Map<number, string>, uid: number | null): readonly number[] {
  const rows = processRows().filter((row) => !row.isZombie && row.pid !== process.pid)
  const members = new Set(rows.filter((row) => known.get(row.pid) === row.start).map((row) => row.pid))
  const children = Map.groupBy(rows, (row) => row.parent)
  // A set's iteration also visits what is added meanwhile.
  for (const pid of members) {
    for (const child of children.get(pid) ?? []) {
      if (members.has(child.pid) || ownerOf(child.pid) !== uid) continue
      members.add(child.pid)
      known.set(child.pid, child.start)
    }
  }
  return [...members]
}

function send(pid: number, known: ReadonlyMap<number, string>, signal: NodeJS.Signals): void {
  // It may have ended since, and its pid may belong to another process.
  if (identify(pid)?.start !== known.get(pid)) return
  try {
    process.kill(pid, signal)
  } catch {
    // It ended before the signal came.
  }
}
