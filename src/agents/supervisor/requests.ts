/**
 * What ends a worker from outside, or reaches it: Bosun's commands, its limits of time, disk and budget, the loss of its
 * folder, and signals. Each watch ends when the function that it returned is called.
 */
import { appendFileSync, lstatSync } from 'node:fs'
import { overBudget } from '../../core/crew/price-usage.ts'
import { diskProblem, isWorthMeasuring, roomToKeep } from '../../core/watch/disk-use.ts'
import { roomAt } from '../../lib/files/system-error.ts'
import { watchGrowth } from '../../lib/files/line-tail.ts'
import { usageOf, type SessionMessage, type SessionUsage } from '../../ports/agent.ts'
import {
  asDamage,
  CommandTail,
  DamagedFile,
  MISSING,
  type WorkerCommand,
  type WorkerFolder,
  type WorkerJob,
} from '../worker-folder.ts'
import { entriesBelow, statsOf } from './life-signs.ts'
import type { Ending } from './worker-end.ts'

const LOOK_MS = 1000

interface RequestHandlers {
  readonly pausedMs: () => number
  readonly onNudge: () => void
  readonly onMessage: (message: SessionMessage) => void
  /** With what it had used by then. */
  readonly onOverBudget: (used: SessionUsage) => void
}

/** Follows the requests to stop the worker (from Bosun, its limits, damage or a signal), to nudge it, and messages to it. */
export function followRequests(folder: WorkerFolder, job: WorkerJob, handlers: RequestHandlers) {
  const { pausedMs, onNudge, onMessage, onOverBudget } = handlers
  const { promise: toEnd, resolve } = Promise.withResolvers<Ending>()
  const limit = new TimeLimit(job.limitMs, {
    pausedMs,
    onOver: () => resolve({ kind: 'stop_wanted', cause: 'time_limit' }),
  })
  const onUsed = watchBudget(job, (why, used) => {
    onOverBudget(used)
    resolve({ kind: 'stop_wanted', cause: 'budget', why })
  })
  const unwatchDisk = watchDisk(job.workspace, (why) =>
    resolve({ kind: 'stop_wanted', cause: 'disk_limit', why }),
  )
  const onDamage = ({ message }: DamagedFile): void => resolve({ kind: 'damaged', why: message })
  const unwatchFolder = watchFolder(folder.job, () => onDamage(new DamagedFile(folder.job, MISSING)))
  const onCommand = (command: WorkerCommand): void => {
    switch (command.kind) {
      case 'stop':
        return resolve({ kind: 'stop_wanted', cause: command.cause })
      case 'limit':
        return limit.extend(command.limitMs)
      case 'hold':
        return limit.hold(command.isHeld)
      case 'nudge':
        return onNudge()
      case 'send':
        // A halted agent could not take it.
        onNudge()
        return onMessage(command.words)
    }
  }
  const unfollow = followCommands(folder.commands, onCommand, onDamage)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => resolve({ kind: 'supervisor_ended', signal }))
  }
  // There is no terminal that could hang up on it.
  process.on('SIGHUP', () => undefined)
  return {
    toEnd,
    onUsed,
    close: () => {
      unfollow()
      unwatchDisk()
      unwatchFolder()
      limit.close()
    },
  }
}

/** What a timer can count to; a longer limit is looked at again. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * How long a worker may run, all in all, from the moment this is made. Time in which its supervisor itself did not run does
 * not count: whatever froze the one froze the other; nor does time in which it is held. It may be given more time, and
 * never less.
 */
export class TimeLimit {
  readonly #began = performance.now()
  readonly #pausedMs: () => number
  readonly #onOver: () => void
  #limitMs = 0
  #heldMs = 0
  #heldSince: number | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number, { pausedMs, onOver }: { pausedMs: () => number; onOver: () => void }) {
    this.#pausedMs = pausedMs
    this.#onOver = onOver
    this.extend(limitMs)
  }

  extend(limitMs: number): void {
    if (!(limitMs > this.#limitMs)) return
    this.#limitMs = limitMs
    this.#look()
  }

  /** Stops the clock, or lets it run again. */
  hold(isHeld: boolean): void {
    const now = performance.now()
    if (isHeld) this.#heldSince ??= now
    else if (this.#heldSince !== null) {
      this.#heldMs += now - this.#heldSince
      this.#heldSince = null
    }
    this.#look()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #look(): void {
    clearTimeout(this.#timer)
    if (this.#heldSince !== null) return
    const ranMs = performance.now() - this.#began - this.#pausedMs() - this.#heldMs
    const leftMs = Math.ceil(this.#limitMs - ranMs)
    if (leftMs <= 0) this.#onOver()
    else this.#timer = setTimeout(() => this.#look(), Math.min(leftMs, MAX_TIMER_MS))
  }
}

/** Adding up stops here: what is found by then is what counts. */
const MAX_ENTRIES = 500_000
/** A workspace is walked through again when so much of the room to be kept is gone since the last time. */
const STEP = 1 / 16
const BLOCK_BYTES = 512

/** Calls once the worker uses too much disk space, with the problem. */
function watchDisk(workspace: string, onProblem: (why: string) => void): () => void {
  const startedAt = Date.now()
  const atStart = roomAt(workspace)
  if (atStart === null) return () => undefined
  let measuredAt = Infinity
  const timer = setInterval(() => {
    const room = roomAt(workspace)
    if (room === null) return
    const now = { freeBytes: room.bytes, totalBytes: room.totalBytes }
    if (!isWorthMeasuring(now, atStart.bytes)) return
    if (measuredAt - room.bytes < roomToKeep(room.totalBytes) * STEP) return
    measuredAt = room.bytes
    const problem = diskProblem({ ...now, writtenBytes: bytesWrittenSince(workspace, startedAt) })
    if (problem === null) return
    clearInterval(timer)
    onProblem(problem)
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** Disk space of the files whose ctime is newer; unlike mtime, a program cannot set it. */
function bytesWrittenSince(folder: string, sinceMs: number): number {
  let bytes = 0
  let entries = 0
  for (const { path, isFolder } of entriesBelow(folder)) {
    if (++entries > MAX_ENTRIES) return bytes
    const stats = isFolder ? null : statsOf(path)
    if (stats !== null && stats.ctimeMs >= sinceMs) bytes += stats.blocks * BLOCK_BYTES
  }
  return bytes
}

/** In a row, since a folder may be moved away and back. */
const MISSED_LOOKS = 3

/** Calls once the worker's folder is lost, without which Bosun can neither control nor follow the worker. */
function watchFolder(path: string, onGone: () => void): () => void {
  let missed = 0
  const timer = setInterval(() => {
    missed = isGone(path) ? missed + 1 : 0
    if (missed < MISSED_LOOKS) return
    clearInterval(timer)
    onGone()
  }, LOOK_MS)
  return () => clearInterval(timer)
}

function isGone(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    // Temporarily unreachable, not necessarily gone.
    return false
  }
}

/**
 * Calls with each command Bosun gave and gives, in order, or once with what is wrong with the file: nobody can reach the
 * worker through it any more. Ends when the returned function is called.
 */
function followCommands(
  path: string,
  onCommand: (command: WorkerCommand) => void,
  onDamage: (damage: DamagedFile) => void,
): () => void {
  const tail = new CommandTail(path)
  let unwatch = (): void => undefined
  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      const damage = asDamage(path, error)
      // The machine is short of something: the next look may succeed.
      if (!(damage instanceof DamagedFile)) return
      unwatch()
      onDamage(damage)
    }
  }
  const look = (): void => guarded(() => tail.read().forEach(onCommand))
  guarded(() => {
    // Only what is there can be watched.
    appendFileSync(path, '', { mode: 0o600 })
    unwatch = watchGrowth(path, LOOK_MS, look)
    look()
  })
  return () => unwatch()
}

/** Compares what a worker has used so far with its budget, and calls once when it is exceeded. */
export function watchBudget(
  { budget, agent }: Pick<WorkerJob, 'budget' | 'agent'>,
  onOver: (why: string, used: SessionUsage) => void,
): (used: SessionUsage) => void {
  let isOver = budget === undefined
  return (used) => {
    if (isOver || budget === undefined) return
    const why = overBudget(usageOf(used), budget, agent)
    if (why === null) return
    isOver = true
    onOver(`it has used ${why} that were left for it`, used)
  }
}
