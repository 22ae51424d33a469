/** Limits concurrent checks of all plans on this machine to the number of cores, and to more while the cores are idle. */
import { cpus } from 'node:os'

export interface Machine {
  readonly cores: number
  /** The idle share of all cores since the last call, from 0 to 1. */
  readonly idleShare: () => number
}

const LOOK_AGAIN_MS = 250
/** The idle share from which more checks are started. */
const ENOUGH_IDLE = 0.5
/** The least share of a core assumed per check: one that waits at first may be busy later. */
const LEAST_SHARE = 1 / 3

interface Waiter {
  readonly begin: () => void
}

export class CheckSlots {
  readonly #machine: Machine
  readonly #waiting = new Set<Waiter>()
  #running = 0
  /** The share of a core that a check last needed. */
  #share = 1
  #timer: NodeJS.Timeout | null = null

  constructor(machine: Machine = thisMachine()) {
    this.#machine = machine
  }

  /** Runs the work when a slot is free, in order of request; rejects if the signal aborts first. */
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
      if (this.#running >= Math.floor(this.#machine.cores / this.#share)) break
      waiter.begin()
    }
    if (this.#running <= this.#machine.cores && this.#waiting.size === 0) return
    if (this.#timer !== null) return
    // Reset the measurement: load so far does not reflect checks that have just started.
    this.#machine.idleShare()
    this.#timer = setTimeout(() => this.#look(), LOOK_AGAIN_MS).unref()
  }

  /** Measures the running checks while some wait or more run than there are cores. */
  #look(): void {
    this.#timer = null
    const { cores, idleShare } = this.#machine
    const idle = idleShare()
    const needed = (cores * (1 - idle)) / Math.max(1, this.#running)
    this.#share = idle >= ENOUGH_IDLE ? Math.min(1, Math.max(LEAST_SHARE, needed)) : 1
    const [next] = this.#waiting
    if (idle >= ENOUGH_IDLE) next?.begin()
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
