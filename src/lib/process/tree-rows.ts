/** A process tree as it is now, looked at often: only what belongs to it is read, wherever the system allows that. */
import { cgroupPids } from './cgroup.ts'
import { childrenFromProc, listsChildren, processRows, rowFromProc, type ProcessRow } from './process-rows.ts'
import { hasOwnCgroup, holdsNamespace, withDescendants, type ProcessTree } from './process-tree.ts'

/**
 * Everything of the tree that can be found without looking at strangers' environments: in a namespace that is all of it,
 * in a control group too; elsewhere what left both its parent and its session is not seen.
 */
export function treeRows(tree: ProcessTree): readonly ProcessRow[] {
  if (hasOwnCgroup(tree)) return [...cgroupPids(tree.cgroup)].flatMap((pid) => rowFromProc(pid) ?? [])
  return (tree.kind === 'namespace' ? rowsBelow(tree) : null) ?? rowsByListing(tree)
}

/** Walks down from the leader. Null where the system does not list children. */
function rowsBelow({ leader }: ProcessTree): readonly ProcessRow[] | null {
  if (!listsChildren()) return null
  const first = rowFromProc(leader.pid)
  if (first === null || first.start !== leader.start) return []
  const rows = [first]
  for (const { pid } of rows) {
    for (const child of childrenFromProc(pid)) {
      const row = rowFromProc(child)
      if (row !== null) rows.push(row)
    }
  }
  return rows
}

function rowsByListing({ leader }: ProcessTree): readonly ProcessRow[] {
  const rows = processRows()
  const first = rows.find((row) => row.pid === leader.pid && row.start === leader.start)
  if (first === undefined) return []
  return withDescendants(rows, [first, ...rows.filter((row) => row.session === leader.pid)])
}

/**
 * Whether the tree is halted until a SIGCONT: the command itself was stopped by a signal, or all its leaf
 * processes were.
 */
export function isHalted(tree: ProcessTree, rows: readonly ProcessRow[]): boolean {
  const own = rows.filter((row) => !row.isZombie && !holdsNamespace(tree, row))
  const parents = new Set(own.map((row) => row.parent))
  const leaves = own.filter((row) => !parents.has(row.pid))
  return (
    commandIn(tree, rows)?.isHalted === true || (leaves.length > 0 && leaves.every((row) => row.isHalted))
  )
}

/** The command itself: in a namespace the first thing that its first process started. */
function commandIn(tree: ProcessTree, rows: readonly ProcessRow[]): ProcessRow | undefined {
  const { leader, kind } = tree
  if (kind === 'group') return rows.find((row) => row.pid === leader.pid)
  const first = rows.find((row) => row.parent === leader.pid)
  return rows
    .filter((row) => row.parent === first?.pid && !row.isZombie)
    .toSorted((one, other) => Number(one.start) - Number(other.start))
    .at(0)
}
