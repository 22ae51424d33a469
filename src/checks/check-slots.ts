/**
 * How many checks run at once on this machine, for all plans together: as many as it has cores, and more while the cores
 * idle, since a suite that waits for something else leaves them to others.
 */
import { cpus } from 'node:os'

export interface Machine {
  readonly cores: number
  /** The share of all cores that was idle since it was last asked, from 0 to 1. */
  readonly idleShare: () => number
}

const LOOK_AGAIN_MS = 250
/** Another check is started beside those that run where at least so much of the machine does nothing. */
const ENOUGH_IDLE = 0.5

interface Waiter {
  readonly begin: () => void
}

export class CheckSlots {
  readonly #machine: Machine
  readonly #waiting = new Set<Waiter>()
  #running = 0
  #timer: NodeJS.Timeout | null = null

  constructor(machine: Machine = thisMachine()) {
    this.#machine = machine
  }

  /** Runs the work when there is room, in the order it was asked for; rejects where the signal comes first. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(signal)
    try {
      return await work()
    } finally {
      this.#running--
      this.#admit()
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(waiter)
        reject(signal.reason as Error)
      }
      const waiter: Waiter = {
        begin: () => {
          signal.removeEventListener('abort', stop)
          this.#waiting.delete(waiter)
          this.#running++
          resolve()
        },
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#waiting.add(waiter)
      this.#admit()
    })
  }

  #admit(): void {
    for (const waiter of this.#waiting) {
      if (this.#running >= this.#machine.cores) break
      waiter.begin()
    }
    if (this.#waiting.size === 0 || this.#timer !== null) return
    // What the cores did until now says nothing about those that have just begun.
    this.#machine.idleShare()
    this.#timer = setTimeout(() => this.#look(), LOOK_AGAIN_MS).unref()
  }

  #look(): void {
    this.#timer = null
    const [next] = this.#waiting
    if (next !== undefined && this.#machine.idleShare() >= ENOUGH_IDLE) next.begin()
    this.#admit()
  }
}

function thisMachine(): Machine {
  let before = coreTimes()
  const idleShare = (): number => {
    const now = coreTimes()
    const all = now.all - before.all
    const idle = now.idle - before.idle
    before = now
    return all <= 0 ? 0 : idle / all
  }
  return { cores: Math.max(1, cpus().length), idleShare }
}

function coreTimes(): { readonly all: number; readonly idle: number } {
  let [all, idle] = [0, 0]
  for (const { times } of cpus()) {
    all += times.user + times.nice + times.sys + times.idle + times.irq
    idle += times.idle
  }
  return { all, idle }
}
