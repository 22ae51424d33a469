/** Drives a virtual clock for tests that wait for events. */
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'
import { START } from './plan-builder.ts'

/** Longer than anything in a test takes. */
const FAR_MS = 1000 * 24 * 3_600_000

export interface VirtualWorld {
  readonly clock: VirtualClock
  readonly until: (isSo: () => boolean) => Promise<void>
  readonly quiet: () => Promise<void>
  readonly during: <T>(work: Promise<T>) => Promise<T>
}

export function virtualWorld(): VirtualWorld {
  let tie = 0
  const clock = new VirtualClock(START, () => tie++)
  const until = async (isSo: () => boolean): Promise<void> => {
    await clock.run(FAR_MS, isSo)
  }
  return {
    clock,
    until,
    // Some things repeat for ever: a day is long enough for the rest.
    quiet: async () => {
      await clock.run(clock.monotonic() + 24 * 3_600_000, () => false)
    },
    during: async (work) => {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
      })
      // It is handed on below; until then a rejection is not forgotten, only not yet looked at.
      done.catch(() => undefined)
      await until(() => isDone)
      return done
    },
  }
}
