/**
 * Ends a process that Bosun did not start, with everything below it. Nothing marks what belongs to it, so what was
 * once seen below it stays known by its identity, also after its parents are gone.
 */
import { isAlive, type ProcessIdentity } from './identity.ts'
import { processRows, type ProcessRow } from './process-rows.ts'
import { endAll, withDescendants, type TreeEnd } from './process-tree.ts'
import { ownerOf } from './process-ancestry.ts'

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
  return endAll({ members: () => membersNow(known, uid), graceMs, signal })
}

/** Those of the known that live, and what they have started since, which is known from now on. */
function membersNow(known: Map<number, string>, uid: number | null): readonly ProcessRow[] {
  const rows = processRows().filter((row) => !row.isZombie && row.pid !== process.pid)
  const isKnown = (row: ProcessRow): boolean => known.get(row.pid) === row.start
  const found = withDescendants(rows, rows.filter(isKnown))
  const members = found.filter((row) => isKnown(row) || ownerOf(row.pid) === uid)
  for (const { pid, start } of members) known.set(pid, start)
  return members
}
