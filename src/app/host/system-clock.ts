/** The machine's own time. */
import { bootId } from '../../lib/process/identity.ts'
import type { Clock } from '../../ports/clock.ts'

/** Timers cannot be set for longer. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  // Counts from the start of the machine, so that processes can compare.
  monotonic: () => Number(process.hrtime.bigint() / 1_000_000n),
  boot: bootId,
  wake(delayMs, call) {
    let timer: NodeJS.Timeout
    const wait = (leftMs: number): void => {
      const step = Math.min(leftMs, LONGEST_MS)
      timer = setTimeout(() => (leftMs > step ? wait(leftMs - step) : call()), step)
    }
    wait(Math.max(0, Math.ceil(delayMs)))
    return () => clearTimeout(timer)
  },
}
