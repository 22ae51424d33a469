/**
 * What interviews get of their user's environment: the keys of the brain, and what the agents of the plan take. Kept like
 * those of plans, one for each repository with an interview that is open.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { agentVariables, possibleAgents } from '../../core/settings/agent-variables.ts'
import { brainVariables } from '../../core/settings/brain-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'
import {
  forgetPlanEnvironment,
  INTERVIEWS,
  keepPlanEnvironment,
  readPlanEnvironment,
  type PlanEnvironment,
} from './plan-environment.ts'
import type { CallerVariables } from '../interview/interview-parts.ts'

export class InterviewEnvironments {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Null where no caller has sent one. */
  of(repository: string): PlanEnvironment | null {
    return readPlanEnvironment(this.#root, streamFor(repository))
  }

  /** Values that an earlier call brought stay where this one has none. */
  keep(repository: string, settings: Settings, { path, variables }: CallerVariables): void {
    const before = this.of(repository)
    const agents = agentVariables(possibleAgents(settings), variables)
    const names = new Set([...Object.keys(before?.agents ?? {}), ...Object.keys(agents)])
    keepPlanEnvironment(this.#root, streamFor(repository), {
      path,
      agents: Object.fromEntries(
        [...names].map((name) => [name, { ...before?.agents[name], ...agents[name] }]),
      ),
      brain: { ...before?.brain, ...brainVariables(settings, variables) },
    })
  }

  forget(repository: string): void {
    forgetPlanEnvironment(this.#root, streamFor(repository))
  }

  /** After a crash some may be left. */
  forgetAllBut(isOpen: (repository: string) => boolean): void {
    const folder = join(this.#root, 'environments', INTERVIEWS)
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)) {
      const repository = name.replace(/\.json$/, '')
      if (!isOpen(repository)) this.forget(repository)
    }
  }
}

const streamFor = (repository: string): string => `${INTERVIEWS}/${repository}`
