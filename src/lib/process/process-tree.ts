/** A process with everything it started: who belongs to it, what it used, and its end. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cgroupAt, cgroupPids, removeCgroup, type Containment } from './containment.ts'
import {
  identify,
  isAlive,
  processRows,
  commandLineOf,
  childrenFromProc,
  listsChildren,
  rowFromProc,
  type ProcessIdentity,
  type ProcessRow,
  ps,
} from './processes.ts'
import { orElse } from '../or-else.ts'

/** Can be written down, and found again by another process. */
export interface ProcessTree {
  /** What we started, in a session of its own. */
  readonly leader: ProcessIdentity
  /** Stands in the environment of everything it starts, unless that clears its environment. */
  readonly mark: string
  readonly kind: Containment['kind']
  /** The control group that everything it starts is born in; absent where it has none. */
  readonly cgroup?: string | null | undefined
}

const NO_PIDS: ReadonlySet<number> = new Set()
export const MARK_VARIABLE = 'BOSUN_TREE'

export interface TreeEnd {
  /** How it went: by themselves after the first signal, or killed. */
  readonly how: 'gone' | 'terminated' | 'killed'
  /** Empty unless something could not be ended. */
  readonly survivors: readonly number[]
}

const POLL_MS = 20
const MAX_KILL_MS = 5000
/** A single scan may miss processes started and reparented meanwhile. */
const LOOKS_IN_VAIN = 2

type ListProcesses = () => readonly ProcessRow[]

/** Everything alive that belongs to the tree, but for what is started meanwhile by something that ends meanwhile. */
export function treeMembers(tree: ProcessTree, list: ListProcesses = processRows): readonly ProcessRow[] {
  // Asked before the others are listed: then what a leader that ended has left is listed.
  const leads = isAlive(tree.leader)
  const rows = list().filter((row) => !row.isZombie)
  const born = hasOwnCgroup(tree) ? cgroupPids(tree.cgroup) : NO_PIDS
  const belongs = (row: ProcessRow): boolean =>
    born.has(row.pid) ||
    // The pid of an ended leader may belong to another process.
    (leads && (row.pid === tree.leader.pid || row.session === tree.leader.pid)) ||
    (row.pid !== process.pid && markOf(row.pid) === tree.mark)
  return withDescendants(rows, rows.filter(belongs))
}

/** A group of any other name was not made for this tree, whatever was written down: nothing in it is ours. */
export const hasOwnCgroup = (tree: ProcessTree): tree is ProcessTree & { readonly cgroup: string } =>
  typeof tree.cgroup === 'string' && tree.cgroup === cgroupAt(dirname(tree.cgroup), tree.mark)

/** Adds everything they started, directly or not; never this process. */
export function withDescendants(
  rows: readonly ProcessRow[],
  roots: readonly ProcessRow[],
): readonly ProcessRow[] {
  const children = Map.groupBy(rows, (row) => row.parent)
  const found = new Map(roots.map((row) => [row.pid, row]))
  // A map's iteration also visits what is added meanwhile.
  for (const pid of found.keys()) {
    for (const child of children.get(pid) ?? []) if (!found.has(child.pid)) found.set(child.pid, child)
  }
  found.delete(process.pid)
  return [...found.values()]
}

/** The mark in the environment of a process; null without one, or if the process may not be inspected. */
export function markOf(pid: number): string | null {
  const own = environmentOf(pid).find((entry) => entry.startsWith(`${MARK_VARIABLE}=`))
  return own?.slice(MARK_VARIABLE.length + 1) ?? null
}

function environmentOf(pid: number): readonly string[] {
  if (process.platform !== 'linux') return ps('-Ewwo', 'command=', '-p', String(pid))?.split(' ') ?? []
  // One that ended, or belongs to another user, is not ours.
  return orElse(() => readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0'), [])
}

/** Sends SIGTERM, waits for `graceMs`, kills what is left, and repeats until nothing is. */
export function endTree(tree: ProcessTree, graceMs: number): Promise<TreeEnd> {
  const members = (): readonly ProcessRow[] => treeMembers(tree)
  // The first process of a namespace gets no signal: it ends after the others.
  const isAskable = (row: ProcessRow): boolean => !holdsNamespace(tree, row)
  return endAll({ members, isAskable, isGone: () => isCgroupGone(tree), graceMs })
}

/** Kills everything, including processes that appear meanwhile. Returns those that could not be killed. */
export function killTree(tree: ProcessTree, list?: ListProcesses): Promise<readonly number[]> {
  return killAll({ members: () => treeMembers(tree, list), isGone: () => isCgroupGone(tree) })
}

/** Processes that belong together, looked for anew each time. */
interface Family {
  readonly members: () => readonly ProcessRow[]
  /** Whether nothing can be left once no member is found. */
  readonly isGone?: () => boolean
}

/** Asks them to end, then kills those that are left after `graceMs`. Rejects if the signal aborts before that. */
export async function endAll(
  family: Family & {
    readonly isAskable?: (row: ProcessRow) => boolean
    readonly graceMs: number
    readonly signal?: AbortSignal
  },
): Promise<TreeEnd> {
  const { members, isAskable = () => true, graceMs, signal } = family
  const asked = new Set<number>()
  const began = performance.now()
  for (;;) {
    signal?.throwIfAborted()
    const found = members()
    if (found.length === 0) return { how: asked.size === 0 ? 'gone' : 'terminated', survivors: [] }
    if (performance.now() - began >= graceMs) return { how: 'killed', survivors: await killAll(family) }
    // Processes that started meanwhile get the signal too.
    const others = found.filter((row) => isAskable(row) && !asked.has(row.pid))
    signalAll(others, 'SIGTERM')
    // A halted process handles no signal until it is continued.
    continueAll(others)
    for (const row of others) asked.add(row.pid)
    await pause(POLL_MS)
  }
}

async function killAll({ members, isGone = () => true }: Family): Promise<readonly number[]> {
  const began = performance.now()
  let looksInVain = 0
  for (;;) {
    const found = members()
    looksInVain = found.length === 0 ? looksInVain + 1 : 0
    if (looksInVain >= LOOKS_IN_VAIN && isGone()) return []
    if (performance.now() - began > MAX_KILL_MS) return found.map((row) => row.pid)
    signalAll(found, 'SIGKILL')
    if (looksInVain !== 1) await pause(POLL_MS)
  }
}

/** The system removes no group that holds a process: where there is one, nothing is left of it for certain. */
const isCgroupGone = (tree: ProcessTree): boolean => !hasOwnCgroup(tree) || removeCgroup(tree.cgroup)

/** The leader of a namespace waits for its first process, which waits for the one thing it runs. */
export const holdsNamespace = ({ kind, leader }: ProcessTree, row: ProcessRow): boolean =>
  kind === 'namespace' && (row.pid === leader.pid || row.parent === leader.pid)

/** Lets everything go on that was halted. */
export const continueTree = (tree: ProcessTree): void => continueAll(treeMembers(tree))

function continueAll(rows: readonly ProcessRow[]): void {
  const halted = rows.filter((row) => row.isHalted)
  signalAll(halted, 'SIGCONT')
}

function signalAll(rows: readonly ProcessRow[], signal: NodeJS.Signals): void {
  for (const row of rows) {
    // It may have ended since, and its pid may belong to another process.
    if (identify(row.pid)?.start !== row.start) continue
    try {
      process.kill(row.pid, signal)
    } catch {
      // It ended before the signal came.
    }
  }
}

// The owner and ancestors of a process, and whether Bosun started it.

/** The id of the user it runs as; null if no such process lives. */
export function ownerOf(pid: number): number | null {
  try {
    const uid =
      process.platform === 'linux'
        ? /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        : ps('-o', 'uid=', '-p', String(pid))
    return uid === undefined || uid === null || uid === '' ? null : Number(uid)
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

// Ends a process that Bosun did not start, with everything below it. Nothing marks what belongs to it, so what was
// once seen below it stays known by its identity, also after its parents are gone.

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

// A process tree as it is now, looked at often: only what belongs to it is read, wherever the system allows that.

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
