/**
 * Gives memory back when a process has become quiet. V8 collects when much is allocated, so what a burst of work left
 * behind stays for as long as nothing else happens: for a daemon that waits for its workers, for hours.
 * bench/idle-workers needs it: without it an idle worker costs the daemon 292 instead of 73 KB (mark 100). A second
 * collection, once it has stayed quiet, also drops the compiled code of functions that were not called since the first
 * (bench/idle-memory: 1.8 MiB, and 4 MiB more after a plan with the machine code of those functions).
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_MS = 5000
/** A collection takes time, so it must be worth it and must not delay other work. */
const WORTH_BYTES = 4 * 1024 * 1024
const QUIET_SHARE = 0.02
/** Quiet looks in a row after a collection until the second one. */
const LOOKS_UNTIL_SECOND = 2

export interface Look {
  /** Processor time used since the look before. */
  readonly cpuMs: number
  readonly sinceMs: number
  /** Memory held now, and after the last collection. */
  readonly bytes: number
  readonly bytesAfterLast: number
  /** Quiet looks in a row since the last collection, this one not counted; null if that was already a second one. */
  readonly quietLooks: number | null
}

export const isQuiet = ({ cpuMs, sinceMs }: Pick<Look, 'cpuMs' | 'sinceMs'>): boolean =>
  cpuMs <= sinceMs * QUIET_SHARE

export function collectionDue(look: Look): 'first' | 'second' | null {
  if (!isQuiet(look)) return null
  if (look.bytes - look.bytesAfterLast >= WORTH_BYTES) return 'first'
  return look.quietLooks !== null && look.quietLooks + 1 >= LOOKS_UNTIL_SECOND ? 'second' : null
}

/** Until the returned function is called. Keeps no process alive. */
export function giveMemoryBackWhenIdle(): () => void {
  let [at, cpu] = [performance.now(), process.cpuUsage()]
  let bytesAfterLast = 0
  let quietLooks: number | null = null
  const timer = setInterval(() => {
    const used = process.cpuUsage(cpu)
    const look = {
      cpuMs: (used.user + used.system) / 1000,
      sinceMs: performance.now() - at,
      bytes: process.memoryUsage.rss(),
      bytesAfterLast,
      quietLooks,
    }
    const due = collectionDue(look)
    if (due !== null) {
      collectGarbage()
      bytesAfterLast = process.memoryUsage.rss()
      quietLooks = due === 'first' ? 0 : null
    } else if (quietLooks !== null) quietLooks = isQuiet(look) ? quietLooks + 1 : 0
    at = performance.now()
    cpu = process.cpuUsage()
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
let collect: Collect | null = null

/** All that can be collected is, and its pages go back to the system. */
export function collectGarbage(): void {
  // The one way to ask for it without a flag on the command line.
  setFlagsFromString('--expose-gc')
  collect ??= runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  // Machine code goes with the bytecode of a function that is not used. Set only meanwhile: kept code is valid for the
  // flags that it was compiled with.
  setFlagsFromString('--flush-baseline-code')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString('--no-flush-baseline-code')
}
