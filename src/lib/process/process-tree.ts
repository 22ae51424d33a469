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
  const entry = `${MARK_VARIABLE}=${tree.mark}`
  const born = hasOwnCgroup(tree) ? cgroupPids(tree.cgroup) : NO_PIDS
  const belongs = (row: ProcessRow): boolean =>
    born.has(row.pid) ||
    // The pid of an ended leader may belong to another process.
    (leads && (row.pid === tree.leader.pid || row.session === tree.leader.pid)) ||
    hasEntry(row.pid, entry)
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

function hasEntry(pid: number, entry: string): boolean {
  if (pid === process.pid) return false
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry)
    return execFileSync('ps', ['-Ewwo', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(
      ` ${entry} `,
    )
  } catch {
    // It ended, or belongs to another user: not ours.
    return false
  }
}

/** Sends SIGTERM, waits for `graceMs`, kills what is left, and repeats until nothing is. */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<TreeEnd> {
  const asked = new Set<number>()
  const began = performance.now()
  for (;;) {
    const members = treeMembers(tree)
    if (members.length === 0) return { how: asked.size === 0 ? 'gone' : 'terminated', survivors: [] }
    if (performance.now() - began >= graceMs) break
    // Processes that started meanwhile get the signal too.
    const others = askable(tree, members).filter((row) => !asked.has(row.pid))
    signalAll(others, 'SIGTERM')
    // A halted process handles no signal until it is continued.
    signalAll(
      others.filter((row) => row.isHalted),
      'SIGCONT',
    )
    for (const row of others) asked.add(row.pid)
    await pause(POLL_MS)
  }
  return { how: 'killed', survivors: await killTree(tree) }
}

/** Kills everything, including processes that appear meanwhile. Returns those that could not be killed. */
export async function killTree(
  tree: ProcessTree,
  list: ListProcesses = processRows,
): Promise<readonly number[]> {
  const began = performance.now()
  let looksInVain = 0
  for (;;) {
    const members = treeMembers(tree, list)
    looksInVain = members.length === 0 ? looksInVain + 1 : 0
    if (looksInVain >= LOOKS_IN_VAIN && isCgroupGone(tree)) return []
    if (performance.now() - began > MAX_KILL_MS) return members.map((row) => row.pid)
    signalAll(members, 'SIGKILL')
    if (looksInVain !== 1) await pause(POLL_MS)
  }
}

/** The system removes no group that holds a process: where there is one, nothing is left of it for certain. */
const isCgroupGone = (tree: ProcessTree): boolean => !hasOwnCgroup(tree) || removeCgroup(tree.cgroup)

/** The first process of a namespace gets no signal: it ends after the others. */
const askable = (tree: ProcessTree, members: readonly ProcessRow[]): readonly ProcessRow[] =>
  members.filter((row) => !holdsNamespace(tree, row))

/** The leader of a namespace waits for its first process, which waits for the one thing it runs. */
export const holdsNamespace = ({ kind, leader }: ProcessTree, row: ProcessRow): boolean =>
  kind === 'namespace' && (row.pid === leader.pid || row.parent === leader.pid)

/** Lets everything go on that was halted. */
export function continueTree(tree: ProcessTree): void {
  signalAll(
    treeMembers(tree).filter((row) => row.isHalted),
    'SIGCONT',
  )
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
