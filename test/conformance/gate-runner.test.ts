import { ScriptedGates } from '../../src/simulation/scripted-gates.ts'
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'
import { aBench, aRequest, BASE, WORK } from '../checks/gate-bench.ts'
import { gateRunnerConformance } from './gate-runner.ts'

gateRunnerConformance('a scripted runner', () => {
  const clock = new VirtualClock(0, () => 0)
  const runner = new ScriptedGates(clock, {
    runMs: () => 1_000,
    outcome: (_, { tree }) => (tree === 'dark' ? 'inconclusive' : 'passed'),
    releaseOutcome: () => 'passed',
  })
  return {
    runner,
    request: (gates, work) => aRequest({ gates, tree: work === 'good' ? 'tree' : 'dark' }),
    settle: async (promise) => {
      let isSettled = false
      const done = promise.finally(() => (isSettled = true))
      // It is awaited below; until then a rejection is ignored.
      done.catch(() => undefined)
      await clock.run(60_000, () => isSettled)
      return done
    },
  }
})

gateRunnerConformance('a runner of commands', () => {
  const silent = { ...WORK, 'test/dark.test.mjs': 'process.kill(process.ppid, "SIGKILL")\n' }
  const { runner } = aBench({ base: BASE, tree: WORK, dark: silent })
  return {
    runner,
    request: (gates, work) => aRequest({ gates, tree: work === 'good' ? 'tree' : 'dark' }),
    settle: (promise) => promise,
  }
})
