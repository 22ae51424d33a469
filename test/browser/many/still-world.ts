/** A world in which nothing comes to an end: what is owed is begun and stays so, and workers run as long as a test looks at them. */
import type { PlanWorld } from '../../../src/app/host/plan-place.ts'

const never = (): Promise<never> => new Promise(() => undefined)
const nothing = async (): Promise<void> => undefined

export const stillWorld = (): PlanWorld => ({
  agent: {
    start: never,
    stop: never,
    listen: () => () => undefined,
    unacknowledged: async () => [],
    acknowledge: nothing,
    send: async () => true,
    extend: nothing,
    hold: nothing,
  },
  gates: { run: never, runRelease: never },
  integration: { run: never, diagnose: never },
  takeBaseline: never,
  workspace: { save: never, collect: never, commit: never, prepareRelease: never },
  brain: { think: never },
  pidOf: () => process.pid,
})
