/** Watches an agent from outside: what it prints, the processor time of its tree, the files it changes, whether it is halted. */
import type { ProcessTree } from '../../lib/process/process-tree.ts'
import { isHalted, treeRows } from '../../lib/process/tree-rows.ts'
import { ChangedFiles, type Looked } from './changed-files.ts'
import type { ProcessRow } from '../../lib/process/process-rows.ts'

export interface LifeSign {
  /** Each kind that moved since the look before. */
  readonly of: readonly ('output' | 'cpu' | 'files')[]
  readonly outputBytes: number
}

export interface Observation {
  readonly tree: ProcessTree
  readonly workspace: Looked
  /** Taken before its process started, so that its first changes count. */
  readonly startedAt: number
  readonly outputBytes: () => number
  readonly onSign: (sign: LifeSign) => void
  /** Called when it changes; at first nothing is halted. */
  readonly onHalted: (isHalted: boolean) => void
}

const LOOK_MS = 2000
/** Walking through the files may take no more than this share of the time. */
const FILES_SHARE = 1 / 300

/** At most one sign per look. Ends when the returned function is called. */
export function observe(observation: Observation): () => void {
  const { tree, outputBytes } = observation
  const cpu = new CpuMeter(treeRows(tree), performance.now())
  const files = atItsShare(new ChangedFiles(observation.workspace, observation.startedAt))
  let [printed, halted] = [outputBytes(), false]
  const timer = setInterval(() => {
    const rows = treeRows(tree)
    const of: LifeSign['of'][number][] = []
    if (outputBytes() !== printed) of.push('output')
    printed = outputBytes()
    if (cpu.hasWorked(rows, performance.now())) of.push('cpu')
    if (files()) of.push('files')
    if (of.length > 0) observation.onSign({ of, outputBytes: printed })
    if (isHalted(tree, rows) === halted) return
    halted = !halted
    observation.onHalted(halted)
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** What took long is left out until it may be done again. */
function atItsShare(files: ChangedFiles): () => boolean {
  let notBefore = 0
  return () => {
    const began = performance.now()
    if (began < notBefore) return false
    const hasChanged = files.look(Date.now())
    notBefore = began + (performance.now() - began) / FILES_SHARE
    return hasChanged
  }
}

/** An idle program wakes now and then; that is not work. This much is, within so long. */
const WORK_MS = 100
const WITHIN_MS = 6000

/**
 * Whether a process tree works, from one look to the next. Each process is compared with itself, so that one that ended
 * takes nothing away; what it had used is then its parent's, if that waited for it.
 */
export class CpuMeter {
  #before: ReadonlyMap<string, number>
  #workMs = 0
  #since: number

  constructor(rows: readonly ProcessRow[], now: number) {
    this.#before = usage(rows)
    this.#since = now
  }

  hasWorked(rows: readonly ProcessRow[], now: number): boolean {
    const used = usage(rows)
    for (const [who, cpuMs] of used) this.#workMs += Math.max(0, cpuMs - (this.#before.get(who) ?? 0))
    this.#before = used
    const hasWorked = this.#workMs >= WORK_MS
    if (hasWorked || now - this.#since >= WITHIN_MS) {
      this.#workMs = 0
      this.#since = now
    }
    return hasWorked
  }
}

const usage = (rows: readonly ProcessRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map((row) => [`${row.pid} ${row.start}`, row.cpuMs]))
