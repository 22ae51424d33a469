import type { ProcessRow } from '../../lib/process/process-rows.ts'

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
