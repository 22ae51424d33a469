/** Watches an agent from outside: what it prints, the processor time of its tree, the files it changes, its report,
 * and whether it is halted. */
import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isHalted, treeRows, type ProcessTree } from '../../lib/process/process-tree.ts'
import type { ProcessRow } from '../../lib/process/processes.ts'
import { isWholeReport, readReportFile } from '../command/report-file.ts'

/** Each kind that moved since the look before. */
export type LifeSign = readonly ('output' | 'cpu' | 'files')[]

export interface Observation {
  readonly tree: ProcessTree
  readonly workspace: Looked
  /** Taken before its process started, so that its first changes count. */
  readonly startedAt: number
  readonly outputBytes: () => number
  readonly onSign: (sign: LifeSign) => void
  /** Called when it changes; at first nothing is halted. */
  readonly onHalted: (isHalted: boolean) => void
  /** Where it may leave its report. */
  readonly reports: readonly string[]
  /** Called for every new complete report. */
  readonly onReported: () => void
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
    const of: LifeSign[number][] = []
    if (outputBytes() !== printed) of.push('output')
    printed = outputBytes()
    if (cpu.hasWorked(rows, performance.now())) of.push('cpu')
    if (files()) of.push('files')
    if (of.length > 0) observation.onSign(of)
    if (isHalted(tree, rows) === halted) return
    halted = !halted
    observation.onHalted(halted)
  }, LOOK_MS)
  const unwatch = observation.reports.map((path) => watchReport(path, observation.onReported))
  return () => {
    clearInterval(timer)
    for (const stop of unwatch) stop()
  }
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

interface FoundEntry {
  readonly path: string
  readonly isFolder: boolean
}

interface Passed {
  /** Names of folders that are not entered, */
  readonly names?: ReadonlySet<string>
  /** and a path that is left out altogether. */
  readonly path?: string | null | undefined
}

/** Every entry below a folder, level by level, links not followed. */
export function* entriesBelow(folder: string, passed: Passed = {}): Generator<FoundEntry, void> {
  const folders = [folder]
  for (const next of folders) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name)
      if (path === passed.path) continue
      const isFolder = entry.isDirectory()
      yield { path, isFolder }
      if (isFolder && passed.names?.has(entry.name) !== true) folders.push(path)
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The worker may delete anything, even its workspace.
    return []
  }
}

/** Null for an entry that is gone since it was listed. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    // It was deleted, or its folder was closed.
    return null
  }
}

/** Large, and not what a worker was sent to change. */
const NAMES = new Set(['.git', 'node_modules', 'target', 'dist', 'build', '.venv', '.next'])
const ENTRIES_PER_LOOK = 4000
const MOST_ENTRIES = 200_000

export interface Looked {
  readonly folder: string
  /** What the worker hands to Bosun is no change of its work. */
  readonly outbox: string | null | undefined
}

/**
 * Detects changes in a folder since the last one reported. Each look reads a bounded number of entries and the next one
 * continues there, so in a large folder a change is seen some looks later.
 */
export class ChangedFiles {
  readonly #looked: Looked
  #newestMs: number
  #walk: ReturnType<typeof entriesBelow> | null = null

  constructor(looked: Looked, sinceMs: number) {
    this.#looked = looked
    this.#newestMs = sinceMs
  }

  look(nowMs: number): boolean {
    // A clock that was set back must not hide later changes.
    this.#newestMs = Math.min(this.#newestMs, nowMs)
    const before = this.#newestMs
    this.#walk ??= entriesIn(this.#looked)
    for (let entries = 0; entries < ENTRIES_PER_LOOK; entries++) {
      const next = this.#walk.next()
      if (next.done === true) {
        this.#walk = null
        break
      }
      this.#newestMs = Math.max(this.#newestMs, changedAt(next.value.path))
    }
    return this.#newestMs > before
  }
}

/** Looks at the whole folder at once, or at as much of it as is sensible: beyond that it counts as changed. */
export function hasChangedSince(looked: Looked, sinceMs: number): boolean {
  let entries = 0
  for (const { path } of entriesIn(looked)) {
    if (++entries > MOST_ENTRIES || changedAt(path) > sinceMs) return true
  }
  return false
}

const entriesIn = ({ folder, outbox }: Looked): ReturnType<typeof entriesBelow> =>
  entriesBelow(folder, { names: NAMES, path: outbox })

/** ctime: unlike mtime, a program cannot set it. */
const changedAt = (path: string): number => statsOf(path)?.ctimeMs ?? 0

/** What changed just now may still be written to. */
const STILL_MS = 300
const REPORT_LOOK_MS = 1000

/** Calls for every new complete report. */
function watchReport(path: string, onReported: () => void): () => void {
  let read = ''
  const timer = setInterval(() => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return
    const age = Date.now() - stat.ctimeMs
    const version = `${stat.ino} ${stat.size} ${stat.ctimeMs}`
    if (version === read || (age >= 0 && age < STILL_MS)) return
    read = version
    if (isWholeReport(readReportFile(path).text)) onReported()
  }, REPORT_LOOK_MS)
  return () => clearInterval(timer)
}
