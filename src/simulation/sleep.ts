import type { Clock } from '../ports/clock.ts'

/** Resolves after so long on this clock. */
export const sleep = (clock: Clock, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    clock.wake(delayMs, resolve)
  })
