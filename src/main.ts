/** Bosun, with the world of this machine: its git, its agents, its gates. */
import manifest from '../package.json' with { type: 'json' }
import { Refusal } from './lib/refusal.ts'
import { start } from './start.ts'

void start({
  version: manifest.version,
  worlds: async () => async (place) => {
    throw new Refusal({
      code: 'no_agent',
      message: `nobody here can work on ${place.plan.id} yet`,
      remedy: 'See what would happen: bosun simulate PLAN',
    })
  },
})
