/** A process with everything it started: who belongs to it, what it used, and its end. */
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Containment } from './containment.ts'
import { cgroupAt, cgroupPids, removeCgroup } from './cgroup.ts'
import { identify, isAlive, type ProcessIdentity } from './identity.ts'
import { processRows, type ProcessRow } from './process-rows.ts'

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
  try {
    const entries =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
        : execFileSync('ps', ['-Ewwo', 'command=', '-p', String(pid)], { encoding: 'utf8' }).split(' ')
    const own = entries.find((entry) => entry.startsWith(`${MARK_VARIABLE}=`))
    return own?.slice(MARK_VARIABLE.length + 1) ?? null
  } catch {
    // It ended, or belongs to another user: not ours.
    return null
  }
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
